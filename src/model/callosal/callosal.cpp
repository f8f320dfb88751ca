#include "model/callosal/callosal.h"

#include <algorithm>
#include <utility>

#include "pipeline/programs/directory/layout.h"
#include "pipeline/programs/directory/regions.h"
#include "sim/error.h"

namespace recirc::model::callosal {

namespace directory = pipeline::programs::directory;
using pages::NodeId;
using pages::WorkerId;

namespace {

/// Ethernet, IPv4 and UDP headers, RDMA transport headers, and what is behind them.
constexpr sim::Bytes control_frame{90};
constexpr sim::Bytes page_frame = sim::Bytes{74} + workloads::page_size;

NetworkSettings network_of(const CallosalSettings& settings, const SwitchSettings& rmt_switch) {
  NetworkSettings network;
  network.client_rate = network.server_rate = pipeline::chip_of(rmt_switch.chip).port_rate;
  network.host_delay = settings.host_delay;
  network.propagation = {};
  return network;
}

}  // namespace

Callosal::Callosal(const pages::PageWorld& world, const CallosalSettings& settings,
                   const SwitchSettings& rmt_switch)
    : world_(world),
      settings_(settings),
      network_(network_of(settings, rmt_switch)),
      rack_(make_rack(settings, rmt_switch, world.nodes.nodes, world.rng.stream("switch").next())),
      fabric_(world.scheduler, network_, rack_.topology),
      transport_(world.scheduler, settings_, world.nodes.nodes, world.rng.stream("callosal/links"),
                 fabric_, *this),
      switch_(world.scheduler, rack_.rmt_switch, {rack_.program.get()}, fabric_),
      control_plane_(world, switch_, rmt_switch.control, settings),
      repairs_(world.scheduler, control_plane_, *this),
      outages_(world.scheduler, settings_.faults.crashes, *this),
      up_since_(world.nodes.nodes) {
  fabric_.connect(switch_);
  fabric_.keep_payloads_with(*this);
  Blade::Reader& reader = *this;
  for (std::uint32_t node = 0; node < world.nodes.nodes; ++node) {
    nodes_.push_back(make_node(NodeId{static_cast<NodeId::rep>(node)}));
    fabric_.connect(rack_.topology.client_machines[node].endpoint, *this);
  }
  if (const StoreSpec* spec = spec_of(settings_.store)) store_.emplace(world.scheduler, *spec);
  const auto* absent = settings_.initial_pages == InitialPages::absent ? &world_.files : nullptr;
  const Card card{settings_.blade_read, settings_.blade_bandwidth};
  for (std::uint32_t blade = 0; blade < settings.blades; ++blade) {
    blades_.push_back(std::make_unique<Blade>(world.scheduler, blade, card, reader,
                                              store_ ? &*store_ : nullptr, absent,
                                              settings_.write_back ? &durability_ : nullptr));
    fabric_.connect(rack_.topology.servers[blade].endpoint, *this);
  }
  control_plane_.map();
  place_pages();
  outages_.start();
}

/// As home_of() says: the lowest bits of the file and of the region, in all combinations. The
/// program needs no hash for that, and the table has room for the 64 of eight blades.
void Callosal::place_pages() {
  const std::uint32_t blades = settings_.blades;
  for (std::uint64_t file = 0; file < blades; ++file) {
    for (std::uint64_t region = 0; region < blades; ++region) {
      pipeline::MaskedEntry range;
      range.value.key = file << 32U | region << directory::most_region_bits;
      range.mask = std::uint64_t{blades - 1} << 32U;
      range.mask |= std::uint64_t{blades - 1} << directory::most_region_bits;
      range.result = rack_.topology.servers[home_of(range.value.key, blades)].endpoint.value();
      switch_.table(tag, directory::translate_table).insert(range);
    }
  }
}

void Callosal::call(WorkerId worker) { nodes_[world_.workers.node(worker).value()]->call(worker); }

Callosal::Header Callosal::header_of(Kind kind, NodeId node, PageNumber page, NodeId requester) {
  Header header;
  header.kind = kind;
  header.node = static_cast<std::uint8_t>(node.value());
  header.requester = requester.value();
  header.page = page;
  return header;
}

/// Nobody is addressed: the switch knows.
void Callosal::send(EndpointId from, const Header& header, const Content* data) {
  Message message;
  message.from = from;
  message.to = EndpointId{header.addresses.destination};
  message.length = data == nullptr ? control_frame : page_frame;
  if (data != nullptr) {
    message.payload = payloads_.take();
    payloads_[message.payload] = *data;
  }
  message.header.set(header);
  transport_.send(message);
}

void Callosal::ask(NodeId node, PageNumber page, bool to_write, std::uint16_t ask) {
  provide(page);
  hand_offs_.asked(node, page, world_.scheduler.now());
  Header header = header_of(to_write ? Kind::write_request : Kind::read_request, node, page, node);
  header.ask = ask;
  send(EndpointId{node.value()}, header, nullptr);
}

/// Files grow, and inodes are there when somebody wants them.
void Callosal::provide(PageNumber page) {
  const std::uint32_t size = world_.files[file_of(page).value()].pages;
  if (!is_inode(page)) {
    if (static_cast<std::uint32_t>(page) >= size) control_plane_.provide(page);
  } else if (control_plane_.provide_inode(page, world_.nodes.nodes)) {
    blades_[home_of(page, settings_.blades)]->preload(page, {0, size});
  }
}

void Callosal::push(NodeId node, const Invalidation& invalidation, const Content* data) {
  if (data != nullptr) {
    hand_offs_.sent(node, invalidation.requester, invalidation.page, world_.scheduler.now());
  }
  send(EndpointId{node.value()},
       answer_of(data == nullptr ? Kind::dummy : Kind::data, node, invalidation), data);
}

/// To an invalidation.
Callosal::Header Callosal::answer_of(Kind kind, NodeId node, const Invalidation& invalidation) {
  Header header = header_of(kind, node, invalidation.page, invalidation.requester);
  header.ask = invalidation.ask;
  header.round = invalidation.round;
  return header;
}

void Callosal::put_back(NodeId node, PageNumber page, const Content& data, std::uint8_t round) {
  Header header = header_of(Kind::passthrough, node, page, node);
  header.round = round;
  send(EndpointId{node.value()}, header, &data);
}

void Callosal::gave_up(NodeId node, const Invalidation& invalidation) {
  send(EndpointId{node.value()}, answer_of(Kind::fin_ack, node, invalidation), nullptr);
}

void Callosal::evict(NodeId node, PageNumber page, std::uint8_t region_bits, std::uint8_t round) {
  Header header = header_of(Kind::evict, node, page, node);
  header.region_bits = region_bits;
  header.round = round;
  send(EndpointId{node.value()}, header, nullptr);
}

/// A page of the file for each blade to be asked by.
void Callosal::sync(NodeId node, pages::FileId file, std::uint32_t number) {
  for (std::uint64_t blade = 0; blade < settings_.blades; ++blade) {
    const auto page = static_cast<std::uint32_t>(blade << directory::most_region_bits);
    Header header = header_of(Kind::sync, node, pages::number_of({file, page}), node);
    header.entry = static_cast<std::uint16_t>(number);
    send(EndpointId{node.value()}, header, nullptr);
  }
}

void Callosal::synced(std::uint32_t blade, PageNumber page, NodeId node, std::uint32_t number) {
  Header header = header_of(Kind::synced, node, page, node);
  header.addresses.destination = node.value();
  header.entry = static_cast<std::uint16_t>(number);
  send(rack_.topology.servers[blade].endpoint, header, nullptr);
}

void Callosal::read(std::uint32_t blade, PageNumber page, NodeId requester, std::uint16_t ask,
                    const Content& data) {
  Header header = header_of(Kind::page, requester, page, requester);
  header.ask = ask;
  header.addresses.destination = requester.value();
  send(rack_.topology.servers[blade].endpoint, header, &data);
}

void Callosal::arrived(const Message& message) {
  const std::size_t endpoint = message.to.value();
  if (endpoint < nodes_.size()) {
    receive_at_node(endpoint, message);
  } else {
    receive_at_blade(endpoint - nodes_.size(), message);
  }
}

void Callosal::receive_at_node(std::size_t node, const Message& message) {
  const auto header = message.header.get<Header>();
  const NodeId to{static_cast<NodeId::rep>(node)};
  const sim::Time now = world_.scheduler.now();
  switch (header.kind) {
    case Kind::grant:
      hand_offs_.granted(to, header.page, now);
      return nodes_[node]->granted(header.page, header.region_bits, header.round, header.ask);
    case Kind::evicted:
      return nodes_[node]->left(header.page, header.round);
    case Kind::synced:
      return nodes_[node]->synced(header.entry);
    case Kind::nack:
      return nodes_[node]->refused(header.page, header.ask);
    case Kind::page:
    case Kind::data:
      hand_offs_.came(to, header.page, now);
      return nodes_[node]->data_came(header.page, take(message.payload), header.ask);
    case Kind::invalidation: {
      Invalidation invalidation;
      invalidation.page = header.page;
      invalidation.pages = 1U << header.region_bits;
      invalidation.first = header.page & ~(std::uint64_t{invalidation.pages} - 1);
      invalidation.what = header.has(directory::give_up_copies) ? GiveUp::copies : GiveUp::writing;
      invalidation.wants_data = header.has(directory::data_wanted);
      invalidation.requester = NodeId{header.requester};
      invalidation.ask = header.ask;
      invalidation.round = header.round;
      if (invalidation.wants_data) hand_offs_.told(invalidation.requester, header.page, now);
      return nodes_[node]->invalidate(invalidation);
    }
    default:
      throw sim::InvariantBroken("a node got a message that is for the directory");
  }
}

void Callosal::receive_at_blade(std::size_t blade, const Message& message) {
  const auto header = message.header.get<Header>();
  if (header.kind == Kind::fetch) {
    blades_[blade]->fetch(header.page, NodeId{header.requester}, header.ask);
  } else if (header.kind == Kind::sync) {
    blades_[blade]->sync(header.page, NodeId{header.requester}, header.entry);
  } else {
    blades_[blade]->store(header.page, take(message.payload));
  }
}

Content Callosal::take(RequestHandle payload) {
  const Content data = payloads_[payload];
  payloads_.give_back(payload);
  return data;
}

void Callosal::lost(RequestHandle payload) {
  if (!settings_.faults.any()) throw sim::InvariantBroken("a page was lost in the switch");
  payloads_.give_back(payload);
}

RequestHandle Callosal::duplicated(RequestHandle payload) {
  const RequestHandle copy = payloads_.take();
  payloads_[copy] = payloads_[payload];
  return copy;
}

void Callosal::report(ReplicationResult& result) const {
  const auto add = [&](const char* name, std::uint64_t value) {
    result.summary.push_back(count_figure(name, value));
  };
  control_plane_.report(result);
  add("directory/reads_asked", counters_.asks_to_read);
  add("directory/writes_asked", counters_.asks_to_write);
  add("directory/refusals", counters_.refusals);
  add("directory/invalidations", counters_.invalidations);
  add("directory/falsely_invalidated", counters_.falsely_invalidated);
  hand_offs_.report(result);
  add("version_retries", counters_.version_retries);
  const double reads = std::max<double>(static_cast<double>(counters_.reads), 1);
  result.summary.push_back(
      {"version_retries_per_read", static_cast<double>(counters_.version_retries) / reads});
  add("page_cache/evictions", counters_.evictions);
  add("page_cache/evicted_changed", counters_.evicted_changed);
  add("page_cache/waits_for_room", counters_.waits_for_room);
  add("store/reads", store_ ? store_->reads() : 0);
  add("store/writes", store_ ? store_->writes() : 0);
  add("unsynced/most", static_cast<std::uint64_t>(durability_.most()));
  add("unsynced/at_nodes", static_cast<std::uint64_t>(durability_.at_nodes()));
  add("unsynced/in_memory", static_cast<std::uint64_t>(durability_.in_memory()));
  add("unsynced/writes_held_back", counters_.held_back);
  add("switch/recirculated_frames", switch_.counters().recirculated_frames);
  if (!transport_.active()) return;
  add("faults/repairs", repairs_.done());
  add("ops_failed", world_.workers.failed());
  add("faults/pages_reverted", pages_reverted_);
  result.summary.push_back(
      {"recovery/node_s",
       released_ == 0 ? 0.0 : sim::as_seconds(releasing_time_) / static_cast<double>(released_)});
  add("faults/late_answers", counters_.late_answers);
  add("faults/messages_lost", transport_.faults().lost());
  add("faults/messages_held", transport_.faults().held());
}

void Callosal::check_idle() const {
  for (const auto& node : nodes_) node->check_idle();
  for (const auto& blade : blades_) blade->check_idle();
  for (std::uint16_t node = 0; node < nodes_.size(); ++node) check_pages_of(NodeId{node});
  if (payloads_.in_use() != 0) throw sim::InvariantBroken("pages were left on their way");
}

}  // namespace recirc::model::callosal
