#pragma once

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
  evict,     ///< to the controller: the path is gone, or was overwritten
  evicted,   ///< the answer
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
