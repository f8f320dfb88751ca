#include "model/server_config.h"

namespace recirc::model {

using sim::config::assumed;
using sim::config::FieldInfo;
using sim::config::fitted;
using sim::config::paper;
using sim::config::Visitor;
using workloads::OpKind;

namespace {

/// What differs between stores: means, and what is believed about them.
struct StoreFigures {
  std::uint32_t workers;
  sim::Duration service_time;
  double create, remove, rename;  ///< in reads
  sim::config::Provenance workers_from, service_from, create_from, remove_from, rename_from;
};

// Fletch+'s and CCache's servers are one thread that does both the network's and the store's work
// (Fletch prototype); HDFS has twenty threads in front of one handler.
constexpr StoreFigures hdfs_figures{
    20,
    sim::microseconds(43),
    1.2,
    1.95,
    18.0,
    paper("Fletch prototype: 20 threads a simulated server"),
    fitted("fletch.switch.over_nocache128"),
    assumed("an entry and an edit-log record", "0.6..2.4"),
    assumed("an entry, its blocks and an edit-log record", "1..3.9"),
    assumed("a lease and two directories", "5..50")};
constexpr StoreFigures rocksdb_figures{
    1,
    sim::nanoseconds(14'500),
    2.0,
    2.7,
    25.0,
    paper("Fletch prototype: one thread"),
    fitted("fletch.switch.over_ccache128 (13 us), fletch.gain16.fletch_below_ccache (15 us)",
           "13us..15us"),
    assumed("a read, a write and its log record", "1..4"),
    assumed("a read, a write and its log record, and the entry in its directory", "1.35..5.4"),
    assumed("reads and writes of two entries and two directories", "12.5..50")};

constexpr const StoreFigures& figures_of(Store store) {
  return store == Store::rocksdb ? rocksdb_figures : hdfs_figures;
}

}  // namespace

std::span<const sim::config::EnumName> names_of(Store /*store*/) {
  static constexpr sim::config::EnumName names[] = {
      {"hdfs", Store::hdfs, "one handler behind twenty front-end threads; 43 us a read"},
      {"rocksdb", Store::rocksdb, "one thread for network and store; 14.5 us a read"}};
  return names;
}

CostSettings::CostSettings(Store of) : store(of) {
  by_kind.fill(1.0);
  const auto set = [this](OpKind kind, double cost) {
    by_kind[static_cast<std::size_t>(kind)] = cost;
  };
  const StoreFigures& figures = figures_of(of);
  set(OpKind::create, figures.create);
  set(OpKind::mkdir, figures.create);
  set(OpKind::remove, figures.remove);
  set(OpKind::rmdir, figures.remove);
  set(OpKind::rename, figures.rename);
}

ServerSettings ServerSettings::of(Store store) {
  ServerSettings settings;
  settings.store = store;
  settings.workers = figures_of(store).workers;
  settings.service_time = figures_of(store).service_time;
  settings.costs = CostSettings(store);
  return settings;
}

ServerConfig ServerSettings::station() const {
  ServerConfig config;
  config.workers = workers;
  config.front_end_time = front_end_time;
  config.service_time = service_time;
  if (std::holds_alternative<ConstantLaw>(law)) config.law.kind = sim::LawKind::constant;
  if (const auto* lognormal = std::get_if<LognormalLaw>(&law)) {
    config.law = {sim::LawKind::lognormal, lognormal->sigma};
  }
  config.costs = costs.by_kind;
  config.existing_cost = costs.existing_cost;
  config.missing_cost = costs.missing_cost;
  config.dedupe = dedupe == Dedupe::on;
  config.receive_queue = receive_queue;
  return config;
}

void describe(Visitor& /*v*/, ExponentialLaw& /*c*/) {}
void describe(Visitor& /*v*/, ConstantLaw& /*c*/) {}

void describe(Visitor& v, LognormalLaw& c) {
  v.field("sigma", c.sigma,
          {.doc = "Standard deviation of the logarithm of a service time.",
           .from = assumed("no measured law is published", "0.3..1.5"),
           .min = 0.0,
           .max = 4.0});
}

void describe(Visitor& v, CostSettings& c) {
  constexpr double most = 1000.0;
  const StoreFigures& figures = figures_of(c.store);
  for (std::size_t k = 0; k < c.by_kind.size(); ++k) {
    const auto kind = static_cast<OpKind>(k);
    FieldInfo info{.doc = "Store time of this operation, in reads.", .min = 0.0, .max = most};
    info.from = assumed("one read is one; no cost of other operations is published", "0.5..2");
    if (kind == OpKind::rename) info.from = figures.rename_from;
    if (kind == OpKind::create || kind == OpKind::mkdir) info.from = figures.create_from;
    if (kind == OpKind::remove || kind == OpKind::rmdir) info.from = figures.remove_from;
    v.field(workloads::name_of(kind), c.by_kind[k], info);
  }
  v.field("existing", c.existing_cost,
          {.doc = "Store time of a create or mkdir of a path that exists, in reads.",
           .from = assumed("an existence check, as in the authors' load generator", "0.5..1.2"),
           .min = 0.0,
           .max = most});
  v.field("missing", c.missing_cost,
          {.doc = "Store time of an operation on a path that is gone, in reads; without it, what "
                  "the operation costs when it succeeds.",
           .from = assumed("the paper is silent", "1..the operation's own"),
           .min = 0.0,
           .max = most});
}

std::span<const sim::config::EnumName> names_of(Dedupe /*dedupe*/) {
  static constexpr sim::config::EnumName names[] = {
      {"off", Dedupe::off, "every copy of a request is carried out; the damage is counted"},
      {"on", Dedupe::on, "a copy is answered from memory"}};
  return names;
}

void describe(Visitor& v, ServerSettings& c) {
  const StoreFigures& figures = figures_of(c.store);
  v.field("store", c.store,
          {.doc = "What keeps a server's metadata. It sets the defaults of workers, service_time "
                  "and costs; without it, rocksdb where clients cache (ccache, fletch_plus) and "
                  "hdfs elsewhere.",
           .from = paper("Fletch §IX-A and prototype")});
  v.field("workers", c.workers,
          {.doc = "Front-end threads of a server; a request holds one until it is answered.",
           .from = figures.workers_from,
           .min = 1,
           .max = 65'536});
  v.field("front_end_time", c.front_end_time,
          {.doc = "Time a worker takes before it asks the store.",
           .from = assumed("counted in the network's host delay", "0us..10us"),
           .max = sim::seconds(1),
           .example = "2us"});
  v.field("service_time", c.service_time,
          {.doc = "Mean store time of a read: one HDFS handler does about 23,000 operations a "
                  "second, one RocksDB thread 65,000 to 75,000, its network work included.",
           .from = figures.service_from,
           .min = sim::nanoseconds(1),
           .max = sim::seconds(10),
           .example = "43us"});
  v.field("law", c.law,
          {.doc = "Law of the store's service times.",
           .from = assumed("the paper is silent", "constant..lognormal")});
  v.group("costs", c.costs, "Store time of each operation, in units of one read.");
  v.field(
      "dedupe", c.dedupe,
      {.doc = "Whether a server keeps the last request number of each client, so that a request "
              "that comes again is carried out once; matters only with /client/retransmit or "
              "/faults.",
       .from = assumed("the published text has none, and would undo writes", "off, on")});
  v.field(
      "ack_timeout", c.ack_timeout,
      {.doc = "A server sends a numbered answer (/cache/sequence) again when the switch has not "
              "acknowledged it for this time.",
       .from = paper("Fletch prototype: 10 ms"),
       .min = sim::microseconds(10),
       .max = sim::seconds(100),
       .example = "10ms"});
  v.count(
      "receive_queue", c.receive_queue,
      {.doc = "Requests that may wait for a worker; one that finds more is dropped. Matters only "
              "with /client/retransmit or /faults: else no more wait than clients have sent. "
              "Announcements of a client cache that find as much work waiting are dropped, too.",
       .from = assumed("twenty sockets of Linux's default size hold some 5,500 requests; the "
                       "default is met in overload only",
                       "256..65536"),
       .min = 1,
       .max = 10'000'000,
       .example = "16384",
       .limit = sim::config::LimitKind::metric});
}

}  // namespace recirc::model
