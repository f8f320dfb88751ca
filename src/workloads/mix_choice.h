#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "sim/config.h"
#include "workloads/file_ops.h"

namespace recirc::workloads {

// The mixes as choices of a configuration: "linkedin" or {"kind": "single", "operation": "stat"}.
struct AlibabaMix {
  static constexpr std::string_view kind = "alibaba";
};
struct TrainingMix {
  static constexpr std::string_view kind = "training";
};
struct ThumbMix {
  static constexpr std::string_view kind = "thumb";
};
struct LinkedinMix {
  static constexpr std::string_view kind = "linkedin";
};
struct ReadOnlyMix {
  static constexpr std::string_view kind = "read_only";
};
struct SingleMix {
  static constexpr std::string_view kind = "single";
  static constexpr std::string_view kind_doc = "One operation only (Fletch Exp#2).";
  OpKind operation = OpKind::stat;
};
struct ChmodRatioMix {
  static constexpr std::string_view kind = "chmod_ratio";
  static constexpr std::string_view kind_doc =
      "So many percent chmod, the rest open and close in halves (Fletch Table II).";
  double percent = 25;
};
struct WriteRatioMix {
  static constexpr std::string_view kind = "write_ratio";
  static constexpr std::string_view kind_doc =
      "Alibaba's writes and its reads, each in its own proportions, but so many percent writes.";
  double percent = 50;
};
struct CustomMix {
  static constexpr std::string_view kind = "custom";
  static constexpr std::string_view kind_doc = "A mix of your own, by the operations' weights.";
  OpWeights weights{};
};
using MixChoice = std::variant<LinkedinMix, AlibabaMix, TrainingMix, ThumbMix, ReadOnlyMix,
                               SingleMix, ChmodRatioMix, WriteRatioMix, CustomMix>;

/// The weights of a mix.
OpWeights weights_of(const MixChoice& mix);

std::span<const sim::config::EnumName> names_of(OpKind);

void describe(sim::config::Visitor& v, AlibabaMix& c);
void describe(sim::config::Visitor& v, TrainingMix& c);
void describe(sim::config::Visitor& v, ThumbMix& c);
void describe(sim::config::Visitor& v, LinkedinMix& c);
void describe(sim::config::Visitor& v, ReadOnlyMix& c);
void describe(sim::config::Visitor& v, SingleMix& c);
void describe(sim::config::Visitor& v, ChmodRatioMix& c);
void describe(sim::config::Visitor& v, WriteRatioMix& c);
void describe(sim::config::Visitor& v, CustomMix& c);
void validate(const CustomMix& c, sim::config::Issues& issues);

}  // namespace recirc::workloads
