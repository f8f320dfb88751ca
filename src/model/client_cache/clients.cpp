#include "model/client_cache/clients.h"

#include <bit>

namespace recirc::model::client_cache {

using workloads::OpKind;
using workloads::PathId;

bool changes_directory(const workloads::Operation& operation, const workloads::Namespace& tree) {
  if (workloads::is_read(operation.kind)) return false;
  if (operation.kind == OpKind::create || operation.kind == OpKind::mkdir) return false;
  if (operation.destination == operation.path) return false;  // a rename to itself does nothing
  return tree.is_directory(operation.path) ||
         (!operation.destination.is_none() && tree.is_directory(operation.destination));
}

Clients::Clients(ClientProtocol& inner, const World& world, const ClientCacheSettings& settings,
                 Exchanges& exchanges, ClientCaches& caches)
    : inner_(inner),
      world_(world),
      round_trips_(std::holds_alternative<RoundTrips>(settings.misses)),
      exchanges_(exchanges),
      caches_(caches),
      floor_(world.state) {}

void Clients::ask(Request& request, Message& message) {
  Exchange& exchange = exchanges_[message.payload];
  if (continues_) {
    exchange = next_;
    continues_ = false;
  } else {
    begin(request, exchange);
  }
  exchange.returned.clear();
  exchange.found = exchange.records = 0;
  exchange.good_until = {};
  exchange.looking_up = next_lookup(exchange);
  if (exchange.looking_up != 0) {
    ask_about(exchange.looking_up, request);
    ++lookup_requests_;
  }
  inner_.ask(request, message);
  const auto looked_up = static_cast<unsigned>(std::popcount(exchange.lookups));
  message.length += frames::levels + frames::version * (exchange.depth - looked_up);
}

void Clients::begin(const Request& request, Exchange& exchange) {
  exchange.begin(request, world_.tree);
  if (has_floors_) {
    for_each_above(world_.tree, exchange, [&](PathId directory, unsigned /*level*/) {
      const Version floor = floor_.of(directory);
      if (floor != 0) exchange.floors.push_back({directory, floor});
    });
  }
  caches_.resolve(request.client, exchange, world_.scheduler.now());
}

/// The highest level that the client must ask for before it can send the operation; 0: none.
unsigned Clients::next_lookup(const Exchange& exchange) const {
  if (!round_trips_ || exchange.at_server || exchange.lookups == 0) return 0;
  return static_cast<unsigned>(std::countr_zero(exchange.lookups));
}

/// The request goes to a directory above its path, in the name of the client itself.
void Clients::ask_about(unsigned level, Request& request) const {
  PathId directory = request.operation.path;
  while (world_.tree.depth(directory) > level) directory = world_.tree.parent(directory);
  request.operation.kind = OpKind::statdir;
  request.operation.path = directory;
  request.operation.destination = PathId::none();
  request.key = world_.tree.key(directory);
  request.user = UserClass::owner;
}

bool Clients::asks_again(Request& request, const Message& message) {
  Exchange& exchange = exchanges_[message.payload];
  if (!inner_.asks_again(request, message)) {
    if (request.turned_away) {
      take_back(request, exchange);
    } else if (exchange.looking_up != 0) {
      looked_up(request, message, exchange);
    } else {
      return false;
    }
  }
  // The client waits for its operation all the time, whatever it asks in between.
  request.operation = exchange.operation;
  request.user = exchange.user;
  request.key = world_.tree.key(request.operation.path);
  next_ = exchange;
  continues_ = true;
  return true;
}

/// The server knows newer versions of what the client went by, and has sent them.
void Clients::take_back(Request& request, Exchange& exchange) {
  ++stale_answers_;
  ++exchange.stale_answers;
  request.turned_away = false;
  request.outcome = Outcome::miss;
  caches_.renew(request.client, exchange.returned);
  if (exchange.stale_answers == most_stale_answers) {
    ++without_cache_;
    exchange.at_server = true;
    exchange.lookups = exchange.all_levels();
    exchange.used.clear();
    return;
  }
  for (const Told& told : exchange.returned) {
    std::erase_if(exchange.used, [&](const Told& old) { return old.directory == told.directory; });
    exchange.used.push_back(told);
  }
}

void Clients::looked_up(Request& request, const Message& message, Exchange& exchange) {
  inner_.answered(request, message);
  const Told told{request.operation.path, request.version};
  if (request.outcome == Outcome::error || request.outcome == Outcome::denied) {
    exchange.at_server = true;  // which will tell what that means for the operation
  } else {
    if (told.version != 0) exchange.used.push_back(told);
    exchange.lookups &= ~(std::uint64_t{1} << exchange.looking_up);
    caches_.keep(request.client, told, exchange.good_until);
  }
  request.outcome = Outcome::miss;
  request.version = 0;
  request.answered_by_switch = false;
}

void Clients::answered(Request& request, const Message& message) {
  inner_.answered(request, message);
  // A switch checks its own records, level by level; what is answered again was resolved before.
  if (!request.answered_by_switch && !request.replayed) {
    const Exchange& exchange = exchanges_[message.payload];
    if (exchange.lookups != 0) caches_.keep_resolved(request.client, exchange);
    check(request, exchange);
  }
  if (request.outcome == Outcome::written && changes_directory(request.operation, world_.tree)) {
    acknowledge(request);
  }
}

/// The oracle: nobody is let through by a permission that was replaced, as its writer knew, before
/// the operation was issued.
void Clients::check(const Request& request, const Exchange& exchange) {
  if (request.outcome == Outcome::error || request.outcome == Outcome::denied) return;
  for (const Told& floor : exchange.floors) {
    const bool looked_up = exchange.is_looked_up(world_.tree.depth(floor.directory));
    const auto& source = looked_up ? exchange.returned : exchange.used;
    if (version_in(source, floor.directory) >= floor.version) continue;
    ++outdated_;
    return;
  }
}

void Clients::acknowledge(const Request& request) {
  const workloads::Operation& operation = request.operation;
  has_floors_ = true;
  if (world_.tree.is_directory(operation.path)) {
    floor_.acknowledge(operation.path, request.version);
    if (request.below) floor_.acknowledge_below(operation.path, request.version);
  }
  if (request.destination_version != 0 && world_.tree.is_directory(operation.destination)) {
    floor_.acknowledge(operation.destination, request.destination_version);
  }
}

void Clients::doubled(RequestHandle from, RequestHandle to) {
  exchanges_.copy(from, to);
  inner_.doubled(from, to);
}

void Clients::report(ReplicationResult& result) const {
  caches_.report(result);
  result.summary.push_back(count_figure("client_cache/lookup_requests", lookup_requests_));
  result.summary.push_back(count_figure("client_cache/validation_failures", stale_answers_));
  result.summary.push_back(count_figure("client_cache/without_cache", without_cache_));
  result.summary.push_back(count_figure("client_cache/outdated_permissions", outdated_));
}

}  // namespace recirc::model::client_cache
