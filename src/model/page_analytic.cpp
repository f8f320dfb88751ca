#include "model/page_analytic.h"

#include <Eigen/Dense>
#include <algorithm>
#include <initializer_list>
#include <variant>

#include "model/page_config.h"

namespace recirc::model {
namespace {

using pipeline::programs::directory::ConflictPolicy;
using pipeline::programs::directory::GrantPolicy;

/// What messages and steps take without queues, in microseconds.
struct Times {
  explicit Times(const PageConfig& config) : node(config.node), settings(config.callosal) {
    const pipeline::ChipSpec& chip = pipeline::chip_of(config.rmt_switch.chip);
    constexpr double page_bits = 4170 * 8;
    wire = sim::as_microseconds(settings.host_delay);
    pass = sim::as_microseconds(pipeline::ChipTiming(chip).pass());
    page_on_wire = page_bits / static_cast<double>(chip.port_rate.count()) * 1e6;
    post = sim::as_microseconds(settings.post);
    install = sim::as_microseconds(settings.install);
    write = sim::as_microseconds(node.write_hit);
    read = sim::as_microseconds(node.read_hit + settings.version_check);
    // A page's reference count was last written by another core, but for one time in so many.
    const double threads = config.cluster.threads;
    read += 2 * sim::as_microseconds(node.line_transfer) * (threads - 1) / threads;
    next_thread = sim::as_microseconds(node.lock_handoff);
    blade = sim::as_microseconds(settings.blade_read);
    const auto card = static_cast<double>(settings.blade_bandwidth.count());
    at_blade =
        std::max(static_cast<double>(workloads::page_size.count()) * 8 / card * 1e6, page_on_wire);
  }
  /// The handler, with so many pages of a region in the cache.
  [[nodiscard]] double handler(double pages) const {
    return sim::as_microseconds(settings.pick_up) +
           std::max(pages, 1.0) * sim::as_microseconds(settings.serve);
  }
  /// From a request's leaving to the knowledge of whoever has to give up.
  [[nodiscard]] double request() const { return wire + 2 * pass + wire; }
  /// From a handler's end to the page's and the grant's arrival.
  [[nodiscard]] double page() const {
    const double data = wire + page_on_wire + pass + page_on_wire + wire;
    const double grant = wire + page_on_wire + 2 * pass + wire;
    return settings.grant == GrantPolicy::wait_all ? std::max(data, grant) : data;
  }
  /// A page from memory, but for the blade itself.
  [[nodiscard]] double memory() const {
    return post + 4 * wire + 4 * pass + 2 * page_on_wire + install;
  }
  [[nodiscard]] double back_off() const {
    if (settings.conflict == ConflictPolicy::queue) return pass;
    return sim::as_microseconds(settings.back_off) +
           sim::as_microseconds(settings.back_off_jitter) / 2 + post + request();
  }

  const pages::NodeSettings& node;
  const callosal::CallosalSettings& settings;
  double wire, pass, page_on_wire, post, install, write, read, next_thread, blade;
  double at_blade;  ///< between two pages of a blade that is never idle: its card, or its link
};

double one_page(const PageConfig& config) {
  const Times t(config);
  if (config.cluster.nodes == 1) return 1e6 / (t.write + t.next_thread);
  const double batch = std::min(config.callosal.local_batch, config.cluster.threads);
  const double of_page = t.page() + t.install + t.write + t.handler(1);
  const double of_request = config.callosal.conflict == ConflictPolicy::queue
                                ? t.wire + 5 * t.pass + t.wire + t.handler(1)
                                : t.next_thread + t.post + t.request() + t.handler(1);
  const double cycle = std::max(of_page, of_request) + (batch - 1) * (t.write + t.next_thread);
  return batch / cycle * 1e6;
}

/// The shares of time that a chain spends in its states; rates[i][j] from i to j.
template <int states>
Eigen::Matrix<double, states, 1> stationary(const Eigen::Matrix<double, states, states>& rates) {
  Eigen::Matrix<double, states, states> balance = rates.transpose();
  for (int i = 0; i < states; ++i) balance(i, i) -= rates.row(i).sum();
  Eigen::Matrix<double, states, 1> right = Eigen::Matrix<double, states, 1>::Zero();
  balance.row(states - 1).setOnes();
  right(states - 1) = 1;
  return balance.fullPivLu().solve(right);
}

/// What an operation on the store needs in the mean, if nothing takes any time. A region is written
/// by one node, as the parts of the keys are runs of them.
struct Needs {
  Needs(double nodes, double region, double writes) : pages(region) {
    const double reads = 1 - writes;
    // Of a node's own region: modified, or shared since another node has read a page of it.
    Eigen::Matrix2d own = Eigen::Matrix2d::Zero();
    own(0, 1) = (nodes - 1) * reads * region;
    own(1, 0) = nodes * writes * region;
    const double shared = nodes == 1 ? 0 : stationary<2>(own)(1);
    upgrade = writes * shared;
    if (nodes == 1) return;
    // Of a page of another's: here and shared, not here and shared, modified there.
    Eigen::Matrix3d other = Eigen::Matrix3d::Zero();
    other(0, 2) = other(1, 2) = nodes * writes * region;
    other(1, 0) = other(2, 0) = reads;
    other(2, 1) = reads * (region - 1) + (nodes - 2) * reads * region;
    const Eigen::Vector3d share = stationary<3>(other);
    const double of_others = reads * (nodes - 1) / nodes;
    fetch = of_others * share(1);
    hand_off = of_others * share(2);
    here = share(0) / (share(0) + share(1));
    double none = 1;
    for (double page = 0; page < region; ++page) none *= 1 - here;
    sharers = (nodes - 1) * (1 - none);
  }

  double pages;
  double fetch = 0;     ///< reads that get a page from memory
  double hand_off = 0;  ///< those that get it from its writer
  double upgrade = 0;   ///< writes that take it from the others
  double here = 1;      ///< share of a shared region's pages that a node has
  double sharers = 0;   ///< other nodes that have some of it
};

/// Mean time of an operation when all together make so many a microsecond; below 0: more than there
/// is time for.
class StoreTime {
 public:
  StoreTime(const PageConfig& config, const Needs& needs, double pages)
      : t_(config),
        needs_(needs),
        nodes_(config.cluster.nodes),
        blades_(config.callosal.blades),
        pages_(pages),
        writes_(std::get<workloads::KeyValueBenchmark>(config.workload.benchmark).write_ratio) {}

  [[nodiscard]] double at(double rate) const {
    const double at_writer = t_.handler(needs_.pages);
    const double at_sharer = t_.handler(needs_.pages * needs_.here);
    const double handled =
        needs_.hand_off * at_writer + needs_.upgrade * needs_.sharers * at_sharer;
    const double fetches = needs_.fetch + needs_.upgrade;
    const double in_line = queued(t_.at_blade, rate * fetches * t_.at_blade / blades_);
    const double busy = rate * handled / nodes_;
    const double writer = queued(at_writer, busy);
    const double sharer = queued(at_sharer, busy);
    if (in_line < 0 || writer < 0) return -1;
    const double blade = t_.blade + in_line - t_.at_blade;
    const double hand_off = t_.post + t_.request() + writer + t_.page() + t_.install;
    const double taken = t_.request() + sharer + t_.wire + 2 * t_.pass + t_.wire;
    const double upgrade = std::max(t_.memory() + blade, t_.post + taken + t_.install);
    const double written = writes_ * t_.write + needs_.upgrade * upgrade;  // an operation's share
    const double locked = queued(written, rate / nodes_ * written, 1);
    if (locked < 0) return -1;
    const double transitions = needs_.hand_off + needs_.upgrade;
    const double meets = rate * (nodes_ - 1) / nodes_ * needs_.pages / pages_ * at_writer;
    return (1 - writes_) * t_.read + needs_.fetch * (t_.memory() + blade) +
           needs_.hand_off * hand_off + locked + transitions * meets * t_.back_off();
  }

 private:
  /// Pollaczek and Khinchine; `variation` is the squared coefficient of the service time.
  static double queued(double service, double busy, double variation = 0) {
    return busy < 1 ? service * (1 + (1 + variation) / 2 * busy / (1 - busy)) : -1;
  }

  Times t_;
  Needs needs_;
  double nodes_, blades_, pages_, writes_;
};

double store(const PageConfig& config, const workloads::KeyValueBenchmark& benchmark) {
  const double per_page = 4096 / benchmark.value_bytes;  // whole values
  const double pages = std::max(static_cast<double>(benchmark.keys) / per_page, 1.0);
  const double nodes = config.cluster.nodes;
  const StoreTime time(config, Needs(nodes, config.callosal.region_pages, benchmark.write_ratio),
                       pages);
  const double threads = nodes * config.cluster.threads;
  // rate * time grows with the rate: halve the interval in which it becomes the number of threads.
  double low = 0;
  double high = 1e3 * threads;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    const double mean = time.at(middle);
    (mean >= 0 && middle * mean < threads ? low : high) = middle;
  }
  return low * 1e6;
}

}  // namespace

std::optional<double> analytic_throughput(const PageConfig& config) {
  if (config.system != "callosal" || config.callosal.cache_pages != 0) return std::nullopt;
  if (!std::holds_alternative<callosal::StaticRegions>(config.callosal.splitting)) {
    return std::nullopt;
  }
  const workloads::PageBenchmark& benchmark = config.workload.benchmark;
  if (std::holds_alternative<workloads::Dwoh>(benchmark)) return one_page(config);
  const auto* const keys = std::get_if<workloads::KeyValueBenchmark>(&benchmark);
  if (keys == nullptr || keys->zipf != 0) return std::nullopt;
  return store(config, *keys);
}

}  // namespace recirc::model
