#include "workloads/permutation.h"

#include <bit>

#include "sim/error.h"
#include "sim/rng.h"

namespace recirc::workloads {
namespace {

/// The inverse of an odd number modulo 2^64 by Newton's iteration: each step doubles the bits.
std::uint64_t inverse_of_odd(std::uint64_t a) {
  std::uint64_t x = a;  // right in its lowest 3 bits
  for (int bits = 3; bits < 64; bits *= 2) x *= 2 - a * x;
  return x;
}

}  // namespace

Permutation::Permutation(std::uint64_t n, std::uint64_t key) : n_(n) {
  if (n == 0 || n > std::uint64_t{1} << 63) {
    throw sim::InvariantBroken("a permutation needs 1 to 2^63 elements");
  }
  const auto width = static_cast<unsigned>(std::bit_width(n - 1));
  mask_ = (std::uint64_t{1} << width) - 1;
  shift_ = (width + 1) / 2;
  if (shift_ == 0) shift_ = 1;
  sim::CounterRng rng{sim::mix64(key ^ 0x7065726d75746521U)};
  for (Round& round : rounds_) {
    round.offset = rng.next() & mask_;
    round.multiplier = rng.next() | 1U;
    round.inverse = inverse_of_odd(round.multiplier);
  }
}

}  // namespace recirc::workloads
