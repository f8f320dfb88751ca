#pragma once

#include <array>
#include <cstdint>

#include "pipeline/program.h"
#include "pipeline/switch.h"

namespace recirc::pipeline::programs {

/// Plain forwarding: one exact table from the destination address (Addresses) to a front port. A
/// packet to an unknown destination is dropped. Never recirculates.
class Forward final : public StepProgram<Forward> {
 public:
  struct Route {
    std::uint16_t port = 0;
  };

  /// `destinations` is the capacity of the table.
  explicit Forward(std::uint32_t destinations = 4096);

  [[nodiscard]] const Layout& layout() const override { return layout_; }
  [[nodiscard]] TableId routes() const { return TableId{0}; }

  /// Set-up of a switch whose program `tag` this is.
  void add_route(Switch& rmt_switch, ProtocolTag tag, std::uint16_t destination, PortId port) const;

  static constexpr auto ingress_steps() {
    return std::array{Step<Forward>{0, &Forward::look_up_port}};
  }
  static constexpr auto egress_steps() { return std::array<Step<Forward>, 0>{}; }

 private:
  void look_up_port(PassContext& context) const;

  Layout layout_;
};

}  // namespace recirc::pipeline::programs
