#include "model/fletch/mail.h"

#include <algorithm>

namespace recirc::model::fletch {

Mail::Mail(sim::Scheduler& scheduler, Fabric& fabric, const Topology& topology,
           std::optional<sim::Duration> timeout)
    : scheduler_(scheduler),
      fabric_(fabric),
      topology_(topology),
      timeout_(timeout),
      lines_(timeout ? 2 * topology.servers.size() : 0),
      due_(scheduler, *this, Kind::due) {}

Mail::Line& Mail::line(EndpointId from, EndpointId to) {
  const bool from_controller = from == topology_.controller.endpoint;
  const std::size_t server = topology_.server_at(from_controller ? to : from).value();
  return lines_[2 * server + (from_controller ? 0U : 1U)];
}

void Mail::send(const Message& message) {
  if (!timeout_) return fabric_.send(message);
  Line& way = line(message.from, message.to);
  Message numbered = message;
  auto header = numbered.header.get<ControlHeader>();
  set_delivery(header, {way.connection, way.next++});
  numbered.header.set(header);
  if (way.open.empty()) way.since = scheduler_.now();
  way.open.push_back(numbered);
  fabric_.send(numbered);
  const sim::Time due = way.since + *timeout_;
  if (!due_.is_set() || due < due_.when()) due_.set(due);
}

bool Mail::accept(const Message& message) {
  if (!timeout_) return true;
  const auto header = message.header.get<ControlHeader>();
  const Delivery delivery = delivery_of(header);
  const bool is_receipt = static_cast<Ask>(header.code) == Ask::received;
  Line& way = is_receipt ? line(message.to, message.from) : line(message.from, message.to);
  if (delivery.connection != way.connection) return false;
  if (is_receipt) {
    acknowledged(way, delivery.number);
    return false;
  }
  // One that has overtaken another is not taken: it comes again, after the other.
  const bool news = delivery.number == way.expected;
  if (news) ++way.expected;
  fabric_.send(receipt_for(message, {way.connection, way.expected - 1}));
  return news;
}

/// All up to this number have arrived.
void Mail::acknowledged(Line& way, std::uint32_t number) {
  while (!way.open.empty() &&
         delivery_of(way.open.front().header.get<ControlHeader>()).number <= number) {
    way.open.pop_front();
    way.since = scheduler_.now();
  }
}

void Mail::reset(EndpointId server) {
  if (!timeout_) return;
  for (Line* way : {&line(topology_.controller.endpoint, server),
                    &line(server, topology_.controller.endpoint)}) {
    const std::uint32_t connection = way->connection + 1;
    *way = Line{};
    way->connection = connection;
  }
}

void Mail::handle(const sim::Event& event) {
  if (!due_.expired(event)) return;
  sim::Time next = sim::Scheduler::forever;
  for (Line& way : lines_) {
    if (way.open.empty()) continue;
    if (way.since + *timeout_ <= scheduler_.now()) send_again(way);
    next = std::min(next, way.since + *timeout_);
  }
  if (next != sim::Scheduler::forever) due_.set(next);
}

std::size_t Mail::unacknowledged_by(EndpointId server) {
  return timeout_ ? line(topology_.controller.endpoint, server).open.size() : 0;
}

/// Not all of a long line: of messages that follow a lost one none is taken.
void Mail::send_again(Line& way) {
  constexpr std::size_t most_at_once = 1'024;
  const std::size_t count = std::min(way.open.size(), most_at_once);
  sent_again_ += count;
  for (std::size_t i = 0; i < count; ++i) fabric_.send(way.open[i]);
  way.since = scheduler_.now();
}

}  // namespace recirc::model::fletch
