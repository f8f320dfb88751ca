#include "model/fletch/servers.h"

#include <algorithm>

#include "model/fletch/client_tokens.h"
#include "model/fletch/control_message.h"
#include "model/frames.h"
#include "sim/error.h"

namespace recirc::model::fletch {

namespace program = pipeline::programs::fletch;
using program::Kind;
using workloads::PathId;

Servers::Servers(const World& world, const NarrowTree& keys, const TokenMap& tokens,
                 const CacheSettings& cache, Mail& mail, const Protection& protection,
                 bool tell_tokens, WritesAtRisk* at_risk, Mutants mutants)
    : world_(world),
      keys_(keys),
      tokens_(tokens),
      tell_tokens_(tell_tokens),
      release_at_end_(cache.release == ReleaseChoice::at_end),
      at_risk_(at_risk),
      mail_(mail),
      channels_(world_.scheduler, world_.fabric, world_.requests, world_.topology,
                {protection.channels_per_server(), protection.ack_timeout}),
      mutants_(mutants),
      cached_(world_.tree),
      known_(mail.is_reliable() ? world_.topology.servers.size() : 0) {}

void Servers::cached_at_start(PathId path, std::uint8_t copies) {
  PathState& state = paths_[path.value()];
  const bool is_first = state.copies == 0;
  state.copies = copies;
  if (!is_first) return;
  state.generation = ++generations_;
  cached_.add(path);
  know(world_.ring.owner(keys_.whole_key(path)), path);
}

bool Servers::is_request(const Message& message) const {
  const Kind kind = message.header.get<Header>().kind;
  return kind == Kind::read_request || kind == Kind::write_request || kind == Kind::bypass_request;
}

void Servers::arrived(Server& server, const Message& request) {
  const auto header = request.header.get<Header>();
  if (request.payload >= seen_.size()) seen_.resize(std::size_t{request.payload} + 1);
  Seen& seen = seen_[request.payload];
  seen.flags = header.flags;
  seen.held = header.held;
  seen.level = header.level;
  seen.generation = 0;
  seen.server = &server;
  seen.open_changes = 0;
  seen.is_due = false;
  if (header.has(program::waited) || header.has(program::waited_before)) {
    const Request& asked = server.request(request.payload);
    ++(workloads::is_read(asked.operation.kind) ? reads_turned_away_ : lock_waits_);
  }
}

// ------------------------------------------------------------------------- order of writes ----

Servers::Link& Servers::next_of(Link link) {
  return (link & change_bit) != 0 ? changes_[link & ~change_bit].next : seen_[link].next;
}

void Servers::append(Chain& chain, Link link) {
  next_of(link) = nobody;
  if (chain.empty()) {
    chain.first = link;
  } else {
    next_of(chain.last) = link;
  }
  chain.last = link;
  ++waiting_now_;
}

Servers::Link Servers::take(Chain& chain) {
  const Link link = chain.first;
  chain.first = next_of(link);
  --waiting_now_;
  return link;
}

bool Servers::admit(Server& server, RequestHandle handle) {
  const Request& request = server.request(handle);
  if (workloads::is_read(request.operation.kind)) return true;
  PathState* state = paths_.find(request.operation.path.value());
  if (state == nullptr) return true;
  if (!state->blocked) {
    let_in(*state, handle);
    return true;
  }
  if (mutants_.admit_without_blocking) return true;
  append(state->parked, handle);
  ++parked_writes_;
  return false;
}

void Servers::let_in(PathState& state, RequestHandle handle) {
  seen_[handle].generation = state.generation;
  ++state.in_store;
}

/// What waits longest at a path has its turn.
void Servers::send_next(PathState& state) {
  const Link link = take(state.kept);
  if ((link & change_bit) != 0) return send_change(link);
  Server& server = *seen_[link].server;
  if (send_or_wait(server, link)) server.release_worker();
}

void Servers::acknowledged(Server& server, const Message& message) {
  const auto header = message.header.get<Header>();
  if (message.payload != Message::no_payload) {  // of an answer that went no further
    ++repeated_answers_;
    server.discard(message.payload);
  }
  if (channels_.are_used()) {
    const Channels::Receipt receipt = channels_.acknowledged(server.id(), header);
    if (receipt == Channels::Receipt::repeated) return;
    if (receipt == Channels::Receipt::frees_a_worker) server.release_worker();
    send_late_metadata();
  }
  if (header.has(program::invalid)) return;  // of a read
  PathState* state = paths_.find(header.path);
  if (state != nullptr && state->unacknowledged) {
    state->unacknowledged = false;
    if (may_send(*state)) send_next(*state);
  }
  if (header.is_change()) change_is_over(header.change());
}

// ------------------------------------------------------------------------------ the answers ----

bool Servers::answer(Server& server, RequestHandle handle, const NamespaceState::Applied& applied) {
  const Request& request = server.request(handle);
  Seen& seen = seen_[handle];
  if (workloads::is_read(request.operation.kind)) {
    return send_answer(server, handle, applied);
  }
  seen.applied = applied;
  if (at_risk_ != nullptr) carried_out(server, handle);
  if (!mutants_.parent_first) imply_changes(handle);
  PathState* state = paths_.find(request.operation.path.value());
  const bool let_in = state != nullptr && seen.generation == state->generation;
  if (let_in) --state->in_store;
  if (let_in || (state != nullptr && request.replayed)) {
    const bool waits = state->unacknowledged || !state->kept.empty();
    if (waits && !mutants_.unordered_writes) {
      append(state->kept, handle);
      ++kept_answers_;
      return false;
    }
  }
  const bool free = send_or_wait(server, handle);
  if (mutants_.parent_first) imply_changes(handle);
  return free;
}

/// If the switch has acknowledged the write, nothing can be lost of it any more.
void Servers::carried_out(Server& server, RequestHandle handle) {
  const workloads::Operation& write = server.request(handle).operation;
  const Seen& seen = seen_[handle];
  if ((seen.flags & program::cached) == 0 || !is_deferrable(write)) return;
  at_risk_->committed(write, seen.applied.outcome == Outcome::written, server.now());
}

/// Sends the answer of a write, unless cached paths that it has changed as well are still to be
/// brought up to date: its own record must not be readable before they are (Fletch §V ii).
bool Servers::send_or_wait(Server& server, RequestHandle handle) {
  Seen& seen = seen_[handle];
  const Request& request = server.request(handle);
  // What was carried out before is not let in again: it belongs to the stay that it finds here.
  const PathState* found = paths_.find(request.operation.path.value());
  if (request.replayed && found != nullptr && found->copies != 0) {
    seen.generation = found->generation;
  }
  if (PathState* state = state_to_update(server, handle)) {
    state->unacknowledged = true;
    state->sender = server.id().value();
  }
  seen.is_due = seen.open_changes != 0 && !mutants_.parent_first;
  if (seen.is_due) return false;
  return send_answer(server, handle, seen.applied);
}

/// The state of a write's path when its answer must bring the record up to date; else null. What
/// has come into the cache since the write was let into the store was fetched after it.
Servers::PathState* Servers::state_to_update(Server& server, RequestHandle handle) {
  PathState* state = paths_.find(server.request(handle).operation.path.value());
  const bool is_cached = state != nullptr && state->copies != 0;
  return is_cached && seen_[handle].generation == state->generation ? state : nullptr;
}

bool Servers::send_answer(Server& server, RequestHandle handle,
                          const NamespaceState::Applied& applied) {
  Request& request = server.request(handle);
  request.parts.queues += server.now() - request.waits_since;  // kept back since its commit
  Message message = to_client(server, request, handle);
  if (workloads::is_read(request.operation.kind)) {
    answer_read(server, handle, applied, message);
  } else {
    answer_write(server, handle, applied, message);
  }
  const Kind kind = message.header.get<Header>().kind;
  if (channels_.are_used() && (kind == Kind::held_answer || kind == Kind::cached_answer)) {
    channels_.send(server.id(), message, true);
    return false;
  }
  world_.fabric.send(message);
  return true;
}

void Servers::answer_read(Server& server, RequestHandle handle,
                          const NamespaceState::Applied& applied, Message& message) {
  const Request& request = server.request(handle);
  const Seen seen = seen_[handle];
  Header header;
  header.kind = Kind::answer;
  header.path = request.operation.path.value();
  unsigned keys = 1;
  header.flags = seen.flags & program::invalid;
  if (seen.held != 0) {
    header.kind = Kind::held_answer;
    header.held = seen.held;
    put_held_keys(request, header);
    keys = release_at_end_ ? header.depth : header.depth + 1U - seen.level;
  }
  message.length =
      frames::answer(keys, applied.outcome == Outcome::miss ? applied.metadata.slots() : 0);
  if (tell_tokens_) message.length += sim::Bytes{put_tokens(request, header)};
  message.header.set(header);
}

/// The tokens of the path's levels that are cached; returns how many bytes that takes.
unsigned Servers::put_tokens(const Request& request, Header& header) const {
  PathId path = request.operation.path;
  const unsigned depth = world_.tree.depth(path);
  if (depth > program::deepest_level || paths_.find(path.value()) == nullptr) return 0;
  header.depth = static_cast<std::uint8_t>(depth);
  for (unsigned level = depth + 1; level-- > 0; path = world_.tree.parent(path)) {
    const bool known = paths_.find(path.value()) != nullptr;
    header.tokens[level] = known ? tokens_.of(path) : ClientTokens::unknown;
  }
  return depth + 1;
}

void Servers::put_held_keys(const Request& request, Header& header) const {
  workloads::LevelKeys levels;
  world_.tree.level_keys(request.operation.path, levels);
  header.depth = static_cast<std::uint8_t>(levels.depth);
  for (unsigned level = 0; level <= levels.depth; ++level) header.keys[level] = levels.keys[level];
}

void Servers::answer_write(Server& server, RequestHandle handle,
                           const NamespaceState::Applied& applied, Message& message) {
  const Request& request = server.request(handle);
  Header header;
  header.kind = Kind::answer;
  header.path = request.operation.path.value();
  unsigned slots = 0;
  if (PathState* state = state_to_update(server, handle)) {
    header.kind = Kind::cached_answer;
    header.copies = copies_to_reach(server, *state);
    header.keys[0] = keys_.narrow(request.key);
    header.tokens[0] = tokens_.of(request.operation.path);
    header.effect = effect_of(*state, applied);
    if (at_risk_ != nullptr) header.flags = seen_[handle].flags & program::cached;
    if (header.effect == Effect::update || header.effect == Effect::store) {
      put_metadata(header, applied.metadata);
      slots = applied.metadata.slots();
      ++record_updates_;
    }
    if (applied.path_is_gone) say(server, Ask::evict, request.operation.path);
  }
  message.length = frames::answer(1, slots);
  message.header.set(header);
}

/// Tells the switch when it must look for copies beside that of the server's own pipe.
std::uint8_t Servers::copies_to_reach(const Server& server, const PathState& state) const {
  const unsigned own = 1U << world_.topology.servers[server.id().value()].pipe;
  return (state.copies & ~own) == 0 ? std::uint8_t{0} : Header::more_copies;
}

Servers::Effect Servers::effect_of(PathState& state, const NamespaceState::Applied& applied) const {
  if (mutants_.unordered_writes) {
    if (applied.path_is_gone) return Effect::retract;
    return applied.changed ? Effect::update : Effect::validate;
  }
  state.gone = state.gone || applied.path_is_gone;
  if (state.gone) return Effect::retract;
  const bool another_is_pending = state.in_store != 0 || !state.kept.empty();
  if (applied.changed) return another_is_pending ? Effect::store : Effect::update;
  return another_is_pending ? Effect::keep : Effect::validate;
}

Message Servers::to_client(const Server& server, const Request& request,
                           RequestHandle handle) const {
  const auto& machines = world_.topology.client_machines;
  Message message;
  message.from = world_.topology.server(server.id());
  message.to = machines[request.client.value() % machines.size()].endpoint;
  message.payload = handle;
  return message;
}

// --------------------------------------------------------------------------- the controller ----

void Servers::control(Server& server, const Message& message) {
  const auto header = message.header.get<Header>();
  const PathId path{header.path};
  if (header.kind == Kind::ack) return acknowledged(server, message);
  if (!mail_.accept(message)) return;
  switch (static_cast<Ask>(header.code)) {
    case Ask::fetch:
      return fetch(server, path, header);
    case Ask::cached:
      return admission_is_over(server, path, header.copies);
    case Ask::uncached:
      return left_a_pipe(server, path, header.copies);
    case Ask::refresh:
      return refresh(server, path);
    case Ask::record:
      return recorded(server, path, header);
    case Ask::numbers:
      return numbered(server, header);
    case Ask::freeze:
      return freeze(server);
    case Ask::go_on:
      return channels_.go_on(server.id());
    case Ask::back:
      return controller_is_back(server);
    case Ask::fetched:
    case Ask::evict:
    case Ask::recover:
    case Ask::recorded:
    case Ask::blocked:
    case Ask::numbers_are:
    case Ask::received:
      break;
  }
  throw sim::InvariantBroken("a server got a message that is for the controller");
}

Message Servers::to_controller(const Server& server, Ask ask, PathId path) const {
  return control_message(world_.topology.server(server.id()), world_.topology.controller.endpoint,
                         ask, path, world_.tree);
}

void Servers::say(const Server& server, Ask ask, PathId path) {
  mail_.send(to_controller(server, ask, path));
}

}  // namespace recirc::model::fletch
