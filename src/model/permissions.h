#pragma once

#include <cstdint>

#include "workloads/operation.h"

namespace recirc::model {

/// Whose permission a request carries, as one bit: records hold sets of them.
enum class UserClass : std::uint8_t { owner = 1, member = 2, stranger = 4 };

constexpr UserClass user_of(workloads::Caller caller) {
  return static_cast<UserClass>(1U << static_cast<unsigned>(caller));
}

/// What a mode's three bits of a class allow.
enum class Access : std::uint8_t { search = 1, write = 2, read = 4 };

/// Owner, group and the nine permission bits of a path.
struct Permissions {
  std::uint16_t mode = 0;
  std::uint16_t owner = 0;  ///< number of a workloads::Caller
  std::uint16_t group = 0;  ///< 0: owner's and member's; 1: stranger's
  bool operator==(const Permissions&) const = default;
};

/// At the start everything belongs to `owner`, who alone may read; all may pass directories.
constexpr std::uint16_t first_mode(bool is_directory) { return is_directory ? 0711 : 0600; }

constexpr std::uint16_t group_of(workloads::Caller caller) {
  return caller == workloads::Caller::stranger ? 1 : 0;
}

/// Which classes may: the owner by the mode's first three bits, members of its group by the next,
/// others by the last (POSIX).
constexpr std::uint8_t who_may(const Permissions& p, Access access) {
  unsigned classes = 0;
  for (unsigned i = 0; i < workloads::caller_count; ++i) {
    const bool in_group = group_of(static_cast<workloads::Caller>(i)) == p.group;
    const unsigned shift = i == p.owner ? 6 : (in_group ? 3 : 0);
    if ((p.mode >> shift & static_cast<unsigned>(access)) != 0) classes |= 1U << i;
  }
  return static_cast<std::uint8_t>(classes);
}

constexpr bool may(std::uint8_t allowed, UserClass user) {
  return (allowed & static_cast<std::uint8_t>(user)) != 0;
}

constexpr bool owns(const Permissions& p, UserClass user) {
  return static_cast<unsigned>(user) == 1U << p.owner;
}

}  // namespace recirc::model
