#include "model/config.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "model/page_systems.h"
#include "model/systems.h"
#include "sim/units.h"
#include "workloads/ring.h"

namespace recirc::model {

using sim::config::assumed;
using sim::config::paper;
using sim::config::Visitor;

void describe(Visitor& v, RetransmitSettings& c) {
  v.field("timeout", c.timeout,
          {.doc = "A client sends its request again when no answer has come for this time.",
           .from = assumed("the paper names none; above the servers' 10 ms for their answers",
                           "1ms..5s"),
           .min = sim::microseconds(1),
           .max = sim::seconds(3600),
           .example = "20ms"});
  v.field("tries", c.tries,
          {.doc = "It gives up when it has sent it this often; /client/timeout is not used then.",
           .from = assumed("the paper names none", "2..1000"),
           .min = 1,
           .max = 1'000'000,
           .limit = sim::config::LimitKind::metric});
}

std::uint32_t clients_of(const Config& config) {
  const bool joint = config.run.method == Method::joint;
  return config.cluster.clients.value_or(joint ? config.cluster.servers *
                                                     ClusterSettings::clients_per_server
                                               : ClusterSettings::clients_in_rotation);
}

void describe(Visitor& v, ClientSettings& c) {
  v.field("timeout", c.timeout,
          {.doc = "A client gives up on a request after this time; the operation has failed.",
           .from = paper("Fletch prototype: 5 s"),
           .min = sim::microseconds(1),
           .max = sim::seconds(3600),
           .example = "5s",
           .limit = sim::config::LimitKind::metric});
  v.group("retransmit", c.retransmit,
          "Without it, a client sends its request once and waits for /client/timeout.");
  v.field("unknown_token", c.unknown_token,
          {.doc = "What a client sends for a path that it has heard no token of.",
           .from = assumed("the paper does not say", "first..none")});
  v.field("token_expiry", c.token_expiry,
          {.doc = "A client forgets a path's token this long after it heard of it.",
           .from = paper("Fletch §VI: e.g. one hour"),
           .min = sim::microseconds(1),
           .max = sim::seconds(360'000),
           .example = "3600s"});
}

void describe(Visitor& v, RunSettings& c) {
  v.field("method", c.method,
          {.doc = "Whether all servers run at once or in turn; the paper's throughputs come from a "
                  "rotation.",
           .from = paper("Fletch §IX-A; all at once is what its rotation stands for")});
  v.field("rotation_cache", c.rotation_cache,
          {.doc = "Which files /cache/files counts in a rotation or solo run.",
           .from = assumed("the 5,000 hottest of the workload, as §IX-A reads; a cache of each "
                           "part's own would explain higher recirculation counts",
                           "workload..part")});
  v.field("seed", c.seed, {.doc = "Seed of every random number of the run."});
  v.field("replications", c.replications,
          {.doc = "Independent repetitions; intervals are over their means.",
           .from = paper("Fletch §IX-A: five runs, Student's t"),
           .min = 1,
           .max = 10'000});
  v.field(
      "series_window", c.series_window,
      {.doc = "Report throughput, latency and hit ratio over time, too, a value for each window "
              "of this length; the first million windows.",
       .min = sim::microseconds(10),
       .max = sim::seconds(86'400),
       .example = "1s"});
}

void describe(Visitor& v, Config& c) {
  v.field("system", c.system,
          {.doc = "The scheme that serves metadata.",
           .allowed = every_system_name(),
           .required = true});
  v.group("workload", c.workload, "What the clients ask for.");
  v.group("cluster", c.cluster, "Clients, servers and the ring that joins them.");
  v.group("client", c.client, "What a client does beside asking.");
  v.group("client_cache", c.client_cache,
          "Each client's cache of directory permissions; systems without one ignore it.");
  v.group("server", c.server, "One metadata server.");
  v.group("network", c.network, "Links between machines and switch.");
  v.group("switch", c.rmt_switch, "The programmable switch.");
  v.group("cache", c.cache, "The switch's metadata cache; systems without one ignore it.");
  v.group("controller", c.controller, "The cache's controller; likewise.");
  v.group("netcache", c.netcache, "What system netcache has beside these two.");
  v.group("faults", c.faults, "What goes wrong: nothing by default.");
  v.group("run", c.run, "Seed and replications.");
}

namespace {

/// A packet that has looked a path up in ingress may wait in a full queue before egress uses the
/// path's row. The row must not be another path's by then.
void check_grace(const Config& c, sim::config::Issues& issues) {
  const sim::BitsPerSecond slowest =
      std::min({c.network.client_rate, c.network.server_rate,
                pipeline::chip_of(c.rmt_switch.chip).recirculation_rate});
  const sim::Duration longest = sim::Serializer{slowest}.time_of(c.rmt_switch.queue);
  if (c.controller.grace > longest) return;
  const auto whole_us = longest.count() / sim::microseconds(1).count() + 1;
  issues.add("/controller/grace",
             "is not longer than a packet may wait in a queue of /switch/queue bytes, " +
                 std::to_string(whole_us) + " us at the slowest port",
             "wait longer, or shorten the queue");
}

/// A rate or recorded times belong to all servers at once.
void check_method(const Config& c, sim::config::Issues& issues) {
  if (c.run.method == Method::joint) return;
  if (c.run.method == Method::rotation && c.cluster.servers < 2) {
    issues.add("/run/method", "a rotation needs two servers", "write \"joint\"");
  }
  const auto& arrival = c.workload.arrival;
  if (std::holds_alternative<workloads::OpenArrival>(arrival) ||
      std::holds_alternative<workloads::RecordedArrival>(arrival)) {
    issues.add("/workload/arrival", "comes at the rate of all servers, but they run in turn",
               "\"closed\" or \"paced\" clients, or /run/method joint");
  }
  const auto joint_only = [&issues](bool given, const char* pointer, const char* why) {
    if (given) issues.add(pointer, why, "use /run/method joint");
  };
  joint_only(c.workload.duration.has_value(), "/workload/duration",
             "ends all servers together, but they run in turn");
  joint_only(std::holds_alternative<workloads::HotInPopularity>(c.workload.popularity),
             "/workload/popularity", "changes over a time that servers in turn do not share");
  joint_only(c.run.series_window.has_value(), "/run/series_window",
             "asks for results over time, but the servers run in turn");
}

/// A layout of each replication's own leaves no use for the seeds of a fixed one.
void check_layout(const Config& c, sim::config::Issues& issues) {
  if (c.workload.layout == workloads::Layout::fixed) return;
  if (c.cluster.ring.seed != RingSettings{}.seed) {
    issues.add("/cluster/ring/seed", "is not used: /workload/layout is per_replication",
               "leave out one of the two");
  }
}

/// What is down cannot go down.
void check_overlap(const std::vector<faults::CrashSettings>& crashes, std::size_t i,
                   const std::string& pointer, sim::config::Issues& issues) {
  const faults::CrashSettings& crash = crashes[i];
  for (std::size_t j = 0; j < crashes.size(); ++j) {
    const faults::CrashSettings& other = crashes[j];
    const bool same =
        j != i && other.component == crash.component &&
        (crash.component != faults::Component::server || other.server == crash.server);
    const bool during = crash.at > other.at || (crash.at == other.at && i > j);
    if (same && during && crash.at - other.at <= other.down_for) {
      issues.add(pointer + "/at", "it is down then, by /faults/crashes/" + std::to_string(j),
                 "crash it again after it is up; its recovery need not be over");
      return;
    }
  }
}

void check_crashes(const Config& c, sim::config::Issues& issues) {
  for (std::size_t i = 0; i < c.faults.crashes.size(); ++i) {
    const faults::CrashSettings& crash = c.faults.crashes[i];
    const std::string pointer = "/faults/crashes/" + std::to_string(i);
    const System* system = find_system(c.system);
    const bool has_log = system != nullptr && system->has_log;
    check_overlap(c.faults.crashes, i, pointer, issues);
    if (crash.component == faults::Component::server) {
      if (crash.server >= c.cluster.servers) {
        issues.add(pointer + "/server", "there is no such server");
      }
    } else if (!has_log && !(system != nullptr && system->caches_in_switch)) {
      issues.add(pointer + "/component", "is not modelled for system " + c.system,
                 "it has no controller, and its switch no state");
    }
  }
}

}  // namespace

Config defaults_of(std::string_view system) {
  Config config;
  const System* known = find_system(system);
  if (known != nullptr && known->set_defaults != nullptr) known->set_defaults(config);
  return config;
}

Config read_config(const sim::config::Document& document) {
  Config defaults = defaults_of(document.text_at("/system"));
  const std::string store = document.text_at("/server/store");
  for (const sim::config::EnumName& known : names_of(Store{})) {
    if (known.name != store) continue;
    defaults.server = ServerSettings::of(static_cast<Store>(known.value));
  }
  return sim::config::read<Config>(document, std::move(defaults));
}

namespace {

/// Messages between servers and controller that nobody sends again would leave paths blocked.
void check_faults(const Config& c, sim::config::Issues& issues) {
  const System* system = find_system(c.system);
  if (system == nullptr || !system->caches_in_switch || system->has_log || !c.faults.any()) return;
  issues.add("/faults", "system " + c.system + " knows no lost messages and no crashes",
             "leave it out");
}

/// What is repeated before it can have been answered comes faster than it is served, for ever.
void check_repetitions(const Config& c, sim::config::Issues& issues) {
  const sim::Duration read = c.server.front_end_time + c.server.service_time;
  if (c.client.retransmit && c.client.retransmit->timeout <= read) {
    issues.add("/client/retransmit/timeout",
               "is over before a server has answered one read, so every request comes again",
               "wait longer than /server/service_time, some hundred times as long");
  }
  if (c.system != "ccache" && c.system != "fletch_plus") return;
  const auto telling = static_cast<std::int64_t>(
      static_cast<double>(c.server.service_time.count()) * c.client_cache.announcement_cost);
  if (c.client_cache.announce_again <= sim::Duration{telling}) {
    issues.add("/client_cache/announce_again",
               "is over before a server has taken in one announcement",
               "wait longer than /client_cache/announcement_cost reads take");
  }
}

void check_write_back(const Config& c, sim::config::Issues& issues) {
  if (c.cache.write == fletch::WriteChoice::through) return;
  if (c.faults.any() || c.client.retransmit) {
    issues.add("/cache/write", "knows no lost messages: `back` counts what a crash would lose",
               "leave out /faults and /client/retransmit");
  }
  if (c.system != "fletch" && c.system != "single_lock") {
    issues.add("/cache/write", "`back` is for systems fletch and single_lock");
  }
}

/// Servers on several pipes (decision 61).
void check_server_pipes(const Config& c, sim::config::Issues& issues) {
  const std::uint32_t pipes = c.rmt_switch.server_pipes;
  if (pipes == 1) return;
  constexpr const char* pointer = "/switch/server_pipes";
  const std::uint32_t machines = std::min(c.cluster.server_machines, c.cluster.servers);
  if (machines < pipes) {
    issues.add(pointer, "are more than there are machines of servers to be on them",
               "more /cluster/server_machines and /cluster/servers");
  }
  // With the servers' first pipe the controller's port and a cable to each other pipe; with the
  // last one, if the chip has no more, the clients.
  const pipeline::ChipSpec chip = pipeline::chip_of(c.rmt_switch.chip);
  const std::uint32_t most = (c.cluster.server_machines + pipes - 1) / pipes;
  const bool shared = pipes == chip.pipes;
  const std::uint32_t with_clients = shared ? c.cluster.client_machines + most + 1 : 0;
  if (std::max(most + 1 + pipes, with_clients) > chip.front_ports) {
    issues.add(pointer,
               "together with machines and cables take more than the " +
                   std::to_string(chip.front_ports) + " ports of a pipe",
               "fewer machines");
  }
  if (c.system == "netcache") {
    issues.add(pointer, "system netcache is modelled for one pipe of servers");
  }
  if (c.cache.write == fletch::WriteChoice::back) {
    issues.add(pointer, "copies of a record cannot be written back",
               "/cache/write \"through\", or one pipe");
  }
}

}  // namespace

void validate(const Config& c, sim::config::Issues& issues) {
  const std::uint64_t endpoints = std::uint64_t{c.cluster.client_machines} + c.cluster.servers + 1;
  if (endpoints > 65'000) issues.add("/cluster/servers", "too many endpoints for 16-bit addresses");
  const System* system = find_system(c.system);
  if (system == nullptr) issues.add("/system", "is no metadata service");
  if (system != nullptr && system->caches_in_switch) check_grace(c, issues);
  check_method(c, issues);
  check_write_back(c, issues);
  check_repetitions(c, issues);
  check_server_pipes(c, issues);
  if (c.cache.key_bits < 64 && c.client.unknown_token == fletch::UnknownToken::first) {
    issues.add("/client/unknown_token",
               "keys of fewer than 64 bits collide, and the first token may be another path's",
               "\"none\"");
  }
  if (std::uint64_t{c.cluster.servers} * c.cluster.ring.vnodes > workloads::Ring::most_nodes) {
    issues.add("/cluster/ring/vnodes", "together the servers have more than 2^24 virtual nodes");
  }
  check_layout(c, issues);
  check_crashes(c, issues);
  check_faults(c, issues);
  const pipeline::ChipSpec chip = pipeline::chip_of(c.rmt_switch.chip);
  const auto check_rate = [&](const char* pointer, sim::BitsPerSecond rate) {
    if (rate > chip.port_rate) issues.add(pointer, "is faster than the ports of " + chip.name);
  };
  check_rate("/network/client_rate", c.network.client_rate);
  check_rate("/network/server_rate", c.network.server_rate);
}

}  // namespace recirc::model
