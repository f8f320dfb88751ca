#include "model/netcache/servers.h"

#include <algorithm>

#include "sim/error.h"

namespace recirc::model::netcache {

namespace program = pipeline::programs::netcache;
using program::Effect;
using program::Kind;
using workloads::PathId;

bool Servers::is_request(const Message& message) const {
  const Kind kind = message.header.get<Header>().kind;
  return kind == Kind::read_request || kind == Kind::write_request;
}

void Servers::arrived(Server& /*server*/, const Message& request) {
  if (request.payload >= seen_.size()) seen_.resize(std::size_t{request.payload} + 1);
  Seen& seen = seen_[request.payload];
  seen.flags = request.header.get<Header>().flags;
  seen.stay = 0;
}

// ------------------------------------------------------------------------- order of writes ----

void Servers::append(PathState& state, RequestHandle handle) {
  seen_[handle].next = nobody;
  if (state.first == nobody) {
    state.first = handle;
  } else {
    seen_[state.last].next = handle;
  }
  state.last = handle;
  ++waiting_now_;
}

RequestHandle Servers::take(PathState& state) {
  const RequestHandle handle = state.first;
  state.first = seen_[handle].next;
  --waiting_now_;
  return handle;
}

bool Servers::admit(Server& server, RequestHandle handle) {
  const workloads::Operation& operation = server.request(handle).operation;
  if (workloads::is_read(operation.kind)) return true;
  PathState* state = paths_.find(operation.path.value());
  if (state == nullptr) return true;
  if (state->blocked || state->busy) {
    append(*state, handle);
    ++parked_writes_;
    return false;
  }
  state->busy = true;
  seen_[handle].stay = state->stay;
  return true;
}

void Servers::let_next_in(Server& server, PathState& state) {
  if (state.first == nobody) return;
  const RequestHandle handle = take(state);
  state.busy = true;
  seen_[handle].stay = state.stay;
  server.proceed(handle);
}

/// The path is not in the cache: nothing of it waits for the switch or the controller any more.
void Servers::forget(Server& server, PathId path) {
  const PathState* found = paths_.find(path.value());
  if (found == nullptr) return;
  PathState state = *found;
  paths_.erase(path.value());
  while (state.first != nobody) server.proceed(take(state));
}

void Servers::acknowledged(Server& server, PathId path) {
  PathState* state = paths_.find(path.value());
  if (state == nullptr || !state->busy) return;
  state->busy = false;
  let_next_in(server, *state);
}

// ------------------------------------------------------------------------------ the answers ----

/// Nobody may hear of a rename over a cached path before the item, which is out of date, is gone.
bool Servers::answer(Server& server, RequestHandle handle, const NamespaceState::Applied& applied) {
  const workloads::Operation& operation = server.request(handle).operation;
  const PathId overwritten = operation.destination;
  const bool overwrites_cached = operation.kind == workloads::OpKind::rename && applied.changed &&
                                 !overwritten.is_none() &&
                                 paths_.find(overwritten.value()) != nullptr;
  if (overwrites_cached) {
    seen_[handle].applied = applied;
    overwriting_.push_back({server.id(), overwritten, handle});
    ask_controller(server, overwritten);
    return false;
  }
  send_answer(server, handle, applied);
  return true;
}

void Servers::send_answer(Server& server, RequestHandle handle,
                          const NamespaceState::Applied& applied) {
  Request& request = server.request(handle);
  request.parts.queues += server.now() - request.waits_since;  // kept back since its commit
  const auto& machines = world_.topology.client_machines;
  Message message;
  message.from = world_.topology.server(server.id());
  message.to = machines[request.client.value() % machines.size()].endpoint;
  message.payload = handle;
  if (workloads::is_read(request.operation.kind)) {
    Header header;
    header.kind = Kind::answer;
    header.flags = seen_[handle].flags & program::invalid;
    header.path = request.operation.path.value();
    message.length = answer_length(applied.outcome == Outcome::miss ? applied.metadata.slots() : 0);
    message.header.set(header);
  } else {
    answer_write(server, handle, applied, message);
  }
  world_.fabric.send(message);
}

void Servers::answer_write(Server& server, RequestHandle handle,
                           const NamespaceState::Applied& applied, Message& message) {
  const Request& request = server.request(handle);
  Header header;
  header.kind = Kind::answer;
  header.path = request.operation.path.value();
  unsigned slots = 0;
  PathState* state = paths_.find(header.path);
  if (state != nullptr && seen_[handle].stay == state->stay) {
    header.kind = Kind::cached_answer;
    header.key = request.key;
    state->gone = state->gone || applied.path_is_gone;
    header.effect = state->gone ? Effect::retract : Effect::validate;
    if (!state->gone && applied.changed) {
      header.effect = Effect::update;
      put_metadata(header, applied.metadata);
      slots = applied.metadata.slots();
      ++record_updates_;
    }
    if (applied.path_is_gone) ask_controller(server, request.operation.path);
  }
  message.length = answer_length(slots);
  message.header.set(header);
}

// --------------------------------------------------------------------------- the controller ----

void Servers::control(Server& server, const Message& message) {
  const auto header = message.header.get<Header>();
  const PathId path{header.path};
  if (header.kind == Kind::ack) return acknowledged(server, path);
  switch (static_cast<Ask>(header.code)) {
    case Ask::fetch: {
      PathState& state = paths_[path.value()];
      state.stay = ++stays_;
      state.blocked = true;
      return server.fetch(path, 0);
    }
    case Ask::cached: {
      PathState& state = paths_[path.value()];
      state.blocked = false;
      return let_next_in(server, state);
    }
    case Ask::uncached:
      return forget(server, path);
    case Ask::evicted:
      return overwritten_is_evicted(server, path);
    case Ask::fetched:
    case Ask::evict:
      break;
  }
  throw sim::InvariantBroken("a server got a message that is for the controller");
}

void Servers::fetched(Server& server, PathId path, std::uint32_t /*cookie*/) {
  Message message =
      control_message(world_.topology.server(server.id()), world_.topology.controller.endpoint,
                      Ask::fetched, path, world_.tree);
  auto header = message.header.get<Header>();
  if (server.state().exists(path)) {
    header.set(program::hit);
    put_metadata(header, server.state().metadata(path));
  }
  message.header.set(header);
  world_.fabric.send(message);
}

void Servers::ask_controller(Server& server, PathId path) {
  world_.fabric.send(control_message(world_.topology.server(server.id()),
                                     world_.topology.controller.endpoint, Ask::evict, path,
                                     world_.tree));
}

void Servers::overwritten_is_evicted(Server& server, PathId path) {
  const auto found = std::find_if(
      overwriting_.begin(), overwriting_.end(),
      [&](const Overwriting& o) { return o.server == server.id() && o.overwritten == path; });
  if (found == overwriting_.end()) return;  // of a path that went away: nobody waits
  const RequestHandle handle = found->handle;
  overwriting_.erase(found);
  send_answer(server, handle, seen_[handle].applied);
  server.release_worker();
}

}  // namespace recirc::model::netcache
