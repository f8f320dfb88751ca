#include "pipeline/programs/directory/layout.h"

#include <string>
#include <utility>
#include <vector>

#include "pipeline/register_action.h"

namespace recirc::pipeline::programs::directory {
namespace {

void add_headers(Layout& layout) {
  layout.add(HeaderSpec{
      .name = "network", .fields = {{"ethernet", 112}, {"ipv4", 160}, {"udp", 64}}, .overlay = ""});
  // RDMA: base transport header, and address, key and length of a read or write.
  layout.add(HeaderSpec{.name = "rdma",
                        .fields = {{"base", 96}, {"page", 64}, {"key", 32}, {"length", 32}},
                        .overlay = ""});
  layout.add(HeaderSpec{.name = "directory",
                        .fields = {{"kind", 8},
                                   {"flags", 8},
                                   {"region_bits", 8},
                                   {"node", 8},
                                   {"round", 8},
                                   {"ask", 16},
                                   {"requester", 16},
                                   {"entry", 16},
                                   {"sharers", 16},
                                   {"targets", 16},
                                   {"next", 8},
                                   {"actions", 16}},
                        .overlay = ""});
  layout.add(HeaderSpec{.name = "bridge",
                        .fields = {{"found", 1}, {"verdict", 8}, {"state", 8}, {"sharers", 16}},
                        .metadata = true,
                        .overlay = ""});
}

/// Sets the claim bit; gives the state, or 0 when another packet has the entry.
RegisterAction claim_action() {
  return {"claim",
          {{just(old_high()), Comparison::equal, constant(0)}},
          {{if_first, Word::high, just(constant(1))}},
          {{OutputSource::old_low, if_first}}};
}

RegisterAction commit_action() {
  return {"commit",
          {},
          {{always, Word::low, just(operand_a())}, {always, Word::high, just(constant(0))}},
          {}};
}

}  // namespace

Layout make_layout() {
  Layout layout;
  layout.program = "directory";
  layout.parser_rows = 16;
  layout.ingress_mirror = true;
  add_headers(layout);
  for (unsigned i = 0; i < lookup_tables; ++i) {
    layout.add(TableSpec{.name = "region" + std::to_string(i),
                         .match = MatchKind::longest_prefix,
                         .gress = Gress::ingress,
                         .stage = static_cast<std::uint8_t>(i),
                         .key = {{"rdma.page", 64}},
                         .entries = entries_per_table,
                         .result_bits = 33});
  }
  layout.add(TableSpec{.name = "translate",
                       .match = MatchKind::ternary,
                       .gress = Gress::ingress,
                       .stage = decide_stage,
                       .key = {{"rdma.page", 64}},
                       .entries = most_ranges,
                       .result_bits = 16});
  layout.add(ArraySpec{.name = "state",
                       .gress = Gress::ingress,
                       .stage = state_stage,
                       .entries = most_entries,
                       .width = RegisterWidth::half_pair,
                       .actions = {claim_action(), commit_action(), named("look", read_action())}});
  layout.add(ArraySpec{.name = "sharers",
                       .gress = Gress::ingress,
                       .stage = sharers_stage,
                       .entries = most_entries,
                       .width = RegisterWidth::half,
                       .actions = {named("read", read_action()), named("write", write_action())}});
  layout.add(ArraySpec{.name = "invalidations",
                       .gress = Gress::ingress,
                       .stage = sharers_stage,
                       .entries = most_entries,
                       .width = RegisterWidth::word,
                       .actions = {named("count", add_action(1))}});
  layout.add(Computation{"decide",
                         Gress::ingress,
                         decide_stage,
                         {"directory.kind", "directory.flags", "bridge.state", "bridge.sharers"},
                         {"directory.next", "directory.actions", "directory.targets",
                          "directory.sharers", "directory.flags"}});
  layout.add(Computation{"address",
                         Gress::egress,
                         0,
                         {"directory.targets", "directory.actions"},
                         {"directory.kind", "directory.flags"}});
  return layout;
}

}  // namespace recirc::pipeline::programs::directory
