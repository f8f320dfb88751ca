#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "model/request.h"
#include "sim/ids.h"
#include "sim/units.h"

namespace recirc::model {

/// A machine or process with an address in the fabric.
using EndpointId = sim::Id<struct EndpointTag, std::uint16_t>;

/// The bytes of a message that switches can read: a program's wire header.
struct WireHeader {
  static constexpr std::size_t capacity = 128;
  alignas(8) std::array<std::byte, capacity> bytes{};

  template <class T>
  void set(const T& header) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= capacity);
    std::memcpy(bytes.data(), &header, sizeof(T));
  }
  template <class T>
  [[nodiscard]] T get() const {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= capacity);
    T header;
    std::memcpy(&header, bytes.data(), sizeof(T));
    return header;
  }
};

/// What one endpoint sends another.
struct Message {
  static constexpr RequestHandle no_payload = ~RequestHandle{0};

  EndpointId from;
  EndpointId to;
  sim::Bytes length;                   ///< of the frame, without preamble and gap
  std::uint8_t protocol = 0;           ///< which program of a switch handles it
  RequestHandle payload = no_payload;  ///< what only endpoints can read
  TimeParts parts;                     ///< where its time went on the way
  WireHeader header;
};

/// Something that messages arrive at.
class Endpoint {
 public:
  virtual ~Endpoint() = default;
  virtual void receive(const Message& message) = 0;
};

}  // namespace recirc::model
