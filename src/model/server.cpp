#include "model/server.h"

#include <algorithm>

#include "sim/error.h"

namespace recirc::model {

Server::Server(sim::Scheduler& scheduler, const ServerConfig& config, ServerId id,
               sim::Slab<Request>& requests, NamespaceState& state, ServerProtocol& protocol,
               sim::CounterRng service_draws)
    : scheduler_(scheduler),
      config_(config),
      id_(id),
      requests_(requests),
      state_(state),
      protocol_(protocol),
      service_draws_(service_draws),
      memory_(config.dedupe) {}

void Server::receive(const Message& message) {
  if (!protocol_.is_request(message)) {
    protocol_.control(*this, message);
    return;
  }
  if (!is_serving_) return discard(message.payload);
  if (config_.copies && waiting_.size() >= config_.receive_queue) [[unlikely]] {
    ++dropped_;
    return discard(message.payload);
  }
  Request& request = requests_[message.payload];
  request.waits_since = scheduler_.now();
  request.parts += message.parts;
  ++received_;
  tell(Moment::at_server, message.payload);
  if (config_.copies && is_known(message.payload)) return discard(message.payload);
  protocol_.arrived(*this, message);
  arrive(message.payload);
}

/// A write that came before needs nothing, or its answer once more.
bool Server::is_known(RequestHandle handle) {
  Request& request = requests_[handle];
  if (workloads::is_read(request.operation.kind)) return false;
  switch (memory_.arrived(request.session, request.operation.index + 1)) {
    case RequestMemory::Verdict::fresh:
      return false;
    case RequestMemory::Verdict::answered:
      request.replayed = true;
      return false;
    case RequestMemory::Verdict::waiting:
    case RequestMemory::Verdict::old:
      break;
  }
  return true;
}

void Server::crash() {
  ++life_;
  is_serving_ = false;
  busy_workers_ = 0;
  store_free_ = scheduler_.now();
  for (; !waiting_.empty(); waiting_.pop()) discard(waiting_.front());
  while (!fetches_.empty()) fetches_.pop();
  memory_.forget_waiting();
}

void Server::handle(const sim::Event& event) {
  if (event.aux != life_) [[unlikely]] {
    if (static_cast<Kind>(event.kind) != Kind::fetch_done) discard(event.arg);
    return;
  }
  switch (static_cast<Kind>(event.kind)) {
    case Kind::parsed:
      return ask_protocol(event.arg);
    case Kind::store_done:
      return finish(event.arg);
    case Kind::fetch_done: {
      const Fetch fetch = fetches_.front();
      fetches_.pop();
      return protocol_.fetched(*this, fetch.path, fetch.cookie);
    }
  }
}

void Server::arrive(RequestHandle handle) {
  if (busy_workers_ >= config_.workers) {
    waiting_.push(handle);
    return;
  }
  ++busy_workers_;
  begin(handle);
}

void Server::begin(RequestHandle handle) {
  if (config_.front_end_time > sim::Duration::zero()) {
    scheduler_.after(config_.front_end_time, *this, Kind::parsed, handle, life_);
  } else {
    ask_protocol(handle);
  }
}

void Server::ask_protocol(RequestHandle handle) {
  if (requests_[handle].replayed) return answer_again(handle);
  if (protocol_.admit(*this, handle)) return enter_store(handle);
  tell(Moment::parked, handle);
}

void Server::enter_store(RequestHandle handle) {
  Request& request = requests_[handle];
  tell(Moment::in_store, handle);
  // The draw belongs to the operation, not to the order of arrival: schemes that are compared give
  // the same operation the same work.
  sim::CounterRng draws = service_draws_.at(request.operation.index);
  if (request.visits != 0) draws = draws.at(request.visits);
  const ServerProtocol::Work work = protocol_.work(*this, handle);
  request.turned_away = !work.carries_out;
  const double own = work.carries_out ? cost_of(request.operation) : 0.0;
  const auto mean = static_cast<std::int64_t>(static_cast<double>(config_.service_time.count()) *
                                              (own + work.more_reads));
  const sim::Duration service = sim::draw(config_.law, sim::Duration{mean}, draws);
  const sim::Duration busy_before = busy_;
  const sim::Time start = book_store(service);
  request.parts.queues += start - request.waits_since - config_.front_end_time;
  request.parts.service += service + config_.front_end_time;
  if (request.operation.index < busy_limit_) busy_below_ += busy_ - busy_before;
  scheduler_.at(store_free_, *this, Kind::store_done, handle, life_);
}

sim::Time Server::book_store(sim::Duration service) {
  const sim::Time start = std::max(scheduler_.now(), store_free_);
  store_free_ = sim::later(start, service);
  // Past the end of time the scheduler refuses the event that follows.
  if (store_free_ >= start) busy_ += service;
  return start;
}

void Server::finish(RequestHandle handle) {
  Request& request = requests_[handle];
  const NamespaceState::Applied applied = carry_out(request);
  request.outcome = applied.outcome;
  request.version = applied.metadata.version;
  request.destination_version = applied.destination;
  request.below = applied.below;
  request.waits_since = scheduler_.now();
  tell(request.turned_away ? Moment::turned_away : Moment::committed, handle);
  if (protocol_.answer(*this, handle, applied)) return release_worker();
  tell(Moment::answer_kept_back, handle);
}

NamespaceState::Applied Server::carry_out(const Request& request) {
  const bool remembered = config_.copies && !workloads::is_read(request.operation.kind);
  if (request.turned_away) {
    if (remembered) memory_.turned_away(request.session, request.operation.index + 1);
    return {};
  }
  if (!remembered) return state_.apply(request.operation, request.user);
  const Version before = state_.metadata(request.operation.path).version;
  const NamespaceState::Applied applied = state_.apply(request.operation, request.user);
  memory_.carried_out(request.session, request.operation.index + 1, before, applied);
  return applied;
}

void Server::answer_again(RequestHandle handle) {
  Request& request = requests_[handle];
  NamespaceState::Applied applied = memory_.answer(request.session);
  applied.changed = false;
  applied.path_is_gone = false;
  request.outcome = applied.outcome;
  request.version = applied.metadata.version;
  request.destination_version = applied.destination;
  request.below = applied.below;
  request.parts.queues += scheduler_.now() - request.waits_since;
  request.waits_since = scheduler_.now();
  if (protocol_.answer(*this, handle, applied)) release_worker();
}

void Server::release_worker() {
  if (busy_workers_ == 0) throw sim::InvariantBroken("a server released a worker it had not");
  if (waiting_.empty() || busy_workers_ > config_.workers) {
    --busy_workers_;
    return;
  }
  const RequestHandle next = waiting_.front();
  waiting_.pop();
  begin(next);
}

void Server::fetch(workloads::PathId path, std::uint32_t cookie, double reads) {
  book_store(sim::Duration{
      static_cast<std::int64_t>(static_cast<double>(config_.service_time.count()) * reads)});
  fetches_.push({path, cookie});
  scheduler_.at(store_free_, *this, Kind::fetch_done, 0, life_);
}

double Server::cost_of(const workloads::Operation& operation) const {
  const double own = config_.costs[static_cast<std::size_t>(operation.kind)];
  const bool makes =
      operation.kind == workloads::OpKind::create || operation.kind == workloads::OpKind::mkdir;
  if (makes) return state_.exists(operation.path) ? config_.existing_cost : own;
  if (!config_.missing_cost) return own;
  return state_.exists(operation.path) ? own : *config_.missing_cost;
}

}  // namespace recirc::model
