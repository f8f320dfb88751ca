#include "model/fletch/scheme.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "model/fletch/audit.h"
#include "model/fletch/clients.h"
#include "model/fletch/controller_seat.h"
#include "model/fletch/log_file.h"
#include "model/fletch/preload.h"
#include "model/fletch/records.h"
#include "model/fletch/risk_report.h"
#include "model/fletch/servers.h"
#include "model/fletch/token_report.h"
#include "pipeline/programs/fletch/program.h"
#include "pipeline/switch.h"
#include "sim/error.h"

namespace recirc::model::fletch {

namespace {

namespace program = pipeline::programs::fletch;

program::Wiring wiring_of(const CacheSettings& cache, const ControllerSettings& controller,
                          const Topology& topology, const program::LockPlan& locks,
                          const Protection& protection) {
  program::Wiring wiring;
  wiring.lock_pipe = topology.server_pipe;
  wiring.loop = topology.loop;
  if (topology.server_pipes.size() > 1) {
    for (const Topology::ServerPipe& pipe : topology.server_pipes) {
      wiring.ways_round.push_back(pipe.way_round);
    }
  }
  for (std::size_t i = 0; i < topology.endpoints(); ++i) {
    const EndpointId endpoint{static_cast<EndpointId::rep>(i)};
    wiring.ports.push_back(topology.port(endpoint));
    wiring.sessions.push_back(topology.session(endpoint));
    wiring.server_pipes.push_back(topology.site(endpoint).pipe);
  }
  wiring.controller = topology.controller.endpoint.value();
  wiring.reports = controller.admission == AdmissionPolicy::on;
  wiring.threshold = cache.threshold;
  wiring.locks = locks;
  if (protection.sequence != Sequence::off) {
    wiring.sequence.comparing = cache.sequence_compare == SequenceCompare::strict
                                    ? program::Comparing::strict
                                    : program::Comparing::equality;
    wiring.sequence.counters =
        static_cast<std::uint32_t>(topology.servers.size() * protection.channels_per_server());
  }
  wiring.write_back = cache.write == WriteChoice::back;
  wiring.release_in_switch = cache.invalid_reads == InvalidReads::release_in_switch;
  return wiring;
}

program::Release release_of(const CacheSettings& cache) {
  return cache.release == ReleaseChoice::at_end ? program::Release::at_end
                                                : program::Release::per_level;
}

program::LockPlan kind_of(const CacheSettings& cache, const program::LockPlan& locks) {
  return cache.lock == LockChoice::write_pending ? program::with_pending_writes(locks) : locks;
}

program::LockPlan level_locks(const CacheSettings& cache, const Mutants& mutants) {
  program::LockPlan locks = program::grouped_locks(cache.lock_groups, release_of(cache));
  if (mutants.release_shared_twice) {
    locks.lowered_at[program::deepest_level] = locks.own_bit(program::deepest_level);
  }
  return kind_of(cache, locks);
}

program::LockPlan one_lock(const CacheSettings& cache) {
  const auto key = cache.single_lock_key == SingleLockKey::level_1 ? program::SingleKey::level_1
                                                                   : program::SingleKey::full_path;
  return kind_of(cache, program::single_lock(key, release_of(cache)));
}

program::Placing placing_of(LayoutChoice choice) {
  return choice == LayoutChoice::paper ? program::Placing::paper : program::Placing::prototype;
}

/// What there is once the world around the scheme stands.
struct Parts {
  Parts(const World& outside, const CacheSettings& cache, const ControllerSettings& settings,
        const NetworkSettings& network, const program::LockPlan& locks, const Mutants& mutants,
        const Protection& protection, const TokenSettings& token_settings, const LogPlace& log)
      : keys(outside.tree, cache.key_bits),
        world(with_tree(outside, keys.are_whole() ? outside.tree : keys)),
        mail(world.scheduler, world.fabric, world.topology,
             protection.reliable_messages ? std::optional(settings.message_timeout) : std::nullopt),
        history(protection.reliable_messages),
        directory(world.tree, cache.rows, most_entries(cache, world.tree),
                  static_cast<std::uint32_t>(world.topology.server_pipes.size()), mutants),
        log_file(file_of(log)),
        leaves(directory, settings.admission == AdmissionPolicy::on),
        desk{world,
             keys,
             settings,
             cache.threshold,
             locks,
             protection.sweep,
             mail,
             history,
             protection.channels_per_server(),
             directory,
             leaves,
             mutants},
        clients(world, keys, network, directory.tokens(), token_settings, locks, risk_of(cache)),
        servers(world, keys, directory.tokens(), cache, mail, protection,
                token_settings.unknown == UnknownToken::none, risk_of(cache), mutants),
        controller(desk),
        preloaded(preload(desk, servers, clients, cache, network)) {}

  std::unique_ptr<LogFile> file_of(const LogPlace& log) {
    if (log.file.empty()) return nullptr;
    auto file = std::make_unique<LogFile>(log, world.tree, world.scheduler);
    history.persist_in(*file);
    directory.tokens().tell(file.get());
    return file;
  }
  WritesAtRisk* risk_of(const CacheSettings& cache) {
    return cache.write == WriteChoice::back ? &at_risk : nullptr;
  }

  NarrowTree keys;
  World world;
  WritesAtRisk at_risk;
  Mail mail;
  ActiveLog history;
  CacheDirectory directory;
  std::unique_ptr<LogFile> log_file;  ///< null: the log stays in memory
  Leaves leaves;
  Desk desk;
  Clients clients;
  Servers servers;
  ControllerSeat controller;
  Preloaded preloaded;
};

/// Tells the switch which sequence counter is whose.
void number_channels(const World& world, const CacheSettings& cache, std::uint32_t per_server) {
  pipeline::MatchTable& index = world.rmt_switch.table(protocol, program::sequence_index);
  std::uint64_t counter = 0;
  for (const Topology::Site& server : world.topology.servers) {
    for (std::uint32_t channel = 0; channel < per_server; ++channel) {
      index.insert(
          {program::sequence_key(server.endpoint.value(), static_cast<std::uint16_t>(channel)), 0},
          counter++);
    }
  }
  if (cache.sequence_compare == SequenceCompare::strict) return;
  pipeline::MatchTable& match = world.rmt_switch.table(protocol, program::sequence_match);
  for (unsigned number = 0; number < program::sequence_numbers; ++number) {
    const auto n = static_cast<std::uint8_t>(number);
    match.insert({program::sequence_pair(n, n), 0}, 1);
  }
}

class Fletch final : public Scheme {
 public:
  Fletch(const CacheSettings& cache, const ControllerSettings& controller,
         const NetworkSettings& network, const Topology& topology, const program::LockPlan& locks,
         Mutants mutants, const Protection& protection, const TokenSettings& tokens)
      : cache_(cache),
        settings_(controller),
        network_(network),
        locks_(locks),
        mutants_(mutants),
        protection_(protection),
        tokens_(tokens),
        program_(program::make_program(
            placing_of(cache.layout), wiring_of(cache, controller, topology, locks, protection))) {}

  pipeline::Program& program() override { return *program_; }
  void write_log_to(const LogPlace& place) override { log_place_ = place; }
  void commit_log(bool at_end) override {
    if (parts_->log_file == nullptr) return;
    at_end ? parts_->log_file->finish() : parts_->log_file->commit();
  }
  void connect(World& world) override {
    parts_.emplace(world, cache_, settings_, network_, locks_, mutants_, protection_, tokens_,
                   log_place_);
    if (protection_.sequence != Sequence::off) {
      number_channels(world, cache_, protection_.channels_per_server());
    }
  }
  ClientProtocol& clients() override { return parts_->clients; }
  ServerProtocol& servers() override { return parts_->servers; }
  Endpoint* controller() override { return &parts_->controller; }
  [[nodiscard]] Message between_servers(EndpointId from, EndpointId to,
                                        sim::Bytes length) const override;
  void start() override { parts_->controller.start(); }
  void stop() override { parts_->controller.stop(); }
  void crashed(const faults::CrashSettings& crash) override;
  bool restarted(const faults::CrashSettings& crash, Server* server) override;
  void report(ReplicationResult& result) const override;
  void check_idle() const override;

 private:
  [[nodiscard]] bool packets_were_lost() const;
  void report_faults(ReplicationResult& result, const Audit& left) const;

  CacheSettings cache_;
  ControllerSettings settings_;
  NetworkSettings network_;
  program::LockPlan locks_;
  Mutants mutants_;
  Protection protection_;
  TokenSettings tokens_;
  LogPlace log_place_;
  std::unique_ptr<pipeline::Program> program_;
  std::optional<Parts> parts_;
};

Message Fletch::between_servers(EndpointId from, EndpointId to, sim::Bytes length) const {
  Message message = Scheme::between_servers(from, to, length);
  static_assert(sizeof(program::Header) <= WireHeader::capacity - senders_part);
  program::Header header;
  header.kind = program::Kind::control;
  message.header.set(header);
  return message;
}

void Fletch::crashed(const faults::CrashSettings& crash) {
  switch (crash.component) {
    case faults::Component::server:
      return parts_->servers.crashed(ServerId{crash.server});
    case faults::Component::controller:
      return parts_->controller.controller_crashed();
    case faults::Component::rmt_switch:
      return parts_->controller.switch_crashed();
  }
}

bool Fletch::restarted(const faults::CrashSettings& crash, Server* server) {
  switch (crash.component) {
    case faults::Component::server:
      parts_->servers.restarted(*server);
      break;
    case faults::Component::controller:
      parts_->controller.controller_restarted();
      break;
    case faults::Component::rmt_switch:
      if (protection_.sequence != Sequence::off) {
        number_channels(parts_->desk.world, cache_, protection_.channels_per_server());
      }
      parts_->controller.switch_restarted();
      break;
  }
  return true;
}

bool Fletch::packets_were_lost() const {
  const auto& drops = parts_->desk.world.rmt_switch.counters().drops;
  return drops[static_cast<std::size_t>(pipeline::DropReason::queue_full)] != 0 ||
         drops[static_cast<std::size_t>(pipeline::DropReason::recirculation_limit)] != 0;
}

void Fletch::check_idle() const {
  if (packets_were_lost()) return;  // report() tells what they left behind
  const auto require = [](bool holds, const std::string& what) {
    if (!holds)
      throw sim::InvariantBroken(what + " when nothing is in flight and nothing was lost");
  };
  const std::uint64_t locks = locks_held(parts_->desk);
  require(locks == 0, "lock counters add up to " + std::to_string(locks));
  require(parts_->servers.waiting_now() == 0, "writes are kept back by servers");
  require(!parts_->controller.is_busy(), "the controller waits for an answer");
  const Audit found = audit(parts_->desk);
  require(found.unreadable == 0, "cached records are not readable");
  require(found.different == 0, "cached records are not what the servers hold");
  require(found.misplaced == 0, "the lookup tables are not what the controller has written");
}

/// Of all pipes together.
void report_room(const CacheDirectory& directory, ReplicationResult& result) {
  std::uint64_t used = 0;
  std::uint64_t slots = 0;
  std::uint64_t fragmented = 0;
  for (std::uint8_t pipe = 0; pipe < directory.pipes(); ++pipe) {
    const RowAllocator& rows = directory.rows(pipe);
    used += rows.rows_used();
    slots += rows.slots_used();
    fragmented += rows.slots_fragmented(Metadata::directory_slots);
  }
  result.summary.push_back(count_figure("cache/rows_used", used));
  result.summary.push_back(count_figure("cache/slots_used", slots));
  result.summary.push_back(count_figure("cache/slots_fragmented", fragmented));
  if (directory.pipes() == 1) return;
  result.summary.push_back(
      count_figure("cache/further_copies", directory.entries() - directory.paths()));
}

void Fletch::report_faults(ReplicationResult& result, const Audit& left) const {
  const auto add = [&result](const char* name, std::uint64_t value) {
    result.summary.push_back(count_figure(name, value));
  };
  const ControllerCounters& counted = parts_->desk.counters;
  if (parts_->servers.channels().are_used()) {
    add("cache/answers_sent_again", parts_->servers.channels().sent_again());
    add("cache/answers_repeated", parts_->servers.repeated_answers());
  }
  if (protection_.sweep) {
    add("controller/counters_reset", counted.counters_reset);
    add("controller/refreshes", counted.refreshes);
  }
  if (protection_.reliable_messages) {
    add("cache/outdated_records", left.different);
    add("cache/misplaced_records", left.misplaced);
  }
  const auto add_recoveries = [&result](const char* name, const Recoveries& recoveries) {
    if (recoveries.count > 0) result.summary.push_back({name, recoveries.mean_seconds()});
  };
  add_recoveries("recovery/server_s", parts_->servers.recoveries());
  if (parts_->servers.recoveries().count > 0) {
    add("recovery/changes_cut_short", parts_->servers.changes_cut_short());
  }
  add_recoveries("recovery/controller_s", parts_->desk.controller_recoveries);
  add_recoveries("recovery/switch_s", parts_->desk.switch_recoveries);
  if (parts_->mail.is_reliable()) add("controller/messages_sent_again", parts_->mail.sent_again());
}

void Fletch::report(ReplicationResult& result) const {
  const auto add = [&result](const char* name, std::uint64_t value) {
    result.summary.push_back(count_figure(name, value));
  };
  const ControllerCounters& counted = parts_->desk.counters;
  const Audit left = audit(parts_->desk);
  add("locks_leaked", locks_held(parts_->desk));
  add("cache/unreadable_records", left.unreadable);
  add("cache/writes_left_waiting", parts_->servers.waiting_now());
  add("lock_waits", parts_->servers.lock_waits());
  add("reads_turned_away", parts_->servers.reads_turned_away());
  if (cache_.write == WriteChoice::back) report_risk(parts_->at_risk, parts_->world, result);
  add("cache/bypassed", parts_->clients.bypassed());
  add("cache/preloaded_files", parts_->preloaded.files);
  add("cache/preloaded_entries", parts_->preloaded.entries);
  add("cache/left_out_files", parts_->preloaded.left_out);
  add("cache/entries", parts_->directory.entries());
  report_room(parts_->directory, result);
  add("cache/record_updates", parts_->servers.record_updates());
  add("cache/multi_path_writes", parts_->servers.multi_path_writes());
  add("cache/implied_changes", parts_->servers.implied_changes());
  add("cache/parked_writes", parts_->servers.parked_writes());
  add("cache/kept_answers", parts_->servers.kept_answers());
  report_faults(result, left);
  add("controller/admissions", counted.admissions);
  const auto admitted = static_cast<double>(std::max<std::uint64_t>(counted.admissions, 1));
  result.summary.push_back(
      {"controller/admission_mean_us", sim::as_microseconds(counted.admission_time) / admitted});
  add("controller/evictions", counted.evictions);
  add("controller/evictions_of_gone", counted.evictions_of_gone);
  add("controller/reports", counted.reports);
  add("controller/repeated_reports", counted.repeated_reports);
  add("controller/dropped_reports", counted.dropped_reports);
  add("controller/missing_paths", counted.missing_paths);
  add("controller/colder_newcomers", counted.colder_newcomers);
  result.summary.push_back(
      {"controller/reads_per_selection",
       static_cast<double>(counted.frequency_reads) /
           static_cast<double>(std::max<std::uint64_t>(counted.selections, 1))});
  add("controller/no_room", counted.no_room);
  add("controller/rows_reused_raised", counted.rows_reused_raised);
  add("controller/token_overflows", counted.token_overflows);
  report_tokens(parts_->desk, parts_->clients, result);
  result.summary.push_back(
      {"controller/stuck", parts_->controller.is_busy() ? 1.0 : 0.0, Figure::Kind::flag});
}

}  // namespace

std::unique_ptr<Scheme> make_fletch(const CacheSettings& cache,
                                    const ControllerSettings& controller,
                                    const NetworkSettings& network, const Topology& topology,
                                    Mutants mutants, const Protection& protection,
                                    const TokenSettings& tokens) {
  return std::make_unique<Fletch>(cache, controller, network, topology, level_locks(cache, mutants),
                                  mutants, protection, tokens);
}

std::unique_ptr<Scheme> make_single_lock(const CacheSettings& cache,
                                         const ControllerSettings& controller,
                                         const NetworkSettings& network, const Topology& topology,
                                         const Protection& protection,
                                         const TokenSettings& tokens) {
  return std::make_unique<Fletch>(cache, controller, network, topology, one_lock(cache), Mutants{},
                                  protection, tokens);
}

}  // namespace recirc::model::fletch
