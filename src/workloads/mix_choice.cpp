#include "workloads/mix_choice.h"

#include <array>
#include <numeric>
#include <type_traits>
#include <utility>

namespace recirc::workloads {

using sim::config::assumed;
using sim::config::paper;
using sim::config::Visitor;

namespace {

OpWeights weights_of(const SingleMix& mix) {
  OpWeights weights{};
  weight(weights, mix.operation) = 1;
  return weights;
}

OpWeights weights_of(const ChmodRatioMix& mix) {
  OpWeights weights{};
  weight(weights, OpKind::open) = (100 - mix.percent) / 2;
  weight(weights, OpKind::close) = (100 - mix.percent) / 2;
  weight(weights, OpKind::chmod) = mix.percent;
  return weights;
}

OpWeights weights_of(const WriteRatioMix& mix) {
  OpWeights weights = find_mix(AlibabaMix::kind)->weights;
  double reads = 0;
  double writes = 0;
  for (std::size_t k = 0; k < op_kind_count; ++k) {
    (is_read(static_cast<OpKind>(k)) ? reads : writes) += weights[k];
  }
  for (std::size_t k = 0; k < op_kind_count; ++k) {
    const bool read = is_read(static_cast<OpKind>(k));
    weights[k] *= read ? (100 - mix.percent) / reads : mix.percent / writes;
  }
  return weights;
}

OpWeights weights_of(const CustomMix& mix) { return mix.weights; }

}  // namespace

OpWeights weights_of(const MixChoice& mix) {
  return std::visit(
      [](const auto& choice) -> OpWeights {
        using Choice = std::decay_t<decltype(choice)>;
        if constexpr (std::is_empty_v<Choice>) {
          return find_mix(Choice::kind)->weights;
        } else {
          return weights_of(choice);
        }
      },
      mix);
}

std::span<const sim::config::EnumName> names_of(OpKind) {
  static constexpr auto names = []<std::size_t... K>(std::index_sequence<K...>) {
    return std::array<sim::config::EnumName, op_kind_count>{
        sim::config::EnumName{op_kind_names[K], static_cast<OpKind>(K)}...};
  }
  (std::make_index_sequence<op_kind_count>());
  return names;
}

void describe(Visitor& /*v*/, AlibabaMix& /*c*/) {}
void describe(Visitor& /*v*/, TrainingMix& /*c*/) {}
void describe(Visitor& /*v*/, ThumbMix& /*c*/) {}
void describe(Visitor& /*v*/, LinkedinMix& /*c*/) {}
void describe(Visitor& /*v*/, ReadOnlyMix& /*c*/) {}

void describe(Visitor& v, SingleMix& c) {
  v.field("operation", c.operation,
          {.doc = "The operation; one that destroys has no phase before it.",
           .from = paper("Fletch Exp#2: stat, delete, rename, mkdir, create, rmdir")});
}

void describe(Visitor& v, ChmodRatioMix& c) {
  v.field("percent", c.percent,
          {.doc = "Percent of the requests that are chmod.",
           .from = paper("Fletch Table II: 0, 25, 50, 75, 100"),
           .min = 0.0,
           .max = 100.0});
}

void describe(Visitor& v, WriteRatioMix& c) {
  v.field("percent", c.percent,
          {.doc = "Percent of the requests that are writes.",
           .from = assumed("the paper's high write ratios are not given", "31..100"),
           .min = 0.0,
           .max = 100.0});
}

void describe(Visitor& v, CustomMix& c) {
  for (std::size_t k = 0; k < op_kind_count; ++k) {
    v.field(op_kind_names[k], c.weights[k],
            {.doc = "Weight of this operation; the weights need not add up to anything.",
             .min = 0.0,
             .max = 1e9});
  }
}

void validate(const CustomMix& c, sim::config::Issues& issues) {
  if (!(std::accumulate(c.weights.begin(), c.weights.end(), 0.0) > 0)) {
    issues.add("", "all weights are zero", "give at least one operation a weight: \"stat\": 1");
  }
}

}  // namespace recirc::workloads
