#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

#include "pipeline/ids.h"
#include "sim/time.h"
#include "sim/units.h"

namespace recirc::pipeline {

/// How a packet came to the gress it is in.
enum class Origin : std::uint8_t { port, ingress_mirror, egress_mirror };

/// What an ingress decided; exactly one a pass.
enum class Verdict : std::uint8_t { none, forward, recirculate, cable, multicast, drop };

/// Who holds the payload after a mirror.
enum class PayloadRule : std::uint8_t {
  keep,   ///< the original; the copy has none
  move,   ///< the copy; the original has none
  share,  ///< both (SwitchSink::shared is told)
};

/// What a gress has decided so far. It lies in the packet, because in stage mode every stage is an
/// event of its own and many packets are in a pipe at once.
struct PassState {
  std::uint64_t stamp = 0;  ///< number of this gress pass, unique in its switch
  std::uint16_t target = 0;
  Verdict verdict = Verdict::none;
  bool bypass_egress = false;
  bool finished = false;
  bool mirrored = false;
  bool waits = false;  ///< Packet::watch tells for what
  PayloadRule mirror_payload = PayloadRule::keep;
  std::uint8_t digest_bytes = 0;
  std::uint16_t mirror_session = 0;
  std::uint16_t mirror_truncate = 0;  ///< bytes, 0 for the whole packet
  std::uint32_t side = ~0U;           ///< slot of the rare parts: digest, packet as received
};

struct ArrayState;

/// A declared action that changes nothing, on one entry: a packet waits for it to give another
/// output.
struct Watch {
  ArrayState* array = nullptr;
  std::uint32_t index = 0;
  std::uint32_t output = 0;
  ActionId action{0};
};

/// A packet in the switch. Its record is in a slab and used again; `id` is not.
struct Packet {
  static constexpr std::size_t header_bytes = 128;
  static constexpr std::size_t metadata_bytes = 64;

  std::uint64_t id = 0;        ///< copies have an id of their own
  std::uint64_t original = 0;  ///< id of the packet that came in from a port
  Payload payload;
  ProtocolTag protocol{0};
  Origin origin = Origin::port;
  PipeId pipe;
  PortId ingress_port;  ///< the front port it came in by; a loop does not change it
  PortId egress_port;
  /// The last ingress verdict: tells an egress where the packet is going. `drop` never gets there.
  Verdict route = Verdict::none;
  SessionId session;                 ///< of a mirrored copy
  std::uint32_t passes = 0;          ///< ingress passes begun, and egress passes of mirrored copies
  std::uint32_t recirculations = 0;  ///< frames it was on loop and cable ports
  sim::Bytes length;                 ///< of the frame, without preamble, gap and checksum
  sim::Duration queued{};            ///< waited for ports and for a slot of a pipe
  sim::Duration recirculating{};  ///< from a verdict to loop until the next ingress's, not queued
  sim::Duration waiting{};        ///< like recirculating, for loops with the egress bypassed
  sim::Duration on_wire{};        ///< of the frame at the port it leaves by
  sim::Time looped_at{};
  PassState pass;
  Watch watch;

  /// The program's wire header. Whoever makes a packet writes it; programs edit it.
  alignas(8) std::array<std::byte, header_bytes> header{};
  /// Bridged from ingress to egress; zero at the start of every ingress and in mirrored copies.
  alignas(8) std::array<std::byte, metadata_bytes> metadata{};

  template <class T>
  T& header_as() {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= header_bytes);
    static_assert(alignof(T) <= 8);
    return *std::launder(reinterpret_cast<T*>(header.data()));
  }
  template <class T>
  const T& header_as() const {
    return const_cast<Packet*>(this)->header_as<T>();
  }
  template <class T>
  T& metadata_as() {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= metadata_bytes);
    static_assert(alignof(T) <= 8);
    return *std::launder(reinterpret_cast<T*>(metadata.data()));
  }
};

}  // namespace recirc::pipeline
