#include "workloads/mix_choice.h"

#include <string>

#include "catch.h"
#include "workloads/config.h"

using namespace recirc::workloads;
namespace config = recirc::sim::config;

namespace {

MixChoice mix(const std::string& text) {
  const auto document = config::Document::parse(R"({"mix": )" + text + "}", "test");
  return config::read<WorkloadConfig>(document).mix;
}

/// Share of an operation in a mix, in percent.
double percent(const std::string& text, OpKind kind) {
  const OpWeights weights = weights_of(mix(text));
  double sum = 0;
  for (const double weight : weights) sum += weight;
  return 100 * weights[static_cast<std::size_t>(kind)] / sum;
}

double writes(const std::string& text) {
  double sum = 0;
  for (std::size_t k = 0; k < op_kind_count; ++k) {
    if (!is_read(static_cast<OpKind>(k))) sum += percent(text, static_cast<OpKind>(k));
  }
  return sum;
}

}  // namespace

TEST_CASE("a single operation is the whole mix, whichever it is") {
  for (std::size_t k = 0; k < op_kind_count; ++k) {
    const std::string name(op_kind_names[k]);
    CHECK(percent(R"({"kind": "single", "operation": ")" + name + "\"}", static_cast<OpKind>(k)) ==
          100);
  }
  CHECK(percent(R"("single")", OpKind::stat) == 100);
  CHECK_THROWS_AS(mix(R"({"kind": "single", "operation": "remove"})"), recirc::sim::ConfigError);
  CHECK_THROWS_AS(mix(R"({"kind": "single", "percent": 5})"), recirc::sim::ConfigError);
}

TEST_CASE("a chmod ratio leaves the rest to open and close in halves") {
  for (const int ratio : {0, 25, 50, 75, 100}) {
    const std::string text = R"({"kind": "chmod_ratio", "percent": )" + std::to_string(ratio) + "}";
    CHECK(percent(text, OpKind::chmod) == Approx(ratio));
    CHECK(percent(text, OpKind::open) == Approx(50 - ratio / 2.0));
    CHECK(percent(text, OpKind::close) == percent(text, OpKind::open));
    CHECK(writes(text) == Approx(ratio));
  }
  CHECK_THROWS_AS(mix(R"({"kind": "chmod_ratio", "percent": 101})"), recirc::sim::ConfigError);
  CHECK_THROWS_AS(mix(R"({"kind": "chmod_ratio", "percent": -1})"), recirc::sim::ConfigError);
}

TEST_CASE("a write ratio keeps Alibaba's proportions among reads and among writes") {
  for (const int ratio : {0, 40, 90, 100}) {
    const std::string text = R"({"kind": "write_ratio", "percent": )" + std::to_string(ratio) + "}";
    CHECK(writes(text) == Approx(ratio));
    if (ratio == 0 || ratio == 100) continue;
    CHECK(percent(text, OpKind::rename) / percent(text, OpKind::remove) == Approx(9.3 / 11.9));
    CHECK(percent(text, OpKind::stat) / percent(text, OpKind::open) == Approx(12.4 / 26.3));
  }
}

TEST_CASE("the drawn operations of a chmod ratio follow it") {
  static const ComputedTree tree{{.files = 100'000}};
  static const RankPlacement placement{tree, Placement::shuffled, 1};
  constexpr std::uint64_t requests = 200'000;
  const MixSource source(tree, placement,
                         weights_of(mix(R"({"kind": "chmod_ratio", "percent": 25})")), 0.9,
                         requests, recirc::sim::RngFactory(1, 0));
  std::array<double, op_kind_count> counts{};
  for (std::uint64_t i = 0; i < requests; ++i) {
    counts[static_cast<std::size_t>(source.at(i).kind)] += 1;
  }
  double chi_square = 0;
  const auto add = [&](OpKind kind, double share) {
    const double expected = share * requests;
    const double gap = counts[static_cast<std::size_t>(kind)] - expected;
    chi_square += gap * gap / expected;
  };
  add(OpKind::open, 0.375);
  add(OpKind::close, 0.375);
  add(OpKind::chmod, 0.25);
  CHECK(counts[static_cast<std::size_t>(OpKind::open)] +
            counts[static_cast<std::size_t>(OpKind::close)] +
            counts[static_cast<std::size_t>(OpKind::chmod)] ==
        requests);
  CHECK(chi_square < 13.8);  // 2 degrees of freedom, p = 0.001
}
