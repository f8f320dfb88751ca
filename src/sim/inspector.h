#pragma once

#include <cstdint>
#include <string_view>

namespace recirc::sim {

/// Receives the state of components as named values. Traces, invariant reports and the Python
/// side implement it; components only name what they hold.
class Inspector {
 public:
  virtual ~Inspector() = default;
  virtual void begin(std::string_view name) = 0;
  virtual void end() = 0;
  virtual void value(std::string_view name, std::int64_t value) = 0;
  virtual void text(std::string_view name, std::string_view value) = 0;
};

}  // namespace recirc::sim
