#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "model/server.h"
#include "sim/config.h"

namespace recirc::model {

/// The law of a store's service times, as a user writes it.
struct ExponentialLaw {
  static constexpr std::string_view kind = "exponential";
};
struct ConstantLaw {
  static constexpr std::string_view kind = "constant";
};
struct LognormalLaw {
  static constexpr std::string_view kind = "lognormal";
  double sigma = 1.0;
};
using StoreLaw = std::variant<ExponentialLaw, ConstantLaw, LognormalLaw>;

/// Costs by operation, in units of one read.
struct CostSettings {
  OperationCosts by_kind{};
  double existing_cost = 1.0;
  std::optional<double> missing_cost;
  CostSettings();
};

/// `/server`
struct ServerSettings {
  std::uint32_t workers = 20;
  sim::Duration front_end_time{};
  sim::Duration service_time = sim::microseconds(43);
  StoreLaw law;
  CostSettings costs;

  [[nodiscard]] ServerConfig station() const;
};

void describe(sim::config::Visitor& v, ExponentialLaw& c);
void describe(sim::config::Visitor& v, ConstantLaw& c);
void describe(sim::config::Visitor& v, LognormalLaw& c);
void describe(sim::config::Visitor& v, CostSettings& c);
void describe(sim::config::Visitor& v, ServerSettings& c);

}  // namespace recirc::model
