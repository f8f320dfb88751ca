#include "model/fletch/scheme.h"

#include <optional>
#include <utility>

#include "model/fletch/parts.h"
#include "model/fletch/records.h"
#include "model/fletch/report.h"
#include "pipeline/programs/fletch/program.h"
#include "pipeline/switch.h"

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
  void report(ReplicationResult& result) const override {
    fletch::report(*parts_, cache_, protection_, result);
  }
  void check_idle() const override { fletch::check_idle(*parts_); }

 private:
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
