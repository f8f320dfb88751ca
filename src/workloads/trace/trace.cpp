#include "workloads/trace/trace.h"

#include <algorithm>
#include <utility>

#include "sim/error.h"
#include "workloads/trace/path_text.h"

namespace recirc::workloads::trace {
namespace {

InternedTree::Evidence evidence_of(const Command& command) {
  switch (command.evidence) {
    case Command::Evidence::none:
      break;
    case Command::Evidence::listed:
      return InternedTree::Evidence::listed;
    case Command::Evidence::file:
      return InternedTree::Evidence::file;
    case Command::Evidence::directory:
      return InternedTree::Evidence::directory;
  }
  return InternedTree::Evidence::none;
}

/// Tells the tree what a request says about the paths it names.
void note(InternedTree& tree, const Record& record, PathId path, PathId destination) {
  const bool creates = record.operation == OpKind::create || record.operation == OpKind::mkdir;
  if (!creates) {
    tree.note_use(path);
  } else if (record.allowed) {
    tree.note_creation(path);
  } else {
    tree.note_denied(path);
  }
  tree.note_evidence(path, evidence_of(*record.command));
  if (destination.is_none()) return;
  if (record.allowed) {
    tree.note_creation(destination);
    tree.note_rename(path, destination);
  } else {
    tree.note_denied(destination);
  }
}

OpKind kind_on(const InternedTree& tree, OpKind kind, PathId path) {
  const bool directory = tree.is_directory(path);
  if (kind == OpKind::stat && directory) return OpKind::statdir;
  if ((kind == OpKind::statdir || kind == OpKind::readdir) && !directory) return OpKind::stat;
  return kind;
}

/// What is known only when all of the trace was read.
void settle(Trace& trace) {
  for (const StoredOperation& op : trace.operations) {
    if (op.destination != PathId::none().value()) {
      trace.tree.note_same_kind(PathId{op.path}, PathId{op.destination});
    }
  }
  for (StoredOperation& op : trace.operations) {
    const OpKind kind = kind_on(trace.tree, static_cast<OpKind>(op.kind), PathId{op.path});
    op.kind = static_cast<std::uint64_t>(kind) & 15;
    ++trace.summary.by_kind[static_cast<std::size_t>(kind)];
    if (op.allowed == 0) ++trace.summary.denied;
  }
}

void count_paths(const Trace& trace, TraceSummary& summary) {
  const InternedTree& tree = trace.tree;
  std::vector<bool> named(tree.size(), false);
  for (const StoredOperation& op : trace.operations) {
    named[op.path] = true;
    if (op.destination != PathId::none().value()) named[op.destination] = true;
  }
  summary.paths = tree.size();
  for (PathId::rep i = 0; i < tree.size(); ++i) {
    const PathId path{i};
    if (tree.is_directory(path)) ++summary.directories;
    if (tree.exists_at_start(path)) ++summary.paths_at_start;
    if (!named[i]) continue;
    ++summary.paths_named;
    ++summary.by_depth[tree.depth(path)];
    summary.longest_path = std::max(summary.longest_path, tree.path_length(path));
  }
}

StoredOperation stored(const Record& record, PathId path, PathId destination) {
  StoredOperation op;
  op.time_ns = static_cast<std::uint64_t>(record.time.count()) & ((std::uint64_t{1} << 58) - 1);
  op.kind = static_cast<std::uint64_t>(record.operation) & 15;
  op.more = 0;
  op.allowed = record.allowed ? 1 : 0;
  op.path = path.value();
  op.destination = destination.value();
  return op;
}

void note_more(Trace& trace, const Record& record) {
  const bool recursive = record.command->recursive;
  if (!recursive && record.caller == Caller::owner && record.set == Attributes{}) return;
  trace.operations.back().more = 1;
  trace.more.push_back({trace.operations.size() - 1, recursive, record.caller, record.set});
}

}  // namespace

std::shared_ptr<const Trace> load(const std::filesystem::path& file, Format format, bool strict) {
  auto trace = std::make_shared<Trace>();
  std::vector<std::uint64_t> by_command(commands().size());
  Reader reader{file, format};
  Record record;
  while (reader.next(record)) {
    const PathId path = trace->tree.intern(record.path);
    const PathId destination =
        record.destination.empty() ? PathId::none() : trace->tree.intern(record.destination);
    note(trace->tree, record, path, destination);
    trace->operations.push_back(stored(record, path, destination));
    note_more(*trace, record);
    ++by_command[static_cast<std::size_t>(record.command - commands().data())];
  }
  TraceSummary& summary = trace->summary;
  summary.file = file.string();
  summary.format = reader.format();
  summary.lines = reader.lines();
  summary.problems = reader.problems();
  if (strict && summary.problems.errors() > 0) {
    throw sim::InputOutputError(printable(summary.file) + " is not a clean trace:\n" +
                                summary.problems.text(true));
  }
  summary.operations = trace->operations.size();
  for (std::size_t i = 0; i < by_command.size(); ++i) {
    if (by_command[i] > 0) summary.by_command[std::string{commands()[i].name}] = by_command[i];
  }
  if (!trace->operations.empty()) {
    summary.span_s = static_cast<double>(trace->operations.back().time_ns) * 1e-9;
  }
  settle(*trace);
  count_paths(*trace, summary);
  return trace;
}

}  // namespace recirc::workloads::trace
