#pragma once

#include <cstdint>

namespace recirc::pipeline::programs {

/// Stands for the Ethernet, IP and UDP addresses: every wire header begins with it. Values are the
/// fabric's endpoint numbers; a program may rewrite them, as a switch rewrites a header.
struct Addresses {
  std::uint16_t source = 0;
  std::uint16_t destination = 0;
};

}  // namespace recirc::pipeline::programs
