#include "model/rotation/rotation.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "model/rotation/estimate.h"
#include "workloads/selected_source.h"

namespace recirc::model::rotation {
namespace {

using Servers = std::vector<std::uint32_t>;

bool contains(const Servers& servers, ServerId server) {
  return std::find(servers.begin(), servers.end(), server.value()) != servers.end();
}

/// The operations of a part: those on paths of its servers.
class PartSource : public workloads::SelectedSource {
 public:
  PartSource(const Ground& ground, Servers servers, std::vector<std::uint64_t> chosen)
      : SelectedSource(ground.workload.source, std::move(chosen)),
        ground_(ground),
        servers_(std::move(servers)) {}

  [[nodiscard]] bool is_part() const override { return !whole().reaches_below(); }
  [[nodiscard]] bool concerns(workloads::PathId path) const override {
    return contains(servers_, ground_.ring.owner(ground_.workload.tree->key(path)));
  }

 protected:
  const Ground& ground_;

 private:
  Servers servers_;
};

/// The same with a cache that holds the hottest files of its own servers.
class OwnHottest final : public PartSource {
 public:
  using PartSource::PartSource;

  [[nodiscard]] std::vector<workloads::PathId> hottest(std::uint64_t n) const override {
    const std::uint64_t most = ground_.workload.tree->size();
    std::vector<workloads::PathId> own;
    for (std::uint64_t asked = n * ground_.ring.servers();; asked *= 2) {
      own.clear();
      for (const workloads::PathId path : whole().hottest(asked)) {
        if (own.size() == n) break;
        if (concerns(path)) own.push_back(path);
      }
      if (own.size() == n || asked >= most) return own;
    }
  }
};

/// Who answered the operations of a part.
class Tally final : public OpObserver {
 public:
  struct Answers {
    std::uint64_t by_server = 0;
    std::uint64_t by_switch = 0;
    std::uint64_t reads = 0;
    std::uint64_t hits = 0;  ///< reads that the switch answered; it may acknowledge writes, too
  };

  Tally(const workloads::Ring& ring, std::uint32_t rotated) : ring_(ring), rotated_(rotated) {}

  void happened(Moment moment, const Request& request, RequestHandle /*handle*/) override {
    if (moment != Moment::completed) return;
    Answers& answers = answers_[ring_.owner(request.key).value() == rotated_ ? 1 : 0];
    ++(request.answered_by_switch ? answers.by_switch : answers.by_server);
    if (!workloads::is_read(request.operation.kind)) return;
    ++answers.reads;
    if (request.answered_by_switch) ++answers.hits;
  }

  [[nodiscard]] const Answers& of_bottleneck() const { return answers_[0]; }
  [[nodiscard]] const Answers& of_rotated() const { return answers_[1]; }

 private:
  const workloads::Ring& ring_;
  std::uint32_t rotated_;
  std::array<Answers, 2> answers_{};
};

/// Each server of a part has a machine to itself (Fletch §IX-A), if there are machines enough.
void seat(Topology& topology, const Servers& servers) {
  const Topology::Site first = topology.servers.front();
  const Topology::Site second = topology.servers[topology.servers.size() > 1 ? 1 : 0];
  for (std::size_t i = 0; i < servers.size(); ++i) {
    const Topology::Site& machine = i == 0 ? first : second;
    topology.servers[servers[i]].port = machine.port;
    topology.servers[servers[i]].pipe = machine.pipe;
  }
}

/// Counts of the parts add up; a flag is true if it was true in any.
class Sums {
 public:
  void add(const ReplicationResult& part) {
    for (const Figure& figure : part.summary) {
      if (figure.kind == Figure::Kind::real) continue;
      const auto [at, fresh] = index_.emplace(figure.name, figures_.size());
      if (fresh) figures_.push_back({figure.name, 0, figure.kind});
      double& sum = figures_[at->second].value;
      sum = figure.kind == Figure::Kind::flag ? std::max(sum, figure.value) : sum + figure.value;
    }
  }
  [[nodiscard]] double of(const std::string& name) const {
    const auto at = index_.find(name);
    return at == index_.end() ? 0 : figures_[at->second].value;
  }
  [[nodiscard]] const std::vector<Figure>& figures() const { return figures_; }

 private:
  std::map<std::string, std::size_t> index_;
  std::vector<Figure> figures_;
};

double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

/// The parts of one replication, one after another.
class Parts {
 public:
  Parts(const Config& config, const Inputs& inputs, std::uint64_t replication, RunControl& control,
        std::string log_file)
      : config_(config),
        replication_(replication),
        log_file_(std::move(log_file)),
        control_(control),
        ground_(ground_of(config, inputs, replication)),
        assignment_(ground_) {
    ground_.start = std::make_shared<SharedStart>();
  }

  ReplicationResult solo() {
    for (std::uint32_t i = 0; i < assignment_.servers(); ++i) {
      if (!assignment_.of(i).empty()) play({i}, i);
    }
    ReplicationResult result;
    result.replication = replication_;
    add_common(result);
    return result;
  }

  ReplicationResult rotation() {
    const std::uint32_t b = assignment_.busiest();
    for (std::uint32_t i = 0; i < assignment_.servers(); ++i) {
      if (i != b && !assignment_.of(i).empty()) play({b, i}, i);
    }
    const Estimate estimated = estimate(rates_);
    ReplicationResult result;
    result.replication = replication_;
    result.summary.push_back({"throughput_ops_per_s", estimated.aggregate});
    add_common(result);
    result.summary.push_back({"rotation/unscaled_ops_per_s", estimated.unscaled});
    result.summary.push_back({"rotation/bottleneck_best_ops_per_s", estimated.best});
    result.summary.push_back({"rotation/bottleneck_hits_ops_per_s",
                              share(bottleneck_hit_rates_, static_cast<double>(rates_.size()))});
    result.summary.push_back(count_figure("rotation/bottleneck_overtaken", estimated.overtaken));
    return result;
  }

 private:
  /// `rotated`: the server of the part whose answers the others' are not.
  void play(const Servers& servers, std::uint32_t rotated) {
    Ground part = ground_;
    auto chosen = assignment_.of(servers);
    if (config_.run.rotation_cache == RotationCache::part) {
      part.workload.source = std::make_shared<OwnHottest>(ground_, servers, std::move(chosen));
    } else {
      part.workload.source = std::make_shared<PartSource>(ground_, servers, std::move(chosen));
    }
    seat(part.cabling.topology, servers);
    part.log_file = log_of_part(rotated);
    Simulation simulation(config_, std::move(part), replication_);
    Tally tally(ground_.ring, rotated);
    simulation.observe(&tally);
    simulation.run(control_);
    sums_.add(simulation.result());
    time_lost_ += simulation.client_time_lost();
    count(tally, sim::as_seconds(simulation.tracker().length()));
  }

  [[nodiscard]] std::string log_of_part(std::uint32_t server) const {
    if (log_file_.empty()) return {};
    const std::filesystem::path file(log_file_);
    return (file.parent_path() /
            (file.stem().string() + "-s" + std::to_string(server) + file.extension().string()))
        .string();
  }

  void count(const Tally& tally, double seconds) {
    ++parts_;
    const Tally::Answers& b = tally.of_bottleneck();
    const Tally::Answers& i = tally.of_rotated();
    hits_ += static_cast<double>(i.hits);
    reads_ += static_cast<double>(i.reads);
    bottleneck_hits_ += static_cast<double>(b.hits);
    bottleneck_reads_ += static_cast<double>(b.reads);
    const auto rate = [&](std::uint64_t n) { return share(static_cast<double>(n), seconds); };
    rates_.push_back({rate(b.by_server), rate(i.by_server), rate(i.by_switch)});
    bottleneck_hit_rates_ += rate(b.by_switch);
  }

  void add_common(ReplicationResult& result) const {
    // What the bottleneck server is asked for is replayed in every part but belongs in once.
    const double parts = std::max(1.0, static_cast<double>(parts_));
    result.summary.push_back({"switch_hit_ratio", share(hits_ + bottleneck_hits_ / parts,
                                                        reads_ + bottleneck_reads_ / parts)});
    const double looped = sums_.of("switch/recirculated_frames") + sums_.of("switch/cable_frames");
    result.summary.push_back({"recirculations_per_op", share(looped, sums_.of("ops_completed"))});
    for (const Figure& figure : sums_.figures()) result.summary.push_back(figure);
    result.summary.push_back({"client_time_lost", time_lost_ / parts});
    result.summary.push_back(count_figure("rotation/parts", parts_));
  }

  const Config& config_;
  std::uint64_t replication_;
  std::string log_file_;
  RunControl& control_;
  Ground ground_;
  Assignment assignment_;
  Sums sums_;
  std::vector<Rates> rates_;
  std::size_t parts_ = 0;
  double time_lost_ = 0;
  double hits_ = 0;
  double reads_ = 0;
  double bottleneck_hits_ = 0;
  double bottleneck_reads_ = 0;
  double bottleneck_hit_rates_ = 0;
};

}  // namespace

Assignment::Assignment(const Ground& ground) : of_(ground.ring.servers()) {
  const workloads::OpSource& source = *ground.workload.source;
  for (std::uint64_t i = 0; i < source.size(); ++i) {
    const workloads::Key key = ground.workload.tree->key(source.at(i).path);
    of_[ground.ring.owner(key).value()].push_back(i);
  }
}

std::uint32_t Assignment::busiest() const {
  const auto most = std::max_element(
      of_.begin(), of_.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  return static_cast<std::uint32_t>(most - of_.begin());
}

std::vector<std::uint64_t> Assignment::of(const Servers& servers) const {
  std::vector<std::uint64_t> all;
  for (const std::uint32_t server : servers) {
    const auto middle = static_cast<std::ptrdiff_t>(all.size());
    all.insert(all.end(), of_[server].begin(), of_[server].end());
    std::inplace_merge(all.begin(), all.begin() + middle, all.end());
  }
  return all;
}

std::uint64_t about_operations(const Config& config, std::uint64_t operations) {
  if (config.run.method != Method::rotation) return operations;
  // Its keys' share with the spread of 100 virtual nodes, and a hottest file's 2 % at s = 0.9.
  const double servers = config.cluster.servers;
  const double busiest = 1.2 / servers + 0.0195;
  return static_cast<std::uint64_t>(static_cast<double>(operations) *
                                    (1 + (servers - 2) * std::min(busiest, 1.0)));
}

ReplicationResult run_parts(const Config& config, const Inputs& inputs, std::uint64_t replication,
                            RunControl& control, const std::string& log_file) {
  Parts parts(config, inputs, replication, control, log_file);
  return config.run.method == Method::solo ? parts.solo() : parts.rotation();
}

}  // namespace recirc::model::rotation
