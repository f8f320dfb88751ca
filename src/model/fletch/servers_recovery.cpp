#include <algorithm>
#include <vector>

#include "model/fletch/control_message.h"
#include "model/fletch/servers.h"

// The servers' part in recoveries (docs/decisions/0031).
namespace recirc::model::fletch {

using workloads::PathId;

void Servers::know(ServerId server, PathId path) {
  if (!known_.empty()) known_[server.value()].insert(path.value());
}

/// Takes what this server has let wait out of a path's queues, in place.
void Servers::drop_chains(PathState& state, ServerId server) {
  for (Chain* chain : {&state.parked, &state.kept}) {
    Chain left;
    while (!chain->empty()) {
      const Link link = take(*chain);
      const bool is_change = (link & change_bit) != 0;
      const Server* of = is_change ? changes_.at(link & ~change_bit).server : seen_[link].server;
      if (of->id() != server) {
        append(left, link);
      } else if (!is_change) {
        world_.requests.give_back(link);
      }
    }
    *chain = left;
  }
}

/// And what its multi-path writes would have changed; such a write may wait for nothing else.
void Servers::drop_changes(ServerId server) {
  std::set<RequestHandle> waiting;
  for (auto change = changes_.begin(); change != changes_.end();) {
    if (change->second.server->id() != server) {
      ++change;
      continue;
    }
    unfinished_[server.value()].insert(change->second.path.value());
    const RequestHandle write = change->second.write;
    if (write != nobody) ++changes_cut_short_;
    if (write != nobody && seen_[write].is_due) waiting.insert(write);
    change = changes_.erase(change);
  }
  for (const RequestHandle write : waiting) world_.requests.give_back(write);
}

void Servers::crashed(ServerId server) {
  not_serving_.insert(server.value());
  for (const auto& paths : known_) {
    for (const PathId::rep path : paths) drop_chains(*paths_.find(path), server);
  }
  drop_changes(server);
  channels_.crashed(server);
  mail_.reset(world_.topology.server(server));
  recovering_.erase(server.value());
  std::erase_if(late_metadata_, [&](const LateMetadata& l) { return l.server->id() == server; });
  for (const PathId::rep path : known_.empty() ? std::set<PathId::rep>{} : known_[server.value()]) {
    if (!mutants_.keep_in_store) paths_.find(path)->in_store = 0;
  }
}

/// An answer or a change that the server had sent may come to the switch after the crash, until its
/// numbers have moved on; what waits behind it must not overtake it, and goes now.
void Servers::stop_waiting_for(ServerId server) {
  for (const auto& paths : known_) {
    for (const PathId::rep path : paths) {
      PathState& state = *paths_.find(path);
      if (!state.unacknowledged || state.sender != server.value()) continue;
      state.unacknowledged = false;  // nobody sends it again
      if (may_send(state)) send_next(state);
    }
  }
  send_late_metadata();
}

void Servers::restarted(Server& server) {
  if (mutants_.overtake_crashed) stop_waiting_for(server.id());
  Recovering& recovering = recovering_[server.id().value()];
  recovering.since = world_.scheduler.now();
  recovering.boot = ++boots_;
  ask_for_recovery(server, recovering.boot);
}

void Servers::ask_for_recovery(Server& server, std::uint32_t boot) {
  Message message = to_controller(server, Ask::recover, PathId{0});
  auto header = message.header.get<ControlHeader>();
  put_boot(header, boot);
  message.header.set(header);
  mail_.send(message);
}

/// What the controller has told for a recovery that a crash has cut short may come in a later one.
bool Servers::is_of(const Recovering& recovering, const Header& header) const {
  return boot_in(header) == recovering.boot || mutants_.mix_recoveries;
}

/// One path of the active log.
void Servers::recorded(Server& server, PathId path, const Header& header) {
  const auto recovering = recovering_.find(server.id().value());
  if (recovering == recovering_.end() || !is_of(recovering->second, header)) return;
  LoggedPath logged = record_in(header);
  if (mutants_.hide_admission) logged.is_admitted_now = false;
  PathState* state = paths_.find(path.value());
  if (state == nullptr) {
    state = &paths_[path.value()];
    state->generation = ++generations_;
    state->blocked = logged.is_admitted_now;
    state->copies = header.copies;
    cached_.add(path);
    know(server.id(), path);
  } else if (state->blocked && !logged.is_admitted_now) {
    admission_is_over(server, path, header.copies);  // that message was lost
  } else {
    state->copies = header.copies;
  }
  recovering->second.paths.push_back({path, logged.version});
  say(server, Ask::recorded, path);
}

/// Paths that the log did not name have left the cache; that message was lost. One that was on its
/// way may have come to nothing, or still be.
void Servers::forget_others(Server& server, const Recovering& recovering) {
  std::set<PathId::rep> others = known_[server.id().value()];
  for (const Recovering::Path& logged : recovering.paths) others.erase(logged.path.value());
  for (const PathId::rep path : others) {
    if (!paths_.find(path)->blocked) {
      forget(server, PathId{path});
    } else if (!mutants_.leave_blocked) {
      say(server, Ask::blocked, PathId{path});
    }
  }
}

/// The last message of a recovery. What was written since its admission may differ in the switch:
/// the crash may have come between commit and answer.
void Servers::numbered(Server& server, const Header& header) {
  const auto found = recovering_.find(server.id().value());
  if (found == recovering_.end() || !is_of(found->second, header)) return;
  take_numbers(header, found->second.numbers);
  if (!is_last(header)) return;
  const Recovering recovering = std::move(found->second);
  recovering_.erase(found);
  channels_.set_numbers(server.id(), recovering.numbers);
  channels_.go_on(server.id());
  forget_others(server, recovering);
  stop_waiting_for(server.id());
  server.serve();
  not_serving_.erase(server.id().value());
  recoveries_.add(world_.scheduler.now() - recovering.since);
  for (const Recovering::Path& logged : recovering.paths) {
    PathState* state = paths_.find(logged.path.value());
    if (state == nullptr || state->copies == 0) continue;
    const NamespaceState& now = server.state();
    const bool replaced =
        state->gone || !now.exists(logged.path) || now.placed(logged.path) > logged.version;
    if (replaced) {
      if (mutants_.trust_replaced) continue;
      // Or was gone in between: below it there may be records of what was there before.
      if (state->gone) say(server, Ask::evict, logged.path);
      add_change(server, nobody, logged.path, false, true);
    } else if (now.metadata(logged.path).version != logged.version && !mutants_.trust_records) {
      add_change(server, nobody, logged.path, true);
    }
  }
  for (const PathId::rep path : unfinished_[server.id().value()]) {
    if (mutants_.forget_changes || !world_.state.exists(PathId{path})) continue;
    add_change(server, nobody, PathId{path}, true);
  }
  unfinished_.erase(server.id().value());
}

/// The switch has lost the cache. Nothing waits for it any more.
void Servers::freeze(Server& server) {
  if (!mutants_.answer_frozen) channels_.freeze(server.id());
  const std::vector<PathId::rep> known(known_[server.id().value()].begin(),
                                       known_[server.id().value()].end());
  for (const PathId::rep path : known) forget(server, PathId{path});
  send_numbers(mail_, world_.topology.server(server.id()), world_.topology.controller.endpoint,
               Ask::numbers_are, channels_.numbers(server.id()));
  ask_again(server);
}

/// A recovery that another one has cut short begins again. Does nothing if the server is well.
void Servers::ask_again(Server& server) {
  const auto found = recovering_.find(server.id().value());
  if (found == recovering_.end()) return;
  found->second.paths.clear();
  found->second.numbers.clear();
  ask_for_recovery(server, found->second.boot);
}

/// The controller is there again, and knows of no wish.
void Servers::controller_is_back(Server& server) {
  if (recovers(server)) return ask_again(server);
  channels_.go_on(server.id());
  if (mutants_.keep_wishes) return;
  for (const PathId::rep path : known_[server.id().value()]) {
    const PathState& state = *paths_.find(path);
    if (state.blocked) {
      say(server, Ask::blocked, PathId{path});
    } else if (state.gone) {
      say(server, Ask::evict, PathId{path});
    }
  }
}

/// The flag of the path's record has been zero for long. If nothing is on the way that will set it,
/// the record is written anew, as by the answer to a write. Not by a server that recovers: it has
/// no numbers, and does not know yet whether the path was gone in between.
void Servers::refresh(Server& server, PathId path) {
  if (recovers(server) && !mutants_.refresh_early) return;
  PathState* state = paths_.find(path.value());
  if (state == nullptr || state->blocked || state->gone || state->in_store != 0) return;
  if (state->unacknowledged) {
    if (channels_.are_used()) return;  // it comes again until it is acknowledged
    state->unacknowledged = false;     // it was lost
  }
  if (!state->kept.empty()) return send_next(*state);
  if (server.state().exists(path)) add_change(server, nobody, path, true);
}

}  // namespace recirc::model::fletch
