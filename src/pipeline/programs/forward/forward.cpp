#include "pipeline/programs/forward/forward.h"

#include "pipeline/programs/addresses.h"
#include "sim/error.h"

namespace recirc::pipeline::programs {

Forward::Forward(std::uint32_t destinations) {
  layout_.program = "forward";
  layout_.add(HeaderSpec{"addresses", {{"source", 16}, {"destination", 16}}, false, ""});
  layout_.add(TableSpec{"routes",
                        MatchKind::exact,
                        Gress::ingress,
                        0,
                        {{"addresses.destination", 16}},
                        destinations,
                        16});
}

void Forward::add_route(Switch& rmt_switch, ProtocolTag tag, std::uint16_t destination,
                        PortId port) const {
  if (!rmt_switch.table(tag, routes())
           .insert({destination, 0}, match_result(Route{port.value()}))) {
    throw sim::InvariantBroken("a destination has two routes, or there are too many");
  }
}

void Forward::look_up_port(PassContext& context) const {
  const Match match = context.lookup(routes(), {context.header<Addresses>().destination, 0});
  if (match) {
    context.forward(PortId{match.as<Route>().port});
  } else {
    context.drop();
  }
}

}  // namespace recirc::pipeline::programs
