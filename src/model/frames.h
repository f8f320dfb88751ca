#pragma once

#include "sim/units.h"

namespace recirc::model::frames {

/// Lengths of the frames of the metadata protocol, without preamble, checksum and gap. Requests:
/// Ethernet, IPv4 and UDP headers, operation and counts, keys of 9 bytes where the scheme has them,
/// and the path (Fletch prototype: 336 bytes at depth nine).
inline constexpr sim::Bytes network_headers{42};
inline constexpr sim::Bytes operation_header{4};
inline constexpr sim::Bytes key_and_token{9};
inline constexpr sim::Bytes path_count{2};
inline constexpr sim::Bytes metadata_slot{8};
/// The shortest frame that Ethernet carries, without its checksum.
inline constexpr sim::Bytes shortest{60};

constexpr sim::Bytes at_least_shortest(sim::Bytes length) {
  return length < shortest ? shortest : length;
}
constexpr sim::Bytes request(unsigned keys, unsigned path_bytes) {
  return at_least_shortest(network_headers + operation_header + key_and_token * keys + path_count +
                           sim::Bytes{path_bytes});
}
/// An answer carries the operation, the path's own key and its metadata, or no metadata.
constexpr sim::Bytes answer(unsigned keys, unsigned slots) {
  return at_least_shortest(network_headers + operation_header + key_and_token * keys + path_count +
                           metadata_slot * slots);
}

}  // namespace recirc::model::frames
