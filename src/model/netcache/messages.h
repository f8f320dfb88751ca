#pragma once

#include "model/endpoint.h"
#include "model/frames.h"
#include "model/metadata.h"
#include "pipeline/programs/netcache/wire.h"
#include "workloads/namespace.h"

namespace recirc::model::netcache {

using Header = pipeline::programs::netcache::Header;

/// What controller and servers say to each other about one path (Header::code).
enum class Ask : std::uint8_t {
  fetch,     ///< to the path's server: block its writes and send its metadata
  fetched,   ///< the answer: metadata, and whether the path is there
  cached,    ///< to the path's server: it is in the cache now; writes go on, and update it
  uncached,  ///< to the path's server: it is not in the cache (any more); writes go on
  evict,     ///< to the controller: the path is gone, or was overwritten
  evicted,   ///< the answer
};

inline sim::Bytes request_length(unsigned path_bytes) {
  return frames::request(0, path_bytes) + sim::Bytes{pipeline::programs::netcache::key_bytes};
}
inline sim::Bytes answer_length(unsigned slots) {
  return frames::answer(0, slots) + sim::Bytes{pipeline::programs::netcache::key_bytes};
}

inline Message control_message(EndpointId from, EndpointId to, Ask ask, workloads::PathId path,
                               const workloads::Namespace& tree) {
  Header header;
  header.kind = pipeline::programs::netcache::Kind::control;
  header.code = static_cast<std::uint8_t>(ask);
  header.path = path.value();
  header.key = tree.key(path);
  Message message;
  message.from = from;
  message.to = to;
  message.length = request_length(tree.path_length(path));
  message.header.set(header);
  return message;
}

inline void put_metadata(Header& header, const Metadata& metadata) {
  const MetadataSlots slots = to_slots(metadata);
  for (unsigned i = 0; i < slots.size(); ++i) header.slots[i] = slots[i];
}

inline Metadata metadata_in(const Header& header) {
  MetadataSlots slots{};
  for (unsigned i = 0; i < slots.size(); ++i) slots[i] = header.slots[i];
  return from_slots(slots);
}

}  // namespace recirc::model::netcache
