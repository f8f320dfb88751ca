#include "pipeline/programs/netcache/program.h"

#include <algorithm>
#include <array>
#include <utility>

#include "pipeline/programs/netcache/layout.h"
#include "pipeline/programs/sketch_hashes.h"

namespace recirc::pipeline::programs::netcache {
namespace {

/// Of a report to the controller: headers, key and a path of the longest name.
constexpr std::uint16_t report_bytes = 320;

/// What ingress has decided that egress shall do.
enum class EgressStep : std::uint8_t {
  nothing,
  serve,        ///< a read of a cached item
  count,        ///< an uncached read goes to its server: sketch
  invalidate,   ///< a write of a cached item goes to its server
  apply,        ///< an answer to a write: bring the item up to date, clone, acknowledge
  acknowledge,  ///< likewise, and the item is no longer there
};

enum class ValueStep : std::uint8_t { nothing, read, write };

/// Zero at the start of every ingress, bridged to egress.
struct Bridge {
  EgressStep step;
  ValueStep value_step;
  bool look_up : 1;
  bool found : 1;
  bool hot : 1;  ///< the sketch says so
  Location location;
  std::uint16_t estimate;
  std::uint16_t length;
  std::array<std::uint32_t, std::size_t{2} * max_slots> words;
};
static_assert(std::is_trivially_copyable_v<Bridge> && sizeof(Bridge) <= Packet::metadata_bytes);

class NetCacheProgram final : public StepProgram<NetCacheProgram> {
 public:
  explicit NetCacheProgram(Wiring wiring) : layout_(make_layout()), wiring_(std::move(wiring)) {}

  [[nodiscard]] const Layout& layout() const override { return layout_; }

  static constexpr auto ingress_steps() {
    return std::array<Step<NetCacheProgram>, 6>{{{0, &NetCacheProgram::classify},
                                                 {0, &NetCacheProgram::look_up<0>},
                                                 {1, &NetCacheProgram::look_up<1>},
                                                 {2, &NetCacheProgram::look_up<2>},
                                                 {3, &NetCacheProgram::look_up<3>},
                                                 {4, &NetCacheProgram::route}}};
  }
  static constexpr auto egress_steps() {
    return std::array<Step<NetCacheProgram>, 12>{{{0, &NetCacheProgram::check_validity},
                                                  {1, &NetCacheProgram::measure},
                                                  {2, &NetCacheProgram::filter},
                                                  {3, &NetCacheProgram::access_values<3>},
                                                  {4, &NetCacheProgram::access_values<4>},
                                                  {5, &NetCacheProgram::access_values<5>},
                                                  {6, &NetCacheProgram::access_values<6>},
                                                  {7, &NetCacheProgram::access_values<7>},
                                                  {8, &NetCacheProgram::access_values<8>},
                                                  {9, &NetCacheProgram::access_values<9>},
                                                  {10, &NetCacheProgram::access_values<10>},
                                                  {11, &NetCacheProgram::conclude}}};
  }

 private:
  // Ingress.
  void classify(PassContext& context) const;
  template <unsigned table>
  void look_up(PassContext& context) const;
  void route(PassContext& context) const;

  // Egress.
  void check_validity(PassContext& context) const;
  void begin_applying(PassContext& context) const;
  void measure(PassContext& context) const;
  void filter(PassContext& context) const;
  template <unsigned stage>
  void access_values(PassContext& context) const;
  void conclude(PassContext& context) const;
  void finish_copy(PassContext& context) const;
  void acknowledge(PassContext& context) const;

  [[nodiscard]] PortId port_of(std::uint16_t endpoint) const { return wiring_.ports[endpoint]; }
  void mirror_to(PassContext& context, std::uint16_t endpoint) const {
    context.mirror(wiring_.sessions[endpoint], {.truncate_to = 0, .payload = PayloadRule::move});
  }

  Layout layout_;
  Wiring wiring_;
};

// --------------------------------------------------------------------------------- ingress ----

void NetCacheProgram::classify(PassContext& context) const {
  const auto& header = context.header<Header>();
  switch (header.kind) {
    case Kind::read_request:
    case Kind::write_request:
    case Kind::cached_answer:
      context.metadata<Bridge>().look_up = true;
      return;
    case Kind::answer:
    case Kind::ack:
    case Kind::report:
    case Kind::control:
      context.forward(port_of(header.addresses.destination));
      return context.finish();
  }
}

template <unsigned table>
void NetCacheProgram::look_up(PassContext& context) const {
  auto& bridge = context.metadata<Bridge>();
  if (!bridge.look_up || bridge.found) return;
  const Match match = context.lookup(lookup_table(table), {context.header<Header>().key, 0});
  if (!match) return;
  bridge.found = true;
  bridge.location = match.as<Location>();
}

/// Everything leaves by its server's port, in whose egress pipe the item lies; an answer comes
/// back there as its acknowledgement.
void NetCacheProgram::route(PassContext& context) const {
  auto& header = context.header<Header>();
  auto& bridge = context.metadata<Bridge>();
  switch (header.kind) {
    case Kind::read_request:
      if (bridge.found) {
        bridge.step = EgressStep::serve;
      } else if (wiring_.reports && (context.random(0) & 0xffffU) < wiring_.sampled) {
        bridge.step = EgressStep::count;
      }
      return context.forward(port_of(header.addresses.destination));
    case Kind::write_request:
      if (bridge.found) {
        header.set(cached);
        bridge.step = EgressStep::invalidate;
      }
      return context.forward(port_of(header.addresses.destination));
    default:
      bridge.step = bridge.found ? EgressStep::apply : EgressStep::acknowledge;
      return context.forward(port_of(header.addresses.source));
  }
}

// ---------------------------------------------------------------------------------- egress ----

void NetCacheProgram::check_validity(PassContext& context) const {
  if (context.is_mirrored()) return finish_copy(context);
  auto& header = context.header<Header>();
  auto& bridge = context.metadata<Bridge>();
  switch (bridge.step) {
    case EgressStep::nothing:
      return context.finish();
    case EgressStep::serve:
      if (context.execute(validity_array, action::read, bridge.location.item) == 0) {
        header.set(invalid);
        return context.finish();
      }
      bridge.value_step = ValueStep::read;
      return;
    case EgressStep::invalidate:
      context.execute(validity_array, action::clear, bridge.location.item);
      return context.finish();
    case EgressStep::count: {
      const std::uint32_t first =
          context.execute(sketch_array(0), action::count, row_index(0, header.key));
      const std::uint32_t second =
          context.execute(sketch_array(1), action::count, row_index(1, header.key));
      bridge.estimate = static_cast<std::uint16_t>(std::min(first, second));
      return;
    }
    case EgressStep::apply:
      return begin_applying(context);
    case EgressStep::acknowledge:
      acknowledge(context);
      return context.finish();
  }
}

void NetCacheProgram::begin_applying(PassContext& context) const {
  const auto& header = context.header<Header>();
  auto& bridge = context.metadata<Bridge>();
  context.execute(validity_array, header.effect == Effect::retract ? action::clear : action::set,
                  bridge.location.item);
  if (header.effect != Effect::update) return;
  bridge.value_step = ValueStep::write;
  for (unsigned i = 0; i < max_slots; ++i) {
    bridge.words[2 * i] = static_cast<std::uint32_t>(header.slots[i]);
    bridge.words[2 * i + 1] = static_cast<std::uint32_t>(header.slots[i] >> 32U);
  }
}

void NetCacheProgram::measure(PassContext& context) const {
  const auto& header = context.header<Header>();
  auto& bridge = context.metadata<Bridge>();
  if (bridge.value_step == ValueStep::read) {
    context.execute(hits_array, action::count, bridge.location.item);
    bridge.length = static_cast<std::uint16_t>(
        context.execute(length_array, action::read, bridge.location.item));
  } else if (bridge.step == EgressStep::count) {
    const std::uint32_t third =
        context.execute(sketch_array(2), action::count, row_index(2, header.key));
    const std::uint32_t fourth =
        context.execute(sketch_array(3), action::count, row_index(3, header.key));
    bridge.estimate =
        static_cast<std::uint16_t>(std::min({std::uint32_t{bridge.estimate}, third, fourth}));
    bridge.hot = bridge.estimate >= wiring_.threshold;
    if (!bridge.hot) context.finish();
  }
}

/// A hot path is reported once: the filter remembers it until its next reset.
void NetCacheProgram::filter(PassContext& context) const {
  if (!context.metadata<Bridge>().hot) return;
  auto& header = context.header<Header>();
  unsigned known = 0;
  for (unsigned row = 0; row < bloom_rows; ++row) {
    const std::uint32_t bit = row_index(row + 1, header.key) ^ (row_index(row, header.key) << 2U);
    known += context.execute(bloom_array(row), action::mark, bit & (bloom_bits - 1));
  }
  if (known < bloom_rows) {
    header.set(reported);
    context.mirror(wiring_.sessions[wiring_.controller],
                   {.truncate_to = report_bytes, .payload = PayloadRule::keep});
  }
  context.finish();
}

template <unsigned stage>
void NetCacheProgram::access_values(PassContext& context) const {
  auto& bridge = context.metadata<Bridge>();
  if (bridge.value_step == ValueStep::nothing) return;
  constexpr unsigned first_word = (stage - first_value_stage) * arrays_per_stage;
  for (unsigned word = first_word; word < first_word + arrays_per_stage; ++word) {
    const unsigned slot = word / 2;
    if ((bridge.location.slots >> slot & 1U) == 0) continue;
    // A record's slots follow each other.
    unsigned rank = slot;
    while (rank > 0 && (bridge.location.slots >> (rank - 1) & 1U) != 0) --rank;
    std::uint32_t& value = bridge.words[2 * (slot - rank) + word % 2];
    if (bridge.value_step == ValueStep::write) {
      context.execute(value_array(word), action::write, bridge.location.row, value);
    } else {
      value = context.execute(value_array(word), action::read, bridge.location.row);
    }
  }
}

void NetCacheProgram::conclude(PassContext& context) const {
  auto& header = context.header<Header>();
  const auto& bridge = context.metadata<Bridge>();
  if (bridge.step == EgressStep::apply) return acknowledge(context);
  // A hit. Egress cannot choose a port: a clone takes the record to the client.
  header.kind = Kind::answer;
  header.set(hit);
  for (unsigned i = 0; i < max_slots; ++i) {
    header.slots[i] = (std::uint64_t{bridge.words[2 * i + 1]} << 32U) | bridge.words[2 * i];
  }
  header.turn_around();
  context.set_length(context.packet().length + sim::Bytes{bridge.length});
  mirror_to(context, header.addresses.destination);
  context.drop();
}

/// The answer leaves as a mirror to its client; the original is the acknowledgement.
void NetCacheProgram::acknowledge(PassContext& context) const {
  auto& header = context.header<Header>();
  header.kind = Kind::ack;
  mirror_to(context, header.addresses.destination);
  header.turn_around();
}

/// Mirrors are copies of what egress left: here they become what they are for.
void NetCacheProgram::finish_copy(PassContext& context) const {
  auto& header = context.header<Header>();
  if (header.kind == Kind::ack) {
    header.kind = Kind::answer;
    header.turn_around();
  } else if (header.has(reported)) {
    header.kind = Kind::report;
    header.addresses.destination = wiring_.controller;
  }
  context.finish();
}

}  // namespace

std::unique_ptr<Program> make_program(Wiring wiring) {
  return std::make_unique<NetCacheProgram>(std::move(wiring));
}

}  // namespace recirc::pipeline::programs::netcache
