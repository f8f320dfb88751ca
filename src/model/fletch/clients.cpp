#include "model/fletch/clients.h"

#include "model/fletch/cacheable.h"
#include "model/fletch/control_message.h"
#include "model/frames.h"
#include "sim/error.h"

namespace recirc::model::fletch {

namespace program = pipeline::programs::fletch;
using program::Kind;

Clients::Clients(const World& world, const NarrowTree& keys, const NetworkSettings& network,
                 const TokenMap& tokens, const TokenSettings& settings,
                 const program::LockPlan& locks, WritesAtRisk* at_risk)
    : world_(world),
      keys_(keys),
      network_(network),
      tokens_(tokens),
      locks_(locks),
      at_risk_(at_risk) {
  if (settings.unknown == UnknownToken::none) maps_.emplace(settings.expiry, settings.clients);
}

void Clients::cached_at_start(workloads::PathId path, std::uint8_t token) {
  if (maps_) maps_->known_at_start(path, token);
}

std::uint8_t Clients::token_of(ClientId client, workloads::PathId path) {
  return maps_ ? maps_->of(client, path, world_.scheduler.now()) : tokens_.of(path);
}

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
    if (at_risk_ != nullptr && is_deferrable(request.operation)) header.let_defer();
  }
  message.header.set(header);
}

void Clients::put_levels(const Request& request, unsigned depth, Header& header) {
  header.depth = static_cast<std::uint8_t>(depth);
  workloads::LevelKeys levels;
  const workloads::PathId path = request.operation.path;
  // The own key is known already; those above are the parent's levels.
  world_.tree.level_keys(world_.tree.parent(path), levels);
  for (unsigned level = 0; level < depth; ++level) header.keys[level] = levels.keys[level];
  header.keys[depth] = keys_.narrow(request.key);
  put_tokens(request, depth, header);
}

void Clients::put_tokens(const Request& request, unsigned depth, Header& header) {
  if (!maps_ && tokens_.all_first()) [[likely]] {
    header.tokens.fill(TokenMap::first);
    return;
  }
  workloads::PathId above = request.operation.path;
  for (unsigned level = depth + 1; level-- > 0; above = world_.tree.parent(above)) {
    header.tokens[level] = token_of(request.client, above);
    if (header.tokens[depth] == ClientTokens::unknown) return;  // nobody looks at the others
  }
}

void Clients::put_own_key(const Request& request, unsigned depth, Header& header) {
  header.depth = static_cast<std::uint8_t>(depth);
  const workloads::PathId path = request.operation.path;
  header.keys[0] = keys_.narrow(request.key);
  header.tokens[0] = token_of(request.client, path);
  if (locks_.needs_ancestor_key(depth)) {
    header.keys[1] = world_.tree.key(ancestor_at(world_.tree, path, locks_.own_key_level(depth)));
  }
}

/// A rename locks its destination, too. The fresh name of a synthetic mix is nobody's: its key is
/// looked up like any other, and not found.
void Clients::put_second_path(const Request& request, Header& header, unsigned& keys,
                              unsigned& path_bytes) {
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
  header.set_second_path(world_.tree.key(destination), ancestor,
                         token_of(request.client, destination), static_cast<std::uint8_t>(depth));
}

/// A server's answer to a read tells the tokens of all levels, to a write that of its path.
void Clients::learn(const Request& request, const Header& answer) {
  const workloads::PathId path = request.operation.path;
  const sim::Time now = world_.scheduler.now();
  if (!workloads::is_read(request.operation.kind)) {
    return maps_->learn(request.client, path, answer.tokens[0], now);
  }
  workloads::PathId above = path;
  for (unsigned level = answer.depth + 1U; level-- > 0; above = world_.tree.parent(above)) {
    maps_->learn(request.client, above, answer.tokens[level], now);
  }
}

void Clients::answered(Request& request, const Message& message) {
  const auto header = message.header.get<Header>();
  if (maps_ && !header.has(program::hit) && !header.has(program::denied)) learn(request, header);
  if (header.has(program::hit)) {
    request.answered_by_switch = true;
    request.outcome = Outcome::hit;
    const Metadata record = metadata_in(header);
    if (record.access_time != mark_of(request.operation.path)) {
      throw sim::InvariantBroken("the switch answered with the record of another path");
    }
    request.version = record.version;
    if (at_risk_ != nullptr && at_risk_->hides(request.operation.path, request.issued)) {
      throw sim::InvariantBroken("the switch answered with what an acknowledged write replaces");
    }
  } else if (header.may_defer()) {
    request.answered_by_switch = true;
    request.outcome = Outcome::written;
    at_risk_->acknowledged(request.operation, world_.scheduler.now());
  } else if (header.has(program::denied)) {
    request.answered_by_switch = true;
    request.outcome = Outcome::denied;
  } else if (header.has(program::invalid) && request.outcome == Outcome::miss) {
    request.outcome = Outcome::invalid;
  }
}

}  // namespace recirc::model::fletch
