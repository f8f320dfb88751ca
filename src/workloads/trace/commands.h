#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "workloads/operation.h"

namespace recirc::workloads::trace {

/// What a logged command becomes in a replay.
struct Command {
  /// Which of a line's two paths the command acts on.
  enum class Acts : std::uint8_t { on_source, on_destination };
  /// What the command says about its path.
  enum class Evidence : std::uint8_t { none, file, listed, directory };

  std::string_view name;            ///< as HDFS logs it in cmd=, or one of our operation names
  std::optional<OpKind> operation;  ///< none: known and ignored
  Evidence evidence = Evidence::none;
  Acts acts = Acts::on_source;
  std::string_view note;   ///< why this operation, or why ignored
  bool recursive = false;  ///< the directory and all below it
};

/// The table, in the order of `recirc list commands`: reads, writes, ignored.
std::span<const Command> commands();

/// The command of that name, upper and lower case alike. Null: unknown.
const Command* find_command(std::string_view name);

}  // namespace recirc::workloads::trace
