#pragma once

#include <array>
#include <string>

#include "sim/rng.h"

namespace recirc::model::testing {

/// A trace of stats of files, with many writes of the directories above them: a quarter of all
/// operations change, delete, rename (also to themselves) and remake few directories. With `modes`
/// also by others than the owner, who lets in whom he likes, or nobody.
inline std::string writes_of_directories(sim::CounterRng& rng, unsigned count, bool modes) {
  const auto below = [&rng](std::uint64_t n) { return rng.next() % n; };
  static constexpr std::array kinds = {"chmod", "chown", "utime", "rename", "delete", "mkdir"};
  static constexpr std::array all_modes = {"0711", "0700", "0000", "0777", "0600", "0755", "0750"};
  static constexpr std::array users = {"", "", "", "member", "stranger"};
  std::string text = "time,op,path,dst,mode,user\n";
  for (unsigned i = 0; i < count; ++i) {
    const auto any_directory = [&] {
      std::string path;
      const std::uint64_t depth = 1 + below(4);
      for (std::uint64_t l = 0; l < depth; ++l) path += "/d" + std::to_string(below(2));
      return path;
    };
    const bool writes = below(4) == 0;
    const std::string kind = writes ? kinds[below(kinds.size())] : "stat";
    text += "0," + kind + "," + any_directory();
    if (!writes) text += "/f" + std::to_string(below(3));
    text += "," + (kind == "rename" ? any_directory() : "") + ",";
    if (modes && kind == "chmod") text += all_modes[below(all_modes.size())];
    text += ",";
    if (modes) text += users[below(users.size())];
    text += "\n";
  }
  return text;
}

}  // namespace recirc::model::testing
