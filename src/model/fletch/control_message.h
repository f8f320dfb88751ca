#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/endpoint.h"
#include "model/frames.h"
#include "model/metadata.h"
#include "model/topology.h"
#include "pipeline/programs/fletch/wire.h"
#include "workloads/namespace.h"

namespace recirc::model::fletch {

/// What controller and servers say to each other about one path (Header::code).
enum class Ask : std::uint8_t {
  fetch,     ///< to the path's server: block its writes and send its metadata
  fetched,   ///< the answer: metadata, and whether the path is there
  cached,    ///< to the path's server: it is in the cache now; writes go on, and update it
  uncached,  ///< to the path's server: it is not in the cache (any more); writes go on
  evict,     ///< to the controller: the path is gone
  refresh,   ///< to the path's server: its flag is zero; write the record anew
  // Recoveries (docs/decisions/0031).
  recover,      ///< to the controller: this server is up again and knows nothing
  record,       ///< to a server: a path of the active log
  recorded,     ///< the answer
  numbers,      ///< to a server: its sequence numbers; the last message of its recovery
  freeze,       ///< to a server: the switch has lost the cache; tell your numbers and wait
  numbers_are,  ///< the answer
  go_on,        ///< to a server: the switch has your numbers
  back,         ///< to a server: the controller was away; ask again
  blocked,      ///< to the controller, then: is this path in the cache? Its writes wait
  received,     ///< receipt of all messages up to a number
};

/// Which message of which connection this is (see Mail). Metadata leaves these keys free.
struct Delivery {
  std::uint32_t connection = 0;
  std::uint32_t number = 0;
};

using ControlHeader = pipeline::programs::fletch::Header;

inline Message control_message(EndpointId from, EndpointId to, Ask ask, workloads::PathId path,
                               const workloads::Namespace& tree) {
  ControlHeader header;
  header.kind = pipeline::programs::fletch::Kind::control;
  header.code = static_cast<std::uint8_t>(ask);
  header.path = path.value();
  header.keys[0] = tree.key(path);
  Message message;
  message.from = from;
  message.to = to;
  message.length = frames::request(1, tree.path_length(path));
  message.header.set(header);
  return message;
}

inline Delivery delivery_of(const ControlHeader& header) {
  return {static_cast<std::uint32_t>(header.keys[8] >> 32U),
          static_cast<std::uint32_t>(header.keys[8])};
}
inline void set_delivery(ControlHeader& header, Delivery delivery) {
  header.keys[8] = (std::uint64_t{delivery.connection} << 32U) | delivery.number;
}

/// The receipt for a message: it is about no path.
inline Message receipt_for(const Message& message, Delivery delivery) {
  ControlHeader header;
  header.kind = pipeline::programs::fletch::Kind::control;
  header.code = static_cast<std::uint8_t>(Ask::received);
  set_delivery(header, delivery);
  Message receipt;
  receipt.from = message.to;
  receipt.to = message.from;
  receipt.length = frames::shortest;
  receipt.header.set(header);
  return receipt;
}

/// What a record of the active log tells a server.
struct LoggedPath {
  Version version = 0;
  bool is_admitted_now = false;  ///< its writes stay blocked
};
inline void put_record(ControlHeader& header, LoggedPath path) {
  header.keys[1] = path.version;
  header.level = path.is_admitted_now ? 1 : 0;
}
inline LoggedPath record_in(const ControlHeader& header) {
  return {static_cast<Version>(header.keys[1]), header.level != 0};
}

/// Which recovery of a server a message is of: how often servers had been started. What was told
/// for an earlier one may still come. Records and numbers leave this key free.
inline void put_boot(ControlHeader& header, std::uint32_t boot) { header.keys[6] = boot; }
inline std::uint32_t boot_in(const ControlHeader& header) {
  return static_cast<std::uint32_t>(header.keys[6]);
}

/// Which question for metadata a fetch is, and an answer is to: a controller that has crashed may
/// hear the answer to what it had asked before, and has let writes go on since.
inline void put_question(ControlHeader& header, std::uint32_t number) { header.keys[6] = number; }
inline std::uint32_t question_in(const ControlHeader& header) {
  return static_cast<std::uint32_t>(header.keys[6]);
}

/// Sequence numbers, forty a message: how many, and whether more follow, stand in the header.
inline constexpr std::size_t numbers_in_message = 40;
inline bool is_last(const ControlHeader& header) { return header.level != 0; }
inline void take_numbers(const ControlHeader& header, std::vector<std::uint8_t>& numbers) {
  for (unsigned i = 0; i < header.depth; ++i) {
    numbers.push_back(static_cast<std::uint8_t>(header.keys[1 + i / 8] >> (i % 8 * 8)));
  }
}
template <class Sender>
void send_numbers(Sender& sender, EndpointId from, EndpointId to, Ask ask,
                  const std::vector<std::uint8_t>& numbers, std::uint32_t boot = 0) {
  std::size_t next = 0;
  do {
    ControlHeader header;
    header.kind = pipeline::programs::fletch::Kind::control;
    header.code = static_cast<std::uint8_t>(ask);
    unsigned count = 0;
    for (; count < numbers_in_message && next < numbers.size(); ++count, ++next) {
      header.keys[1 + count / 8] |= std::uint64_t{numbers[next]} << (count % 8 * 8);
    }
    header.depth = static_cast<std::uint8_t>(count);
    header.level = next == numbers.size() ? 1 : 0;
    put_boot(header, boot);
    Message message;
    message.from = from;
    message.to = to;
    message.length = frames::at_least_shortest(frames::network_headers + sim::Bytes{8 + count});
    message.header.set(header);
    sender.send(message);
  } while (next < numbers.size());
}

inline void put_metadata(ControlHeader& header, const Metadata& metadata) {
  const MetadataSlots slots = to_slots(metadata);
  for (unsigned i = 0; i < slots.size(); ++i) header.set_slot(i, slots[i]);
}

inline Metadata metadata_in(const ControlHeader& header) {
  MetadataSlots slots{};
  for (unsigned i = 0; i < slots.size(); ++i) slots[i] = header.slot(i);
  return from_slots(slots);
}

}  // namespace recirc::model::fletch
