#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "model/server.h"
#include "sim/config.h"

namespace recirc::model {

/// What keeps a server's metadata; a preset of the other settings of a server.
enum class Store : std::uint8_t { hdfs, rocksdb };
std::span<const sim::config::EnumName> names_of(Store store);

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
  Store store = Store::hdfs;  ///< whose costs these are by default
  OperationCosts by_kind{};
  double existing_cost = 1.0;
  std::optional<double> missing_cost;
  CostSettings() : CostSettings(Store::hdfs) {}
  explicit CostSettings(Store of);
};

/// Whether servers remember which requests they have carried out.
enum class Dedupe : std::uint8_t { off, on };
std::span<const sim::config::EnumName> names_of(Dedupe dedupe);

/// `/server`
struct ServerSettings {
  Store store = Store::hdfs;
  std::uint32_t workers = 20;
  sim::Duration front_end_time{};
  sim::Duration service_time = sim::microseconds(43);
  StoreLaw law;
  CostSettings costs;
  Dedupe dedupe = Dedupe::on;
  sim::Duration ack_timeout = sim::milliseconds(10);
  std::uint32_t receive_queue = 16'384;

  /// As the configuration of a system with this store begins.
  static ServerSettings of(Store store);
  [[nodiscard]] ServerConfig station() const;
};

void describe(sim::config::Visitor& v, ExponentialLaw& c);
void describe(sim::config::Visitor& v, ConstantLaw& c);
void describe(sim::config::Visitor& v, LognormalLaw& c);
void describe(sim::config::Visitor& v, CostSettings& c);
void describe(sim::config::Visitor& v, ServerSettings& c);

}  // namespace recirc::model
