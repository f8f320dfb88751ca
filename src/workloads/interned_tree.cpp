#include "workloads/interned_tree.h"

#include <algorithm>

#include "sim/error.h"
#include "sim/rng.h"
#include "workloads/path_key.h"

namespace recirc::workloads {
namespace {

constexpr std::size_t first_slots = 1024;

/// Calls f(name, end) for each name of a normalised path, `end` being where it ends in the path;
/// stops when f answers false.
template <class F>
void for_each_name(std::string_view path, F f) {
  for (std::size_t at = 1; at < path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    if (!f(path.substr(at, end - at), end)) return;
    at = end + 1;
  }
}

}  // namespace

InternedTree::InternedTree() : slots_(first_slots, 0) {
  Node root{};
  root.key = key_of("/");
  root.length = 1;
  root.start = Start::present;
  root.evidence = Evidence::directory;
  nodes_.push_back(root);
}

std::string_view InternedTree::name_of(const Node& node) const {
  return {names_.data() + node.name, node.name_length};
}

std::uint64_t InternedTree::hash_of(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

/// The slot that holds a child of `parent`, or the empty one where it belongs.
std::size_t InternedTree::slot_of(PathId::rep parent, std::string_view name) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = sim::mix64(hash_of(name) + sim::golden_gamma * parent) & mask;
  while (slots_[slot] != 0) {
    const Node& candidate = nodes_[slots_[slot]];
    if (candidate.parent == parent && name_of(candidate) == name) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

void InternedTree::grow() {
  slots_.assign(slots_.size() * 2, 0);
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    slots_[slot_of(nodes_[i].parent, name_of(nodes_[i]))] = static_cast<PathId::rep>(i);
  }
}

PathId::rep InternedTree::add(PathId::rep parent, std::string_view path, std::string_view name) {
  if (nodes_.size() >= PathId::none().value()) {
    throw sim::InputOutputError("the trace names more than 4 billion paths");
  }
  if (nodes_.size() * 4 >= slots_.size() * 3) grow();
  const auto id = static_cast<PathId::rep>(nodes_.size());
  slots_[slot_of(parent, name)] = id;
  nodes_[parent].has_children = true;
  Node node{};
  node.key = key_of(path);
  node.name = names_.size();
  node.parent = parent;
  node.length = static_cast<std::uint16_t>(path.size());
  node.name_length = static_cast<std::uint8_t>(name.size());
  node.depth = static_cast<std::uint8_t>(nodes_[parent].depth + 1);
  names_.append(name);
  nodes_.push_back(node);
  return id;
}

PathId InternedTree::intern(std::string_view path) {
  PathId::rep at = 0;
  for_each_name(path, [&](std::string_view name, std::size_t end) {
    const PathId::rep known = slots_[slot_of(at, name)];
    at = known != 0 ? known : add(at, path.substr(0, end), name);
    return true;
  });
  return PathId{at};
}

PathId InternedTree::find(std::string_view path) const {
  PathId::rep at = 0;
  bool known = true;
  for_each_name(path, [&](std::string_view name, std::size_t) {
    at = slots_[slot_of(at, name)];
    known = at != 0;
    return known;
  });
  return known ? PathId{at} : PathId::none();
}

void InternedTree::set_present(Node& node) {
  node.start = Start::present;
  ++nodes_[node.parent].children_at_start;
}

/// Above a path that was present all are present. Undecided ancestors are what the nearest decided
/// one is: in a directory that was made, they were made too.
void InternedTree::ancestors_existed(PathId path, bool even_created) {
  const PathId::rep first = node(path).parent;
  PathId::rep decided = first;
  while (nodes_[decided].start == Start::undecided) decided = nodes_[decided].parent;
  if (nodes_[decided].start == Start::present || even_created) {
    for (PathId::rep p = first; nodes_[p].start != Start::present; p = nodes_[p].parent) {
      set_present(nodes_[p]);
    }
    return;
  }
  for (PathId::rep p = first; p != decided; p = nodes_[p].parent) nodes_[p].start = Start::absent;
}

void InternedTree::note_use(PathId path) {
  Node& node = nodes_[path.value()];
  if (node.start != Start::undecided) return;
  if (rename_count_ != 0) {
    note_origin(path);
    return;
  }
  set_present(node);
  ancestors_existed(path, true);
}

void InternedTree::note_rename(PathId from, PathId to) {
  nodes_[to.value()].renamed_to = true;
  renames_[to.value()].push_back({++rename_count_, from.value()});
}

/// The latest rename before number `before` that brought something to a directory above `path`.
InternedTree::Rename InternedTree::latest_rename_above(PathId::rep path, std::uint32_t before,
                                                       PathId::rep& destination) const {
  Rename latest{0, 0};
  for (PathId::rep p = nodes_[path].parent; p != 0; p = nodes_[p].parent) {
    if (!nodes_[p].renamed_to) continue;
    for (const Rename& rename : renames_.at(p)) {
      if (rename.number >= before || rename.number <= latest.number) continue;
      latest = rename;
      destination = p;
    }
  }
  return latest;
}

/// A path that is used now was at the start where renames of directories have moved it from, and at
/// none of the places that it came by.
void InternedTree::note_origin(PathId path) {
  std::vector<PathId::rep> between;
  std::uint32_t before = rename_count_ + 1;
  PathId::rep at = path.value();
  PathId::rep destination = 0;
  for (Rename rename{}; (rename = latest_rename_above(at, before, destination)).number != 0;) {
    const unsigned depth = nodes_[rename.from].depth + nodes_[at].depth - nodes_[destination].depth;
    if (depth > max_depth) break;
    for (PathId::rep p = at; p != destination; p = nodes_[p].parent) between.push_back(p);
    const std::string rest = this->path(PathId{at}).substr(nodes_[destination].length);
    at = intern((rename.from == 0 ? "" : this->path(PathId{rename.from})) + rest).value();
    before = rename.number;
  }
  if (nodes_[at].start == Start::undecided) {
    set_present(nodes_[at]);
    ancestors_existed(PathId{at}, true);
  }
  for (const PathId::rep p : between) {
    if (nodes_[p].start == Start::undecided) nodes_[p].start = Start::absent;
  }
}

void InternedTree::note_creation(PathId path) {
  Node& node = nodes_[path.value()];
  if (node.start != Start::undecided) return;
  node.start = Start::absent;
  ancestors_existed(path, false);
}

void InternedTree::note_denied(PathId path) { ancestors_existed(path, false); }

void InternedTree::note_evidence(PathId path, Evidence evidence) {
  Node& node = nodes_[path.value()];
  node.evidence = std::max(node.evidence, evidence);
}

void InternedTree::note_same_kind(PathId from, PathId to) {
  if (is_directory(from) && node(to).evidence == Evidence::none) {
    note_evidence(to, Evidence::listed);
  }
}

bool InternedTree::is_directory(PathId path) const {
  const Node& n = node(path);
  return n.has_children || n.evidence == Evidence::directory || n.evidence == Evidence::listed;
}

bool InternedTree::exists_at_start(PathId path) const { return node(path).start == Start::present; }

PathId InternedTree::child(PathId directory, PathId like) const {
  const PathId::rep found = slots_[slot_of(directory.value(), name_of(node(like)))];
  return found == 0 ? PathId::none() : PathId{found};
}

std::uint64_t InternedTree::name_hash(PathId path) const { return hash_of(name_of(node(path))); }

void InternedTree::level_keys(PathId path, LevelKeys& out) const {
  out.depth = node(path).depth;
  PathId::rep at = path.value();
  for (unsigned level = out.depth; level > 0; --level) {
    out.keys[level] = nodes_[at].key;
    at = nodes_[at].parent;
  }
  out.keys[0] = nodes_[0].key;
}

std::string InternedTree::path(PathId path) const {
  std::string text(node(path).length, '/');
  std::size_t end = text.size();
  for (PathId::rep at = path.value(); at != 0; at = nodes_[at].parent) {
    const std::string_view name = name_of(nodes_[at]);
    end -= name.size();
    text.replace(end, name.size(), name);
    --end;  // the slash before it
  }
  return text;
}

}  // namespace recirc::workloads
