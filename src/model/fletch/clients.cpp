#include "model/fletch/clients.h"

#include "model/fletch/cacheable.h"
#include "model/fletch/control_message.h"
#include "model/frames.h"
#include "sim/error.h"

namespace recirc::model::fletch {

namespace program = pipeline::programs::fletch;
using program::Kind;

Clients::Clients(const World& world, const NetworkSettings& network, const TokenMap& tokens,
                 const program::LockPlan& locks)
    : world_(world), network_(network), tokens_(tokens), locks_(locks) {}

void Clients::ask(Request& request, Message& message) {
  const workloads::PathId path = request.operation.path;
  const unsigned depth = world_.tree.depth(path);
  const unsigned path_bytes = world_.tree.path_length(path);
  request.server = world_.ring.owner(request.key);
  message.to = world_.topology.server(request.server);
  Header header;
  header.path = path.value();
  header.user = static_cast<std::uint8_t>(request.user);
  if (!is_cacheable(depth, path_bytes, network_)) {
    ++bypassed_;
    header.kind = Kind::bypass_request;
    message.length = frames::request(0, path_bytes);
  } else if (workloads::is_read(request.operation.kind)) {
    header.kind = Kind::read_request;
    put_levels(request, depth, header);
    message.length = read_length(depth, path_bytes);
  } else {
    header.kind = Kind::write_request;
    put_own_key(request, depth, header);
    unsigned keys = locks_.needs_ancestor_key(depth) ? 2 : 1;
    unsigned text = path_bytes;
    if (request.operation.kind == workloads::OpKind::rename) {
      put_second_path(request, header, keys, text);
    }
    message.length = frames::request(keys, text);
  }
  message.header.set(header);
}

void Clients::put_levels(const Request& request, unsigned depth, Header& header) const {
  header.depth = static_cast<std::uint8_t>(depth);
  workloads::LevelKeys levels;
  const workloads::PathId path = request.operation.path;
  // The own key is known already; those above are the parent's levels.
  world_.tree.level_keys(world_.tree.parent(path), levels);
  for (unsigned level = 0; level < depth; ++level) header.keys[level] = levels.keys[level];
  header.keys[depth] = request.key;
  if (tokens_.all_first()) [[likely]] {
    header.tokens.fill(TokenMap::first);
    return;
  }
  workloads::PathId above = path;
  for (unsigned level = depth + 1; level-- > 0; above = world_.tree.parent(above)) {
    header.tokens[level] = tokens_.of(above);
  }
}

void Clients::put_own_key(const Request& request, unsigned depth, Header& header) const {
  header.depth = static_cast<std::uint8_t>(depth);
  const workloads::PathId path = request.operation.path;
  header.keys[0] = request.key;
  header.tokens[0] = tokens_.of(path);
  if (locks_.needs_ancestor_key(depth)) {
    header.keys[1] = world_.tree.key(ancestor_at(world_.tree, path, locks_.own_key_level(depth)));
  }
}

/// A rename locks its destination, too. The fresh name of a synthetic mix is nobody's: its key is
/// looked up like any other, and not found.
void Clients::put_second_path(const Request& request, Header& header, unsigned& keys,
                              unsigned& path_bytes) const {
  const workloads::PathId destination = request.operation.destination;
  if (destination.is_none()) {
    header.set_second_path(~request.key, 0, 0, header.depth);
    ++keys;
    path_bytes *= 2;
    return;
  }
  const unsigned depth = world_.tree.depth(destination);
  const unsigned length = world_.tree.path_length(destination);
  path_bytes += length;
  if (depth == 0 || !is_cacheable(depth, length, network_)) return;
  std::uint64_t ancestor = 0;
  ++keys;
  if (locks_.needs_ancestor_key(depth)) {
    ancestor = world_.tree.key(ancestor_at(world_.tree, destination, locks_.own_key_level(depth)));
    ++keys;
  }
  header.set_second_path(world_.tree.key(destination), ancestor, tokens_.of(destination),
                         static_cast<std::uint8_t>(depth));
}

void Clients::answered(Request& request, const Message& message) {
  const auto header = message.header.get<Header>();
  if (header.has(program::hit)) {
    request.answered_by_switch = true;
    request.outcome = Outcome::hit;
    const Metadata record = metadata_in(header);
    if (record.access_time != mark_of(request.operation.path)) {
      throw sim::InvariantBroken("the switch answered with the record of another path");
    }
    request.version = record.version;
  } else if (header.has(program::denied)) {
    request.answered_by_switch = true;
    request.outcome = Outcome::denied;
  } else if (header.has(program::invalid) && request.outcome == Outcome::miss) {
    request.outcome = Outcome::invalid;
  }
}

}  // namespace recirc::model::fletch
