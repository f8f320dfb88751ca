#include "model/experiment/scale.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace recirc::model::experiment {
namespace {

constexpr std::array<Scale, 3> all_scales = {{
    {"small", 1, 30, 2, "a thirtieth of the requests, half of the replications"},
    {"full", 1, 1, 1, "requests and replications as the file says"},
    {"paper", 32, 3, 1, "32/3 times the requests: 3 million become the paper's 32"},
}};

bool ends_by_duration(const Json& effective) {
  const Json::json_pointer duration("/workload/duration");
  return effective.contains(duration) && !effective.at(duration).is_null();
}

}  // namespace

std::span<const Scale> scales() { return all_scales; }

std::span<const std::string_view> scale_names() {
  static constexpr std::array<std::string_view, all_scales.size()> names = {
      all_scales[0].name, all_scales[1].name, all_scales[2].name};
  return names;
}

const Scale* find_scale(std::string_view name) {
  const auto* found = std::find_if(all_scales.begin(), all_scales.end(),
                                   [&](const Scale& scale) { return scale.name == name; });
  return found == all_scales.end() ? nullptr : found;
}

void rescale(sim::config::Document& config, const PreparedRun& run, const Scale& scale) {
  // Rounded up: two replications say next to nothing about how far they are off.
  const std::uint64_t over = scale.replications_over;
  const std::uint64_t replications = (run.replications() + over - 1) / over;
  config.set("/run/replications", Json(std::max<std::uint64_t>(1, replications)));
  if (run.requests() == 0 || ends_by_duration(run.effective())) return;
  const auto requests = static_cast<unsigned __int128>(run.requests()) * scale.times / scale.over;
  config.set(run.requests_pointer(),
             Json(std::max<std::uint64_t>(1, static_cast<std::uint64_t>(requests))));
}

}  // namespace recirc::model::experiment
