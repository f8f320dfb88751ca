#include "pipeline/programs/directory/program.h"

#include <array>
#include <utility>

#include "pipeline/programs/directory/layout.h"
#include "pipeline/programs/directory/transitions.h"
#include "pipeline/programs/directory/wire.h"
#include "sim/rng.h"

namespace recirc::pipeline::programs::directory {
namespace {

enum class Obstacle : std::uint8_t {
  none,
  claim,      ///< another packet has the entry
  lock,       ///< the control plane has it
  old_round,  ///< what the packet is about is over
  too_small,  ///< of an eviction: the node may have other pages of the region
};

struct Bridge {
  bool found;
  Obstacle obstacle;
  Entry entry;
  State state;
  std::uint16_t sharers;
};

constexpr Event event_of(Kind kind) {
  switch (kind) {
    case Kind::read_request:
      return Event::read;
    case Kind::write_request:
      return Event::write;
    case Kind::evict:
      return Event::evict;
    case Kind::data:
      return Event::data;
    case Kind::dummy:
      return Event::dummy;
    case Kind::passthrough:
      return Event::passthrough;
    default:
      return Event::fin_ack;
  }
}

/// Those that change the entry.
constexpr bool is_claimer(Kind kind) {
  return kind == Kind::read_request || kind == Kind::write_request || kind == Kind::evict ||
         kind == Kind::fin_ack;
}

constexpr bool is_transient(State state) {
  return state == State::to_shared || state == State::to_modified;
}

constexpr bool is_request(Kind kind) {
  return kind == Kind::read_request || kind == Kind::write_request;
}

class DirectoryProgram final : public StepProgram<DirectoryProgram> {
 public:
  explicit DirectoryProgram(Wiring wiring) : layout_(make_layout()), wiring_(std::move(wiring)) {}

  [[nodiscard]] const Layout& layout() const override { return layout_; }

  static constexpr auto ingress_steps() {
    return std::array<Step<DirectoryProgram>, 10>{{{0, &DirectoryProgram::classify},
                                                   {0, &DirectoryProgram::look_up<0>},
                                                   {1, &DirectoryProgram::look_up<1>},
                                                   {2, &DirectoryProgram::look_up<2>},
                                                   {3, &DirectoryProgram::look_up<3>},
                                                   {4, &DirectoryProgram::look_up<4>},
                                                   {5, &DirectoryProgram::look_up<5>},
                                                   {state_stage, &DirectoryProgram::claim},
                                                   {sharers_stage, &DirectoryProgram::list},
                                                   {decide_stage, &DirectoryProgram::decide}}};
  }
  static constexpr auto egress_steps() {
    return std::array{Step<DirectoryProgram>{0, &DirectoryProgram::address}};
  }

 private:
  void classify(PassContext& context) const;
  template <unsigned table>
  void look_up(PassContext& context) const;
  void claim(PassContext& context) const;
  [[nodiscard]] bool is_lost(PassContext& context) const;
  [[nodiscard]] static Obstacle obstacle_of(const Header& header, Entry entry);
  void list(PassContext& context) const;
  void decide(PassContext& context) const;
  void turn_away(PassContext& context) const;
  void wait(PassContext& context) const;
  void conclude_first_pass(PassContext& context) const;
  void route_unclaimed(PassContext& context, std::uint16_t actions) const;
  void pass_on(PassContext& context) const;
  void route_second_pass(PassContext& context) const;
  void to_memory(PassContext& context) const;
  void answer(PassContext& context, Kind kind) const;

  void address(PassContext& context) const;
  void address_copy(PassContext& context) const;

  /// The header says all, and the packet goes round once more.
  void go_round(PassContext& context) const { context.recirculate(wiring_.loop, true); }
  [[nodiscard]] PortId port_of(std::uint16_t endpoint) const { return wiring_.ports[endpoint]; }

  Layout layout_;
  Wiring wiring_;
};

// --------------------------------------------------------------------------------- ingress ----

void DirectoryProgram::classify(PassContext& context) const {
  const auto& header = context.header<Header>();
  if (is_lost(context)) {
    context.drop();
    return context.finish();
  }
  if (header.kind != Kind::page && header.kind != Kind::synced) return;
  context.forward(port_of(header.addresses.destination));
  context.finish();
}

/// A fault, and none of the program's decisions.
bool DirectoryProgram::is_lost(PassContext& context) const {
  const auto& header = context.header<Header>();
  double share = 0;
  if (header.has(second_pass)) {
    share = wiring_.lost_claims;
  } else if (header.kind == Kind::fin_ack) {
    share = wiring_.lost_fin_acks;
  }
  if (share == 0) return false;
  const std::uint64_t pass = 2 * context.packet().id + (header.has(second_pass) ? 1 : 0);
  return sim::CounterRng{wiring_.loss_seed}.at(pass).next_unit() < share;
}

template <unsigned table>
void DirectoryProgram::look_up(PassContext& context) const {
  const auto& header = context.header<Header>();
  auto& bridge = context.metadata<Bridge>();
  if (bridge.found || header.has(second_pass) || header.has(for_memory)) return;
  const Match match = context.lookup(lookup_table(table), {header.page});
  if (!match) return;
  bridge.found = true;
  bridge.entry = match.as<Entry>();
}

void DirectoryProgram::claim(PassContext& context) const {
  const auto& header = context.header<Header>();
  auto& bridge = context.metadata<Bridge>();
  if (header.has(second_pass)) {
    context.execute(state_array, action::commit, header.entry, header.next);
  } else if (bridge.found) {
    bridge.obstacle = obstacle_of(header, bridge.entry);
    if (bridge.obstacle != Obstacle::none) return;
    const bool claims = is_claimer(header.kind) && wiring_.claims && !header.has(waits);
    bridge.state = static_cast<State>(
        context.execute(state_array, claims ? action::claim : action::look, bridge.entry.number));
    if (claims && bridge.state == State::none) bridge.obstacle = Obstacle::claim;
  }
}

Obstacle DirectoryProgram::obstacle_of(const Header& header, Entry entry) {
  if (!is_request(header.kind) && header.round != entry.round) return Obstacle::old_round;
  if (!is_claimer(header.kind)) return Obstacle::none;
  if (entry.locked) return Obstacle::lock;
  const bool too_small = header.kind == Kind::evict && header.region_bits < entry.region_bits;
  return too_small ? Obstacle::too_small : Obstacle::none;
}

void DirectoryProgram::list(PassContext& context) const {
  const auto& header = context.header<Header>();
  auto& bridge = context.metadata<Bridge>();
  if (header.has(second_pass)) {
    context.execute(sharers_array, action::write, header.entry, header.sharers);
  } else if (bridge.found) {
    bridge.sharers = static_cast<std::uint16_t>(
        context.execute(sharers_array, action::read, bridge.entry.number));
    if (header.kind == Kind::passthrough && is_transient(bridge.state)) {
      context.execute(invalidations_array, action::count, bridge.entry.number);
    }
  }
}

void DirectoryProgram::decide(PassContext& context) const {
  const auto& header = context.header<Header>();
  const auto& bridge = context.metadata<Bridge>();
  if (header.has(for_memory)) return to_memory(context);
  if (header.has(second_pass)) return route_second_pass(context);
  if (header.kind == Kind::sync) return pass_on(context);
  if (!bridge.found || bridge.obstacle != Obstacle::none) return turn_away(context);
  if (header.has(waits)) return wait(context);
  conclude_first_pass(context);
}

/// A region without an entry gets one from the control plane before anybody can have it.
void DirectoryProgram::turn_away(PassContext& context) const {
  const Kind kind = context.header<Header>().kind;
  const auto& bridge = context.metadata<Bridge>();
  const bool waits = bridge.obstacle == Obstacle::claim || bridge.obstacle == Obstacle::lock;
  if (is_request(kind) && bridge.obstacle != Obstacle::claim) return answer(context, Kind::nack);
  if (waits) return go_round(context);
  if (kind == Kind::evict) return answer(context, Kind::evicted);
  context.drop();
}

/// A packet that has the claim bit set in vain would keep away the fin_ack that it waits for.
void DirectoryProgram::wait(PassContext& context) const {
  if (!is_transient(context.metadata<Bridge>().state)) context.header<Header>().clear(waits);
  go_round(context);
}

void DirectoryProgram::conclude_first_pass(PassContext& context) const {
  auto& header = context.header<Header>();
  const auto& bridge = context.metadata<Bridge>();
  const Transition& step =
      transition(bridge.state, event_of(header.kind), bridge.sharers, header.node);
  header.region_bits = bridge.entry.region_bits;
  header.round = bridge.entry.round;
  if (!is_claimer(header.kind)) return route_unclaimed(context, step.actions);
  const auto others = static_cast<std::uint16_t>(bridge.sharers & ~(1U << header.node));
  header.entry = bridge.entry.number;
  header.next = static_cast<std::uint8_t>(step.next);
  header.sharers = after(step, bridge.sharers, header.node);
  header.actions = step.actions;
  header.targets = (step.actions & (invalidate | downgrade)) != 0 ? others : std::uint16_t{0};
  header.set(second_pass);
  go_round(context);
}

/// Pages, and the message that there is none: they do not change the entry.
void DirectoryProgram::route_unclaimed(PassContext& context, std::uint16_t actions) const {
  auto& header = context.header<Header>();
  if ((actions & (Action::fetch | Action::to_memory)) == 0) return context.drop();
  if (header.kind == Kind::data) {
    // Here and not in egress: behind the requester's port the copy would wait for other packets,
    // and who fetches the page once the sender is done would get an old one.
    context.mirror(wiring_.loop_session, {.truncate_to = 0, .payload = PayloadRule::share});
    header.addresses.destination = header.requester;
    return context.forward(port_of(header.requester));
  }
  if (header.kind == Kind::dummy) header.kind = Kind::fetch;
  header.set(for_memory);
  go_round(context);
}

/// Behind the pages that its node has sent before, which go round once, too.
void DirectoryProgram::pass_on(PassContext& context) const {
  context.header<Header>().set(for_memory);
  go_round(context);
}

void DirectoryProgram::route_second_pass(PassContext& context) const {
  auto& header = context.header<Header>();
  header.clear(second_pass);
  if ((header.actions & nack) != 0) {
    if (wiring_.conflict == ConflictPolicy::nack_backoff) return answer(context, Kind::nack);
    header.set(waits);
    return go_round(context);
  }
  if ((header.actions & acknowledge) != 0) return answer(context, Kind::evicted);
  if (header.targets != 0) return context.multicast(wiring_.all_nodes);
  if ((header.actions & grant) != 0) return answer(context, Kind::grant);
  if ((header.actions & conclude) != 0 && wiring_.grant == GrantPolicy::wait_all) {
    return answer(context, Kind::grant);
  }
  context.drop();
}

void DirectoryProgram::answer(PassContext& context, Kind kind) const {
  auto& header = context.header<Header>();
  header.kind = kind;
  header.addresses.destination = header.requester;
  context.forward(port_of(header.requester));
}

void DirectoryProgram::to_memory(PassContext& context) const {
  auto& header = context.header<Header>();
  const Match blade = context.lookup(translate_table, {header.page});
  if (!blade) return context.drop();
  header.addresses.destination = static_cast<std::uint16_t>(blade.result);
  context.forward(port_of(header.addresses.destination));
}

// ---------------------------------------------------------------------------------- egress ----

/// Egress knows its port. Of a multicast, each copy becomes what is for the node behind that port.
void DirectoryProgram::address(PassContext& context) const {
  if (context.is_mirrored()) return address_copy(context);
  auto& header = context.header<Header>();
  const auto to_loop = [&] { context.mirror(wiring_.loop_session); };
  const bool fetches = (header.actions & Action::fetch) != 0;
  if (context.route() != Verdict::multicast) {
    if (header.kind == Kind::grant && fetches) to_loop();
    return;
  }
  const unsigned node = wiring_.node_of_port[context.packet().egress_port.value()];
  if ((header.targets >> node & 1U) != 0) {
    header.kind = Kind::invalidation;
    if ((header.actions & invalidate) != 0) header.set(give_up_copies);
    if ((header.actions & wants_data) != 0) header.set(data_wanted);
    header.addresses.destination = static_cast<std::uint16_t>(node);
    return;
  }
  if (node != header.node) return context.drop();
  header.kind = Kind::grant;
  header.addresses.destination = header.requester;
  if (fetches) to_loop();
  if (wiring_.grant == GrantPolicy::wait_all) context.drop();
}

/// The mirror of a granted request asks memory for the page; that of a page is for memory to keep.
void DirectoryProgram::address_copy(PassContext& context) const {
  auto& header = context.header<Header>();
  header.kind = header.kind == Kind::data ? Kind::passthrough : Kind::fetch;
  header.set(for_memory);
}

}  // namespace

std::span<const sim::config::EnumName> names_of(GrantPolicy /*policy*/) {
  static constexpr sim::config::EnumName names[] = {
      {"wait_all", GrantPolicy::wait_all, "when the last holder has said that its copy is gone"},
      {"early", GrantPolicy::early, "as soon as the page is there (MIND with TSO)"}};
  return names;
}

std::span<const sim::config::EnumName> names_of(ConflictPolicy /*policy*/) {
  static constexpr sim::config::EnumName names[] = {
      {"nack_backoff", ConflictPolicy::nack_backoff, "it is refused and asks again later (MIND)"},
      {"queue", ConflictPolicy::queue, "it goes round in the switch until the region is free"}};
  return names;
}

std::unique_ptr<Program> make_program(Wiring wiring) {
  return std::make_unique<DirectoryProgram>(std::move(wiring));
}

}  // namespace recirc::pipeline::programs::directory
