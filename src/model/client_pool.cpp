#include "model/client_pool.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace recirc::model {

ClientPool::ClientPool(sim::Scheduler& scheduler, const ClientConfig& config,
                       const workloads::OpSource& source, const workloads::Namespace& tree,
                       sim::Slab<Request>& requests, OpTracker& tracker, ClientProtocol& protocol,
                       Fabric& fabric, std::vector<EndpointId> machines, const sim::RngFactory& rng)
    : scheduler_(scheduler),
      config_(config),
      source_(source),
      tree_(tree),
      requests_(requests),
      tracker_(tracker),
      protocol_(protocol),
      fabric_(fabric),
      machines_(std::move(machines)),
      clients_(config.clients),
      timeout_(scheduler, *this, Kind::timeout) {
  if (const auto* open = std::get_if<workloads::OpenArrival>(&config.arrival)) {
    arrivals_.emplace(*open, rng);
    max_in_flight_ = open->max_in_flight;
  } else if (const auto* recorded = std::get_if<workloads::RecordedArrival>(&config.arrival)) {
    max_in_flight_ = recorded->max_in_flight;
  }
}

bool ClientPool::comes_by_itself() const {
  return !std::holds_alternative<workloads::ClosedArrival>(config_.arrival) &&
         !std::holds_alternative<workloads::PacedArrival>(config_.arrival);
}

void ClientPool::start() {
  if (config_.duration) scheduler_.after(*config_.duration, *this, Kind::end);
  if (comes_by_itself()) return schedule_arrival();
  // Clients start one after another over a few microseconds, or over one delay when they are
  // paced, so that they do not march in step for the whole run.
  sim::Duration spread = sim::nanoseconds(100) * config_.clients;
  if (const auto* paced = std::get_if<workloads::PacedArrival>(&config_.arrival)) {
    spread = std::max(spread, paced->delay);
  }
  for (std::uint32_t c = 0; c < config_.clients; ++c) {
    const sim::Duration offset{spread.count() / config_.clients * c};
    scheduler_.after(offset, *this, Kind::issue, c);
  }
}

void ClientPool::handle(const sim::Event& event) {
  switch (static_cast<Kind>(event.kind)) {
    case Kind::issue:
      return issue_next(ClientId{event.arg});
    case Kind::arrival:
      return arrive();
    case Kind::timeout:
      if (timeout_.expired(event)) check_timeouts();
      return;
    case Kind::end:
      return end();
  }
}

void ClientPool::end() {
  ended_ = true;
  if (done()) scheduler_.stop();
}

void ClientPool::issue_next(ClientId client) {
  if (nothing_left()) return;
  clients_[client.value()].last_issue = scheduler_.now();
  issue(client, next_operation_++);
}

void ClientPool::issue(ClientId client, std::uint64_t operation) {
  const RequestHandle handle = requests_.take();
  Request& request = requests_[handle];
  request = Request{};
  request.operation = source_.issued(operation, scheduler_.now());
  request.key = tree_.key(request.operation.path);
  request.client = client;
  const bool refused = !request.operation.allowed;
  request.user = user_of(refused ? workloads::Caller::stranger : request.operation.caller);
  request.pending = true;
  request.asked = request.sent = scheduler_.now();
  if (config_.copies) request.session = take_session(client);
  tracker_.begin(request, scheduler_.now());
  ++in_flight_;
  watch(handle);
  transmit(handle, Moment::issued);
}

void ClientPool::transmit(RequestHandle handle, Moment moment) {
  RequestHandle carried = handle;
  if (config_.copies) [[unlikely]] {
    carried = requests_.take();
    Request& copy = requests_[carried];
    copy = requests_[handle];
    copy.original = handle;
    copy.pending = false;
    copy.identity = sim::mix64(copy.operation.index * sim::golden_gamma + copy.tries +
                               (std::uint64_t{copy.visits} << 32U));
  }
  Request& request = requests_[carried];
  Message message;
  message.from = machines_[request.client.value() % machines_.size()];
  message.payload = carried;
  protocol_.ask(request, message);
  if (observer_ != nullptr) [[unlikely]]
    observer_->happened(moment, request, carried);
  fabric_.send(message);
}

void ClientPool::schedule_arrival() {
  if (nothing_left()) return;
  const sim::Time when =
      arrivals_ ? arrivals_->next() : sim::Time{*source_.recorded_time(next_operation_)};
  scheduler_.at(when, *this, Kind::arrival);
}

void ClientPool::arrive() {
  if (nothing_left()) return;
  const std::uint64_t operation = next_operation_++;
  if (in_flight_ < max_in_flight_) {
    issue(ClientId{static_cast<std::uint32_t>(operation % config_.clients)}, operation);
  } else {
    ++excess_;
    if (done()) scheduler_.stop();
  }
  schedule_arrival();
}

void ClientPool::receive(const Message& message) {
  if (config_.copies) [[unlikely]]
    return receive_copy(message);
  const RequestHandle handle = message.payload;
  if (requests_[handle].abandoned) {
    ++late_answers_;
    requests_.give_back(handle);
    return;
  }
  complete(handle, message);
}

/// The request that the client waits for takes over what the answered copy has come to.
void ClientPool::receive_copy(const Message& message) {
  const Request copy = requests_[message.payload];
  requests_.give_back(message.payload);
  Request& request = requests_[copy.original];
  if (!request.pending || request.operation.index != copy.operation.index) {
    ++(given_up_.find(copy.operation.index) != nullptr ? late_answers_ : repeated_answers_);
    return;
  }
  const Request waiting = request;
  request = copy;
  request.pending = true;
  request.earlier = waiting.earlier;
  request.later = waiting.later;
  request.tries = waiting.tries;
  request.parts.resending += copy.sent - copy.asked;
  complete(copy.original, message);
}

void ClientPool::complete(RequestHandle handle, const Message& message) {
  Request& request = requests_[handle];
  request.parts += message.parts;
  if (protocol_.asks_again(request, message)) {
    ++request.visits;
    if (config_.copies) {
      // A new request with patience of its own, whichever copy was answered.
      unwatch(request);
      request.asked = request.sent = scheduler_.now();
      watch(handle);
    }
    return transmit(handle, Moment::asked_again);
  }
  protocol_.answered(request, message);
  tracker_.complete(request, scheduler_.now());
  if (observer_ != nullptr) [[unlikely]]
    observer_->happened(Moment::completed, request, handle);
  const ClientId client = request.client;
  unwatch(request);
  free(handle);
  --in_flight_;
  client_is_free(client);
}

/// Clients that wait for each answer are sessions of their own. Arrivals of open workloads take a
/// free one, as connections of a pool.
std::uint32_t ClientPool::take_session(ClientId client) {
  if (!comes_by_itself()) return client.value();
  if (free_sessions_.empty()) return sessions_++;
  const std::uint32_t session = free_sessions_.back();
  free_sessions_.pop_back();
  return session;
}

void ClientPool::free(RequestHandle handle) {
  if (config_.copies && comes_by_itself()) free_sessions_.push_back(requests_[handle].session);
  requests_[handle].pending = false;
  requests_.give_back(handle);
}

void ClientPool::client_is_free(ClientId client) {
  if (done()) return scheduler_.stop();  // periodic work of others must not go on
  if (const auto* closed = std::get_if<workloads::ClosedArrival>(&config_.arrival)) {
    if (closed->think_time == sim::Duration::zero()) return issue_next(client);
    scheduler_.after(closed->think_time, *this, Kind::issue, client.value());
  } else if (const auto* paced = std::get_if<workloads::PacedArrival>(&config_.arrival)) {
    const sim::Duration gone = scheduler_.now() - clients_[client.value()].last_issue;
    const sim::Duration rest = std::max(paced->delay - gone, sim::Duration::zero());
    scheduler_.after(rest, *this, Kind::issue, client.value());
  }
}

void ClientPool::lost(RequestHandle payload) {
  Request& request = requests_[payload];
  if (config_.copies || request.abandoned) {
    requests_.give_back(payload);
  } else {
    request.lost = true;  // the time-out will free it
  }
}

RequestHandle ClientPool::duplicated(RequestHandle payload) {
  const RequestHandle copy = requests_.take();
  requests_[copy] = requests_[payload];
  requests_[copy].identity = sim::mix64(requests_[payload].identity + 1);
  protocol_.doubled(payload, copy);
  return copy;
}

void ClientPool::watch(RequestHandle handle) {
  requests_[handle].later = no_request;
  requests_[handle].earlier = newest_;
  (newest_ == no_request ? oldest_ : requests_[newest_].later) = handle;
  newest_ = handle;
  if (!timeout_.is_set()) timeout_.set(sim::later(requests_[oldest_].sent, patience()));
}

void ClientPool::unwatch(const Request& request) {
  (request.earlier == no_request ? oldest_ : requests_[request.earlier].later) = request.later;
  (request.later == no_request ? newest_ : requests_[request.later].earlier) = request.earlier;
}

void ClientPool::check_timeouts() {
  while (oldest_ != no_request) {
    const Request& oldest = requests_[oldest_];
    const sim::Time due = oldest.sent + patience();
    if (due > scheduler_.now()) return timeout_.set(due);
    if (config_.retransmit && oldest.tries < config_.retransmit->tries) {
      send_again(oldest_);
    } else {
      give_up(oldest_);
    }
  }
}

void ClientPool::send_again(RequestHandle handle) {
  Request& request = requests_[handle];
  unwatch(request);
  request.sent = scheduler_.now();
  ++request.tries;
  ++retransmissions_;
  watch(handle);
  transmit(handle, Moment::sent_again);
}

void ClientPool::give_up(RequestHandle handle) {
  Request& request = requests_[handle];
  unwatch(request);
  ++timeouts_;
  tracker_.fail(request, scheduler_.now());
  if (observer_ != nullptr) [[unlikely]]
    observer_->happened(Moment::gave_up, request, handle);
  const ClientId client = request.client;
  if (config_.copies) {
    given_up_[request.operation.index] = true;
    free(handle);
  } else if (request.lost) {
    requests_.give_back(handle);
  } else {
    request.abandoned = true;
  }
  --in_flight_;
  client_is_free(client);
}

}  // namespace recirc::model
