#include "model/fletch/channels.h"

#include <algorithm>

#include "sim/rng.h"

namespace recirc::model::fletch {

Channels::Channels(sim::Scheduler& scheduler, Fabric& fabric, sim::Slab<Request>& requests,
                   const Topology& topology, const Settings& settings)
    : scheduler_(scheduler),
      fabric_(fabric),
      requests_(requests),
      settings_(settings),
      servers_(settings.per_server == 0 ? 0 : topology.servers.size()),
      due_(scheduler, *this, Kind::due) {
  for (Server& server : servers_) free_all(server);
}

void Channels::free_all(Server& server) {
  server.channels.assign(settings_.per_server, {});
  server.free.clear();
  for (std::uint32_t i = settings_.per_server; i > 0; --i) {
    server.free.push_back(static_cast<std::uint16_t>(i - 1));
  }
}

void Channels::send(ServerId server, const Message& answer, bool holds_worker) {
  Server& at = servers_[server.value()];
  const Waiting next{answer, scheduler_.now(), holds_worker};
  if (at.free.empty() || at.frozen) {
    at.waiting.push_back(next);
  } else {
    begin(server, next);
  }
}

void Channels::begin(ServerId server, const Waiting& next) {
  Server& at = servers_[server.value()];
  const std::uint16_t index = at.free.back();
  at.free.pop_back();
  Channel& channel = at.channels[index];
  channel.busy = true;
  channel.holds_worker = next.holds_worker;
  channel.transmissions = 0;
  channel.since = scheduler_.now();
  channel.answer = next.answer;
  auto header = next.answer.header.get<Header>();
  header.counter = index;
  header.sequence = channel.number;
  channel.answer.header.set(header);
  if (next.answer.payload != Message::no_payload) {
    requests_[next.answer.payload].parts.queues += scheduler_.now() - next.since;
  }
  transmit(server, index);
}

void Channels::transmit(ServerId server, std::uint16_t index) {
  Channel& channel = servers_[server.value()].channels[index];
  Message message = channel.answer;
  ++channel.transmissions;
  if (message.payload != Message::no_payload) {
    message.payload = fabric_.copy_payload(channel.answer.payload);
    constexpr std::uint64_t of_answers = std::uint64_t{1} << 32U;
    Request& request = requests_[message.payload];
    request.identity = sim::mix64(request.identity + of_answers + channel.transmissions);
    request.parts.resending += scheduler_.now() - channel.since;
  }
  dues_.push_back(
      {scheduler_.now() + settings_.timeout, server, index, channel.number, channel.transmissions});
  if (!due_.is_set()) due_.set(dues_.front().at);
  fabric_.send(message);
}

Channels::Receipt Channels::acknowledged(ServerId server, const Header& receipt) {
  Server& at = servers_[server.value()];
  Channel& channel = at.channels[receipt.counter];
  if (at.frozen || !channel.busy || channel.number != receipt.sequence) return Receipt::repeated;
  channel.busy = false;
  ++channel.number;
  if (channel.answer.payload != Message::no_payload) requests_.give_back(channel.answer.payload);
  const bool held_worker = channel.holds_worker;
  at.free.push_back(receipt.counter);
  if (!at.waiting.empty()) {
    const Waiting next = at.waiting.front();
    at.waiting.pop_front();
    begin(server, next);
  }
  return held_worker ? Receipt::frees_a_worker : Receipt::fresh;
}

void Channels::crashed(ServerId server) {
  if (!are_used()) return;
  Server& at = servers_[server.value()];
  const auto drop = [this](const Message& answer) {
    if (answer.payload != Message::no_payload) requests_.give_back(answer.payload);
  };
  for (const Channel& channel : at.channels) {
    if (channel.busy) drop(channel.answer);
  }
  for (const Waiting& waiting : at.waiting) drop(waiting.answer);
  at.waiting.clear();
  at.frozen = false;
  free_all(at);
}

void Channels::set_numbers(ServerId server, const std::vector<std::uint8_t>& numbers) {
  if (!are_used()) return;
  std::vector<Channel>& channels = servers_[server.value()].channels;
  for (std::size_t i = 0; i < numbers.size(); ++i) channels[i].number = numbers[i];
}

void Channels::freeze(ServerId server) {
  if (are_used()) servers_[server.value()].frozen = true;
}

void Channels::go_on(ServerId server) {
  if (!are_used() || !servers_[server.value()].frozen) return;
  Server& at = servers_[server.value()];
  at.frozen = false;
  for (std::uint32_t i = 0; i < settings_.per_server; ++i) {
    if (at.channels[i].busy) transmit(server, static_cast<std::uint16_t>(i));
  }
  while (!at.waiting.empty() && !at.free.empty()) {
    const Waiting next = at.waiting.front();
    at.waiting.pop_front();
    begin(server, next);
  }
}

bool Channels::is_open_about(workloads::PathId path) const {
  const auto changes_it = [path](const Message& answer) {
    const auto header = answer.header.get<Header>();
    return header.kind == pipeline::programs::fletch::Kind::cached_answer &&
           header.path == path.value();
  };
  return std::any_of(servers_.begin(), servers_.end(), [&](const Server& server) {
    return std::any_of(server.channels.begin(), server.channels.end(),
                       [&](const Channel& c) { return c.busy && changes_it(c.answer); }) ||
           std::any_of(server.waiting.begin(), server.waiting.end(),
                       [&](const Waiting& waiting) { return changes_it(waiting.answer); });
  });
}

std::vector<std::uint8_t> Channels::numbers(ServerId server) const {
  std::vector<std::uint8_t> all;
  if (!are_used()) return all;
  for (const Channel& channel : servers_[server.value()].channels) all.push_back(channel.number);
  return all;
}

void Channels::handle(const sim::Event& event) {
  if (!due_.expired(event)) return;
  while (!dues_.empty() && dues_.front().at <= scheduler_.now()) {
    const Due due = dues_.front();
    dues_.pop_front();
    const Channel& channel = servers_[due.server.value()].channels[due.channel];
    const bool open = channel.busy && !servers_[due.server.value()].frozen &&
                      channel.number == due.number && channel.transmissions == due.transmissions;
    if (!open) continue;
    ++sent_again_;
    transmit(due.server, due.channel);
  }
  if (!dues_.empty()) due_.set(dues_.front().at);
}

}  // namespace recirc::model::fletch
