#pragma once

#include <compare>
#include <cstdint>

#include "sim/time.h"

namespace recirc::sim {

/// A number of bytes; arithmetic stays in bytes.
class Bytes {
 public:
  constexpr Bytes() = default;
  explicit constexpr Bytes(std::int64_t count) : count_(count) {}
  [[nodiscard]] constexpr std::int64_t count() const { return count_; }
  constexpr auto operator<=>(const Bytes&) const = default;
  constexpr Bytes& operator+=(Bytes other) {
    count_ += other.count_;
    return *this;
  }
  constexpr Bytes& operator-=(Bytes other) {
    count_ -= other.count_;
    return *this;
  }
  friend constexpr Bytes operator+(Bytes a, Bytes b) { return Bytes{a.count_ + b.count_}; }
  friend constexpr Bytes operator-(Bytes a, Bytes b) { return Bytes{a.count_ - b.count_}; }
  friend constexpr Bytes operator*(Bytes a, std::int64_t n) { return Bytes{a.count_ * n}; }

 private:
  std::int64_t count_ = 0;
};

/// A line rate in bits per second.
class BitsPerSecond {
 public:
  constexpr BitsPerSecond() = default;
  explicit constexpr BitsPerSecond(std::int64_t count) : count_(count) {}
  [[nodiscard]] constexpr std::int64_t count() const { return count_; }
  constexpr auto operator<=>(const BitsPerSecond&) const = default;

 private:
  std::int64_t count_ = 0;
};

constexpr BitsPerSecond gigabits_per_second(std::int64_t n) {
  return BitsPerSecond{n * 1'000'000'000};
}

/// Turns bytes into wire time at one rate. A rate whose picoseconds per byte are no integer keeps
/// the remainder for the next frame, so that long sums are exact.
class Serializer {
 public:
  explicit constexpr Serializer(BitsPerSecond rate)
      : rate_(rate.count()), per_byte_(byte_at_one_bit_per_second / rate_) {}

  /// The time the next `size` bytes take on the wire.
  constexpr Duration time_of(Bytes size) {
    if (per_byte_ * rate_ == byte_at_one_bit_per_second) return Duration{per_byte_ * size.count()};
    const auto work = static_cast<__int128>(size.count()) * byte_at_one_bit_per_second + remainder_;
    remainder_ = static_cast<std::int64_t>(work % rate_);
    return Duration{static_cast<std::int64_t>(work / rate_)};
  }

 private:
  static constexpr std::int64_t byte_at_one_bit_per_second = 8'000'000'000'000;  // in picoseconds

  std::int64_t rate_;
  std::int64_t per_byte_;  ///< picoseconds, without their fraction
  std::int64_t remainder_ = 0;
};

}  // namespace recirc::sim
