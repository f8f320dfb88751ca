#include "pipeline/programs/fletch/layout.h"

#include <string>
#include <utility>
#include <vector>

#include "pipeline/register_action.h"

namespace recirc::pipeline::programs::fletch {
namespace {

void add_headers(Layout& layout, unsigned server_pipes) {
  layout.add(HeaderSpec{
      .name = "network", .fields = {{"ethernet", 112}, {"ipv4", 160}, {"udp", 64}}, .overlay = ""});
  HeaderSpec operation{
      .name = "operation",
      .fields = {{"kind", 8}, {"flags", 8}, {"depth", 4}, {"level", 4}, {"user", 4}, {"held", 8}},
      .overlay = ""};
  if (server_pipes > 1) {
    operation.fields.push_back({"pipe", 2});
    operation.fields.push_back({"copies", 6});
  }
  layout.add(operation);
  HeaderSpec keys{.name = "keys", .fields = {}, .overlay = "body"};
  HeaderSpec value{.name = "value", .fields = {{"key", 64}, {"token", 8}}, .overlay = "body"};
  for (unsigned i = 0; i < max_keys; ++i) {
    keys.fields.push_back({"key" + std::to_string(i), 64});
    keys.fields.push_back({"token" + std::to_string(i), 8});
  }
  for (unsigned i = 0; i < max_slots; ++i) {
    value.fields.push_back({"slot" + std::to_string(i), slot_bytes * 8});
  }
  layout.add(keys);
  layout.add(value);
  layout.add(HeaderSpec{.name = "bridge",
                        .fields = {{"step", 8},
                                   {"counter", 16},
                                   {"row", 16},
                                   {"slots", 16},
                                   {"lock_op", 4},
                                   {"locks", 8},
                                   {"lock_index", 16},
                                   {"look_up", 2},
                                   {"level_hit", 1},
                                   {"last_hit", 1},
                                   {"raised", 1},
                                   {"valid", 1},
                                   {"value_step", 2},
                                   {"wanted", 16},
                                   {"estimate", 16},
                                   {"length", 16},
                                   {"permission", 32}},
                        .metadata = true,
                        .overlay = ""});
  if (server_pipes > 1) layout.headers.back().fields.push_back({"copies", server_pipes});
}

TableSpec lookup_table(const char* name, std::uint8_t stage, const char* key, std::uint32_t entries,
                       std::uint32_t result_bits) {
  return {.name = name,
          .match = MatchKind::exact,
          .gress = Gress::ingress,
          .stage = stage,
          .key = {{std::string(key) + "key", 64}, {std::string(key) + "token", 8}},
          .entries = entries,
          .result_bits = result_bits};
}

// The split into a small and a large table is the released program's: neither stage has room for
// both. Where servers are on several pipes, a level is looked up for one of them, and the last key
// tells which have the path.
void add_tables(Layout& layout, unsigned server_pipes) {
  const auto add_levels = [&](const char* name, std::uint8_t stage, std::uint32_t entries) {
    constexpr std::uint32_t location_bits = 48;
    TableSpec table = lookup_table(name, stage, "keys.current_", entries, location_bits);
    if (server_pipes > 1) table.key.push_back({"operation.pipe", 2});
    layout.add(table);
  };
  add_levels("level_small", 0, small_table_entries);
  layout.add(lookup_table("last_small", 1, "keys.last_", small_table_entries, server_pipes));
  layout.add(lookup_table("last_large", 2, "keys.last_", large_table_entries, server_pipes));
  add_levels("level_large", 3, large_table_entries);
}

/// A flag that is one when the record is readable, and above by the writes that are on their way:
/// where writes are acknowledged early, the answer to one must not hide the next.
std::vector<RegisterAction> pending_flag_actions() {
  const RegisterAction read{"read",
                            {{just(old_low()), Comparison::equal, constant(1)}},
                            {},
                            {{OutputSource::one, if_first}}};
  const RegisterAction set{
      "set",
      {{just(old_low()), Comparison::greater, constant(1)}},
      {{if_first, Word::low, combine(old_low(), AluOp::subtract, constant(1))}},
      {}};
  const RegisterAction clear{
      "clear",
      {},
      {{always, Word::low, combine(old_low(), AluOp::add_saturating, constant(1))}},
      {}};
  return {read, set, clear};
}

std::vector<RegisterAction> counter_actions() {
  return {named("raise", add_action(1)), named("lower", take_action(1)),
          named("is_free", is_zero_action())};
}

/// The low word counts the reads, the high one the writes that wait for them.
std::vector<RegisterAction> pending_actions() {
  const RegisterAction raise{"raise",
                             {{just(old_high()), Comparison::equal, constant(0)}},
                             {{if_first, Word::low, combine(old_low(), AluOp::add, constant(1))}},
                             {{OutputSource::one, if_first}}};
  const RegisterAction lower{
      "lower",
      {},
      {{always, Word::low, combine(old_low(), AluOp::subtract_saturating, constant(1))}},
      {}};
  // A write comes with a = 1 at first, and with b = 1 when it waits already.
  const RegisterAction claim{
      "claim",
      {{just(old_low()), Comparison::equal, constant(0)}},
      {{unless_first, Word::high, combine(old_high(), AluOp::add, operand_a())},
       {if_first, Word::high, combine(old_high(), AluOp::subtract_saturating, operand_b())}},
      {{OutputSource::one, if_first}}};
  return {raise, lower, named("is_free", is_zero_action()), claim};
}

void add_arrays(Layout& layout, const Placement& placement, const LockPlan& locks,
                bool write_back) {
  const auto add = [&layout](std::string name, Gress gress, unsigned stage, std::uint32_t entries,
                             RegisterWidth width, std::vector<RegisterAction> actions) {
    layout.add(ArraySpec{.name = std::move(name),
                         .gress = gress,
                         .stage = static_cast<std::uint8_t>(stage),
                         .entries = entries,
                         .width = width,
                         .actions = std::move(actions)});
  };
  const RegisterAction read = named("read", read_action());
  const RegisterAction write = named("write", write_action());
  if (write_back) {
    add("validation", Gress::egress, 0, cached_records, RegisterWidth::half,
        pending_flag_actions());
  } else {
    add("validation", Gress::egress, 0, cached_records, RegisterWidth::bit,
        {read, named("set", set_constant_action(1)), named("clear", set_constant_action(0))});
  }
  add("length", Gress::egress, 1, cached_records, RegisterWidth::half, {read, write});
  add("frequency", Gress::egress, 1, cached_records, RegisterWidth::word,
      {named("count", add_action(1))});
  const RegisterAction count = count_action();
  for (unsigned row = 0; row < sketch_rows; ++row) {
    add("sketch" + std::to_string(row), Gress::egress, row < 2 ? 0 : 1, sketch_counters,
        RegisterWidth::half, {count});
  }
  for (unsigned word = 0; word < value_arrays; ++word) {
    add("value" + std::to_string(word), Gress::egress, placement.value[word], value_rows,
        RegisterWidth::word, {read, write});
  }
  for (unsigned array = 1; array <= locks.arrays; ++array) {
    add("lock" + std::to_string(array), Gress::ingress, placement.lock[array - 1], lock_counters,
        locks.width, locks.kind == LockKind::write_pending ? pending_actions() : counter_actions());
  }
}

// `route` reads what the lock arrays of its own stage return, and `resolve` of the prototype's
// placement what the last value arrays do: the pinned stages leave no later one.
void add_computations(Layout& layout, unsigned server_pipes) {
  const auto add = [&layout](const char* name, Gress gress, std::uint8_t stage,
                             std::vector<std::string> reads, std::vector<std::string> writes) {
    layout.add(Computation{name, gress, stage, std::move(reads), std::move(writes)});
  };
  add("classify", Gress::ingress, 0, {"operation.kind", "operation.flags"}, {"bridge.look_up"});
  add("plan_locks", Gress::ingress, 3,
      {"operation.kind", "operation.flags", "operation.depth", "operation.level", "operation.held",
       "bridge.last_hit"},
      {"bridge.lock_op", "bridge.locks", "bridge.lock_index"});
  add("route", Gress::ingress, 11,
      {"operation.kind", "operation.flags", "operation.level", "bridge.last_hit",
       "bridge.level_hit", "bridge.raised", "operation.held", "keys.key2", "keys.token1",
       "keys.key3"},
      {"bridge.step", "operation.flags", "operation.held", "operation.depth", "keys.key0",
       "keys.token0", "keys.key1"});
  add("plan_values", Gress::egress, 1,
      {"operation.level", "operation.depth", "bridge.step", "bridge.valid", "bridge.slots"},
      {"bridge.value_step", "bridge.wanted"});
  add("resolve", Gress::egress, 11,
      {"operation.user", "operation.level", "operation.depth", "bridge.step", "bridge.length",
       "bridge.permission"},
      {"operation.kind", "operation.flags", "operation.level", "operation.held"});
  if (server_pipes > 1) {
    add("next_copy", Gress::ingress, 11,
        {"operation.pipe", "operation.copies", "bridge.copies", "bridge.level_hit"},
        {"operation.pipe", "operation.copies"});
  }
}

/// The counter moves on in the access that reads it; the table after it, or the difference, says
/// whether it did.
void add_sequence(Layout& layout, const SequenceSpec& sequence, unsigned server_pipes) {
  layout.add(
      HeaderSpec{.name = "sequence", .fields = {{"counter", 16}, {"number", 8}}, .overlay = ""});
  layout.add(HeaderSpec{.name = "sequence_bridge",
                        .fields = {{"expected", 8}, {"repeated", 1}, {"ahead", 1}},
                        .metadata = true,
                        .overlay = ""});
  layout.add(TableSpec{.name = "sequence_index",
                       .match = MatchKind::exact,
                       .gress = Gress::ingress,
                       .stage = 0,
                       .key = {{"network.source", 32}, {"sequence.counter", 16}},
                       .entries = sequence.counters,
                       .result_bits = 16});
  if (sequence.comparing == Comparing::equality) {
    layout.add(
        TableSpec{.name = "sequence_match",
                  .match = MatchKind::exact,
                  .gress = Gress::ingress,
                  .stage = 1,
                  .key = {{"sequence_bridge.expected", 8}, {"sequence.number", 8}},
                  .entries = 2 * sequence_numbers,  // the released program's size; half is used
                  .result_bits = 1});
  } else {
    layout.add(Computation{"compare_numbers",
                           Gress::ingress,
                           1,
                           {"sequence_bridge.expected", "sequence.number"},
                           {"sequence_bridge.repeated", "sequence_bridge.ahead"}});
  }
  RegisterAction take;
  take.name = "take";
  take.conditions = {{just(old_low()), Comparison::equal, operand_a()}};
  take.updates = {{if_first, Word::low, combine(old_low(), AluOp::add, constant(1))}};
  take.outputs = {{.source = OutputSource::old_low}};
  layout.add(ArraySpec{.name = "sequence",
                       .gress = Gress::ingress,
                       .stage = 0,
                       .entries = sequence.counters,
                       .width = RegisterWidth::byte,
                       .actions = {take}});
  if (server_pipes > 1) layout.arrays.back().actions.push_back(named("peek", read_action()));
}

}  // namespace

Layout make_layout(Placing placing, const LockPlan& locks, SequenceSpec sequence, bool write_back,
                   unsigned server_pipes) {
  const bool paper = placing == Placing::paper;
  Layout layout;
  layout.program = paper ? "fletch" : "fletch (prototype's stages)";
  layout.parser_rows = 2 * max_keys + 8;
  add_headers(layout, server_pipes);
  add_tables(layout, server_pipes);
  if (locks.kind == LockKind::write_pending) {
    add_arrays(layout, paper ? paper_pending_placement : prototype_pending_placement, locks,
               write_back);
  } else {
    add_arrays(layout, paper ? paper_placement : prototype_placement, locks, write_back);
  }
  add_computations(layout, server_pipes);
  if (server_pipes > 1) layout.program += " for " + std::to_string(server_pipes) + " server pipes";
  if (sequence.comparing != Comparing::off) {
    layout.program += " with sequence numbers";
    add_sequence(layout, sequence, server_pipes);
  }
  return layout;
}

}  // namespace recirc::pipeline::programs::fletch
