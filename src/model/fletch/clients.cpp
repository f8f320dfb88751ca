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
    message.length = frames::request(locks_.needs_ancestor_key(depth) ? 2 : 1, path_bytes);
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
