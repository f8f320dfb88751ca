#include "pipeline/programs/netcache/layout.h"

#include <string>
#include <utility>
#include <vector>

#include "pipeline/register_action.h"

namespace recirc::pipeline::programs::netcache {
namespace {

void add_headers(Layout& layout) {
  layout.add(HeaderSpec{
      .name = "network", .fields = {{"ethernet", 112}, {"ipv4", 160}, {"udp", 64}}, .overlay = ""});
  HeaderSpec item{
      .name = "item", .fields = {{"kind", 8}, {"flags", 8}, {"key", key_bytes * 8}}, .overlay = ""};
  HeaderSpec value{.name = "value", .fields = {}, .overlay = ""};
  for (unsigned i = 0; i < max_slots; ++i) {
    value.fields.push_back({"slot" + std::to_string(i), slot_bytes * 8});
  }
  layout.add(item);
  layout.add(value);
  layout.add(HeaderSpec{.name = "bridge",
                        .fields = {{"item", 16},
                                   {"row", 16},
                                   {"slots", 16},
                                   {"found", 1},
                                   {"valid", 1},
                                   {"step", 3},
                                   {"value_step", 2},
                                   {"length", 16},
                                   {"estimate", 16}},
                        .metadata = true,
                        .overlay = ""});
}

void add_tables(Layout& layout) {
  for (unsigned i = 0; i < lookup_tables; ++i) {
    layout.add(TableSpec{.name = "lookup" + std::to_string(i),
                         .match = MatchKind::exact,
                         .gress = Gress::ingress,
                         .stage = static_cast<std::uint8_t>(i),
                         .key = {{"item.key", key_bytes * 8}},
                         .entries = items_per_table,
                         .result_bits = 48});
  }
}

void add_arrays(Layout& layout) {
  const auto add = [&layout](std::string name, unsigned stage, std::uint32_t entries,
                             RegisterWidth width, std::vector<RegisterAction> actions) {
    layout.add(ArraySpec{.name = std::move(name),
                         .gress = Gress::egress,
                         .stage = static_cast<std::uint8_t>(stage),
                         .entries = entries,
                         .width = width,
                         .actions = std::move(actions)});
  };
  const RegisterAction read = named("read", read_action());
  const RegisterAction write = named("write", write_action());
  add("validity", 0, most_items, RegisterWidth::bit,
      {read, named("set", set_constant_action(1)), named("clear", set_constant_action(0))});
  add("length", 1, most_items, RegisterWidth::byte, {read, write});
  const RegisterAction count = count_action();
  add("hits", 1, most_items, RegisterWidth::half, {count});
  for (unsigned row = 0; row < sketch_rows; ++row) {
    add("sketch" + std::to_string(row), row < 2 ? 0 : 1, sketch_counters, RegisterWidth::half,
        {count});
  }
  for (unsigned row = 0; row < bloom_rows; ++row) {
    add("bloom" + std::to_string(row), 2, bloom_bits, RegisterWidth::bit,
        {named("mark", set_constant_action(1))});
  }
  for (unsigned word = 0; word < value_arrays; ++word) {
    add("value" + std::to_string(word), first_value_stage + word / arrays_per_stage, value_rows,
        RegisterWidth::word, {read, write});
  }
}

void add_computations(Layout& layout) {
  const auto add = [&layout](const char* name, Gress gress, std::uint8_t stage,
                             std::vector<std::string> reads, std::vector<std::string> writes) {
    layout.add(Computation{name, gress, stage, std::move(reads), std::move(writes)});
  };
  add("route", Gress::ingress, 4, {"item.kind", "item.flags", "bridge.found"},
      {"bridge.step", "item.flags"});
  add("plan_values", Gress::egress, 1, {"bridge.step", "bridge.valid"}, {"bridge.value_step"});
  add("report", Gress::egress, 3, {"bridge.estimate"}, {"item.flags"});
  add("conclude", Gress::egress, 11, {"bridge.step", "bridge.value_step", "bridge.length"},
      {"item.kind", "item.flags"});
}

}  // namespace

Layout make_layout() {
  Layout layout;
  layout.program = "netcache";
  layout.parser_rows = 12;
  add_headers(layout);
  add_tables(layout);
  add_arrays(layout);
  add_computations(layout);
  return layout;
}

}  // namespace recirc::pipeline::programs::netcache
