#pragma once

#include <cstdint>
#include <string_view>

namespace recirc::sim {

/// A bijective mix of 64 bits (the output function of SplitMix64, Steele et al. 2014).
constexpr std::uint64_t mix64(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15U;

/// 64 random bits to a double in [0, 1): the upper 53 bits, exactly.
constexpr double to_unit(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1.0p-53; }

/// Random numbers as a pure function of (key, counter): draw i needs no draw before it.
class CounterRng {
 public:
  explicit constexpr CounterRng(std::uint64_t key, std::uint64_t counter = 0)
      : key_(key), counter_(counter) {}

  constexpr std::uint64_t next() { return mix64(key_ + golden_gamma * ++counter_); }
  constexpr double next_unit() { return to_unit(next()); }

  /// The independent generator number i of this one; does not move this one.
  [[nodiscard]] constexpr CounterRng at(std::uint64_t i) const {
    return CounterRng{mix64(mix64(key_ ^ 0x6a09e667f3bcc909U) + golden_gamma * (i + 1))};
  }

 private:
  std::uint64_t key_;
  std::uint64_t counter_;
};

/// Gives each named consumer of randomness its own generator. Names do not depend on what else is
/// in the run, so adding a component shifts no other component's numbers.
class RngFactory {
 public:
  constexpr RngFactory(std::uint64_t seed, std::uint64_t replication)
      : key_(mix64(mix64(seed + golden_gamma) + golden_gamma * (replication + 1))) {}

  [[nodiscard]] constexpr CounterRng stream(std::string_view name) const {
    std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a, then mixed with the run's key
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return CounterRng{mix64(key_ ^ mix64(hash))};
  }

 private:
  std::uint64_t key_;
};

}  // namespace recirc::sim
