#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/config.h"

// A configuration with a field of every type that can be described.
namespace fixture {

namespace config = recirc::sim::config;

enum class Loop : std::uint8_t { cable, native, none };
inline constexpr config::EnumName loop_names[] = {
    {"cable", Loop::cable, "a real cable"}, {"native", Loop::native}, {"none", Loop::none}};
inline std::span<const config::EnumName> names_of(Loop /*unused*/) { return loop_names; }

struct Exponential {
  static constexpr std::string_view kind = "exponential";
  bool operator==(const Exponential&) const = default;
};
struct Lognormal {
  static constexpr std::string_view kind = "lognormal";
  static constexpr std::string_view kind_doc = "Heavy-tailed.";
  double sigma = 0.4;
  bool operator==(const Lognormal&) const = default;
};
struct Trace {
  static constexpr std::string_view kind = "trace";
  std::string file;
  bool operator==(const Trace&) const = default;
};
void describe(config::Visitor& v, Exponential& c);
void describe(config::Visitor& v, Lognormal& c);
void describe(config::Visitor& v, Trace& c);

struct Client {
  std::uint32_t window = 8;
  std::uint32_t in_flight = 4;
  std::optional<recirc::sim::Duration> timeout;
  bool operator==(const Client&) const = default;
};
void describe(config::Visitor& v, Client& c);
void validate(const Client& c, config::Issues& issues);

struct World {
  std::string system = "fletch";
  bool verbose = false;
  std::int32_t offset = -3;
  std::uint32_t workers = 20;
  std::int64_t balance = -5;
  std::uint64_t seed = 1;
  std::uint64_t files = 31'981'446;
  double zipf = 0.9;
  recirc::sim::Duration store_time = recirc::sim::microseconds(43);
  recirc::sim::Bytes buffer{4 * 1024 * 1024};
  recirc::sim::BitsPerSecond rate = recirc::sim::gigabits_per_second(100);
  Loop loop = Loop::cable;
  std::variant<Exponential, Lognormal, Trace> law;
  Client client;
  std::vector<Client> more_clients;
  std::vector<recirc::sim::Duration> delays;
  std::array<double, 3> weights{0.5, 0.25, 0.25};
  std::optional<std::uint64_t> cap;
  std::optional<Client> spare;
  std::string note;
  bool operator==(const World&) const = default;
};
void describe(config::Visitor& v, World& c);

/// The issues of a text, each as "pointer: message (suggestion)"; empty if it is fine.
std::vector<std::string> issues_of(const std::string& text,
                                   const std::vector<std::string>& overrides = {});
/// The world that a text and overrides describe.
World world_of(const std::string& text, const std::vector<std::string>& overrides = {});

}  // namespace fixture
