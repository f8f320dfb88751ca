#include "model/client_cache/servers.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

#include "model/client_cache/clients.h"
#include "sim/error.h"

namespace recirc::model::client_cache {

using workloads::PathId;

namespace {

/// What one server tells another, in the part of the header that is the sender's. A ticket has a
/// length of its own on the wire, and so have the directory's path and version.
struct Aside {
  static constexpr std::uint32_t our_mark = 0x70e21a7e;
  std::uint32_t mark = 0;
  std::uint32_t ticket = 0;
  std::uint32_t acknowledges = 0;
};
static_assert(sizeof(Aside) <= Scheme::senders_part);

Aside aside_in(const Message& message) {
  Aside aside;
  std::memcpy(&aside, message.header.bytes.data() + WireHeader::capacity - Scheme::senders_part,
              sizeof(Aside));
  return aside;
}

constexpr sim::Bytes shortest{64};

}  // namespace

Servers::Servers(const Scheme& scheme, ServerProtocol& inner, const World& world,
                 const ClientCacheSettings& settings, Exchanges& exchanges, Mutants mutants)
    : scheme_(scheme),
      inner_(inner),
      world_(world),
      announcement_cost_(settings.announcement_cost),
      announce_again_(settings.announce_again),
      exchanges_(exchanges),
      mutants_(mutants) {
  if (const auto* chosen = std::get_if<Validation>(&settings.consistency)) validation_ = *chosen;
  if (const auto* chosen = std::get_if<Leases>(&settings.consistency)) leases_ = *chosen;
  const auto* at_server = std::get_if<AtServer>(&settings.misses);
  // An operation that is asked without the cache is resolved at its server in any case.
  lookup_cost_ = at_server != nullptr ? at_server->cost : AtServer{}.cost;
}

void Servers::arrived(Server& server, const Message& request) { inner_.arrived(server, request); }

bool Servers::admit(Server& server, RequestHandle handle) { return inner_.admit(server, handle); }

bool Servers::is_request(const Message& message) const {
  return aside_in(message).mark != Aside::our_mark && inner_.is_request(message);
}

// -------------------------------------------------------------------------- the clients' part ----

Version Servers::version_for(Server& server, PathId directory) const {
  if (server.state().changes() == 0) return 0;
  return announcements_.known_to(server.id(), directory,
                                 server.state().metadata(directory).version);
}

ServerProtocol::Work Servers::work(Server& server, RequestHandle handle) {
  Work work = inner_.work(server, handle);
  Exchange& exchange = exchanges_[handle];
  if (!work.carries_out || exchange.looking_up != 0) return work;
  if (validation_ && !mutants_.accept_old_versions) {
    find_outdated(server, exchange);
    if (!exchange.returned.empty()) return {validation_->stale_cost, false};
  }
  work.more_reads += lookup_cost_ * std::popcount(exchange.lookups);
  return work;
}

void Servers::find_outdated(Server& server, Exchange& exchange) const {
  exchange.returned.clear();
  if (server.state().changes() == 0) return;
  for_each_above(world_.tree, exchange, [&](PathId directory, unsigned level) {
    if (exchange.is_looked_up(level)) return;
    const Version version = version_for(server, directory);
    if (version_in(exchange.used, directory) < version) {
      exchange.returned.push_back({directory, version});
    }
  });
  exchange.records = static_cast<unsigned>(exchange.returned.size());
}

/// What the client has not got, at the moment at which the store carries the request out.
void Servers::resolve(Server& server, const Request& request, Exchange& exchange) {
  const sim::Time until = leases_ ? sim::later(server.now(), leases_->term) : sim::Time{};
  exchange.good_until = until;
  if (exchange.looking_up != 0) {
    const PathId directory = request.operation.path;
    if (leases_) lease_table_.grant(directory, version_for(server, directory), until);
    return;
  }
  exchange.returned.clear();
  exchange.found = 0;
  exchange.records = 0;
  for_each_above(world_.tree, exchange, [&](PathId directory, unsigned level) {
    if (!exchange.is_looked_up(level)) return;
    ++lookups_;
    const Version version = version_for(server, directory);
    if (version != 0) exchange.returned.push_back({directory, version});
    // From the bottom up: the first that is there has all others above it.
    if (exchange.found == 0 && server.state().exists(directory)) exchange.found = level;
    if (exchange.found == 0) return;
    ++exchange.records;
    if (leases_) lease_table_.grant(directory, version, until);
  });
}

bool Servers::answer(Server& server, RequestHandle handle, const NamespaceState::Applied& applied) {
  const Request& request = server.request(handle);
  if (request.replayed) {
    // Carried out already: who asks again hears no sooner than who asked first.
    if (Announcement* open = announcements_.find_operation(request.operation.index)) {
      open->answers.push_back({handle, applied});
      return true;
    }
  } else if (!request.turned_away) {
    resolve(server, request, exchanges_[handle]);
    if (applied.changed && changes_directory(request.operation, world_.tree)) {
      announce(server, handle, applied);
      if (!mutants_.answer_unannounced) return true;  // it needs no worker to wait
    }
  }
  return inner_.answer(server, handle, applied);
}

// --------------------------------------------------------------- the writes of directories ----

void Servers::announce(Server& server, RequestHandle handle,
                       const NamespaceState::Applied& applied) {
  const auto servers = static_cast<std::uint32_t>(world_.topology.servers.size());
  const workloads::Operation& operation = server.request(handle).operation;
  Announcement& announcement = announcements_.open(server, handle, applied, servers);
  if (world_.tree.is_directory(operation.path)) {
    announcements_.replaces(announcement, {operation.path, applied.before});
  }
  if (applied.destination != 0 && world_.tree.is_directory(operation.destination)) {
    announcements_.replaces(announcement, {operation.destination, applied.destination_before});
  }
  ++announced_;
  if (servers == 1) return all_know(announcement);
  tell_missing(announcement);
}

void Servers::tell_missing(Announcement& announcement) {
  for (std::uint32_t s = 0; s < announcement.acknowledged.size(); ++s) {
    if (!announcement.acknowledged[s]) {
      tell(*announcement.writer, ServerId{s}, announcement.ticket, false);
    }
  }
  if (announcement.is_timed) return;
  announcement.is_timed = true;
  world_.scheduler.after(announce_again_, *this, Kind::tell_again, announcement.ticket);
}

void Servers::tell(const Server& from, ServerId to, std::uint32_t ticket, bool acknowledges) {
  Message message = scheme_.between_servers(world_.topology.server(from.id()),
                                            world_.topology.server(to), shortest);
  const Aside aside{Aside::our_mark, ticket, acknowledges ? 1U : 0U};
  if (Announcement* announcement = announcements_.find(ticket); announcement && !acknowledges) {
    for (unsigned i = 0; i < announcement->directories; ++i) {
      message.length += sim::Bytes{world_.tree.path_length(announcement->replaced[i].directory)};
    }
  }
  std::memcpy(message.header.bytes.data() + WireHeader::capacity - Scheme::senders_part, &aside,
              sizeof(Aside));
  world_.fabric.send(message);
}

void Servers::control(Server& server, const Message& message) {
  const Aside aside = aside_in(message);
  if (aside.mark != Aside::our_mark) return inner_.control(server, message);
  Announcement* announcement = announcements_.find(aside.ticket);
  if (announcement == nullptr) return;  // told again, after all
  if (aside.acknowledges == 0) return hear(server, *announcement);
  acknowledged(*announcement, world_.topology.server_at(message.from));
}

/// It does the work once, however often it is told: else those who tell again sooner than it can
/// do the work would keep it from ever getting done with any.
void Servers::hear(Server& server, Announcement& announcement) {
  const std::uint32_t id = server.id().value();
  if (announcement.told[id])
    return tell(server, announcement.writer->id(), announcement.ticket, true);
  if (announcement.heard[id] || server.is_overrun()) return;
  announcement.heard[id] = true;
  // The path that is named here is not used: fetch() stands for the work.
  server.fetch(PathId{0}, announcement.ticket | ours, announcement_cost_);
}

void Servers::acknowledged(Announcement& announcement, ServerId by) {
  if (announcement.acknowledged[by.value()]) return;  // it was told twice
  announcement.acknowledged[by.value()] = true;
  if (--announcement.missing == 0) all_know(announcement);
}

void Servers::fetched(Server& server, PathId path, std::uint32_t cookie) {
  if ((cookie & ours) == 0) return inner_.fetched(server, path, cookie);
  const std::uint32_t ticket = cookie & ~ours;
  Announcement* announcement = announcements_.find(ticket);
  if (announcement == nullptr) return;
  announcement->told[server.id().value()] = true;
  tell(server, announcement->writer->id(), ticket, true);
}

void Servers::all_know(Announcement& announcement) {
  sim::Time until{};
  if (leases_ && !mutants_.ignore_leases) {
    for (unsigned i = 0; i < announcement.directories; ++i) {
      const Told& replaced = announcement.replaced[i];
      until = std::max(until, lease_table_.end(replaced.directory, replaced.version));
    }
    // Nobody knows what is leased below a directory: all that was, ends within a term.
    if (announcement.below) until = sim::later(world_.scheduler.now(), leases_->term);
    until = std::max(until, unknown_leases_end_);
  }
  if (until > world_.scheduler.now()) {
    world_.scheduler.at(until, *this, Kind::leases_over, announcement.ticket);
    return;
  }
  announcement.ready = true;
  answer_ready_ones();
}

void Servers::handle(const sim::Event& event) {
  Announcement* announcement = announcements_.find(event.arg);
  if (announcement == nullptr) return;
  switch (static_cast<Kind>(event.kind)) {
    case Kind::leases_over:
      if (announcement->missing != 0) return;  // its writer has crashed since
      announcement->ready = true;
      return answer_ready_ones();
    case Kind::tell_again:
      announcement->is_timed = false;
      if (announcement->missing != 0) tell_missing(*announcement);
      return;
  }
}

void Servers::answer_ready_ones() {
  while (const Announcement* ready = announcements_.next_ready()) {
    const Announcement done = announcements_.close(ready->ticket);
    if (mutants_.answer_unannounced) continue;
    for (const LateAnswer& late : done.answers) answer_late(*done.writer, late);
  }
}

void Servers::answer_late(Server& server, const LateAnswer& late) {
  Request& request = server.request(late.handle);
  const sim::Duration waited = server.now() - request.waits_since;
  if (waited > sim::Duration::zero()) ++delayed_writes_;
  delay_ += waited;
  request.parts.queues += waited;
  request.waits_since = server.now();
  server.borrow_worker();
  if (inner_.answer(server, late.handle, late.applied)) server.release_worker();
}

void Servers::crashed(ServerId server) {
  for (const LateAnswer& late : announcements_.forget(server)) {
    world_.requests.give_back(late.handle);
  }
  announcements_.unhear(server);
}

void Servers::restarted(ServerId server) {
  // It does not know what it had granted: nothing of that is left after a whole term.
  if (leases_) unknown_leases_end_ = sim::later(world_.scheduler.now(), leases_->term);
  for (const std::uint32_t ticket : announcements_.of(server)) {
    Announcement* announcement = announcements_.find(ticket);
    if (announcement == nullptr) continue;
    if (announcement->missing == 0) {
      all_know(*announcement);
    } else {
      tell_missing(*announcement);
    }
  }
}

void Servers::report(ReplicationResult& result) const {
  const auto add = [&result](const char* name, std::uint64_t value) {
    result.summary.push_back(count_figure(name, value));
  };
  add("client_cache/lookups", lookups_);
  add("client_cache/announcements", announced_);
  add("client_cache/delayed_writes", delayed_writes_);
  const auto delayed = static_cast<double>(std::max<std::uint64_t>(delayed_writes_, 1));
  result.summary.push_back(
      {"client_cache/write_delay_mean_us", sim::as_microseconds(delay_) / delayed});
  add("client_cache/writes_left_waiting", announcements_.size());
}

}  // namespace recirc::model::client_cache
