#include "pipeline/program_spec.h"

#include "sim/config.h"

namespace recirc::pipeline {

using sim::config::EnumName;

// Found by argument-dependent lookup, beside the enumerations.
std::span<const EnumName> names_of(Gress /*gress*/) {
  static constexpr EnumName names[] = {{"ingress", Gress::ingress}, {"egress", Gress::egress}};
  return names;
}

std::span<const EnumName> names_of(MatchKind /*kind*/) {
  static constexpr EnumName names[] = {{"exact", MatchKind::exact},
                                       {"ternary", MatchKind::ternary},
                                       {"longest_prefix", MatchKind::longest_prefix}};
  return names;
}

std::span<const EnumName> names_of(RegisterWidth /*width*/) {
  static constexpr EnumName names[] = {
      {"1", RegisterWidth::bit},     {"8", RegisterWidth::byte},
      {"16", RegisterWidth::half},   {"32", RegisterWidth::word},
      {"pair", RegisterWidth::pair}, {"half_pair", RegisterWidth::half_pair}};
  return names;
}

std::span<const EnumName> names_of(AluOp /*op*/) {
  static constexpr EnumName names[] = {{"left", AluOp::left, "the left value alone"},
                                       {"add", AluOp::add},
                                       {"subtract", AluOp::subtract},
                                       {"add_saturating", AluOp::add_saturating},
                                       {"subtract_saturating", AluOp::subtract_saturating},
                                       {"and", AluOp::bit_and},
                                       {"or", AluOp::bit_or},
                                       {"xor", AluOp::bit_xor},
                                       {"minimum", AluOp::minimum},
                                       {"maximum", AluOp::maximum}};
  return names;
}

std::span<const EnumName> names_of(Comparison /*comparison*/) {
  static constexpr EnumName names[] = {
      {"equal", Comparison::equal},     {"not_equal", Comparison::not_equal},
      {"less", Comparison::less},       {"less_equal", Comparison::less_equal},
      {"greater", Comparison::greater}, {"greater_equal", Comparison::greater_equal}};
  return names;
}

std::span<const EnumName> names_of(Word /*word*/) {
  static constexpr EnumName names[] = {{"low", Word::low}, {"high", Word::high}};
  return names;
}

std::span<const EnumName> names_of(OutputSource /*source*/) {
  static constexpr EnumName names[] = {
      {"none", OutputSource::none},         {"old_low", OutputSource::old_low},
      {"old_high", OutputSource::old_high}, {"new_low", OutputSource::new_low},
      {"new_high", OutputSource::new_high}, {"one", OutputSource::one, "whether the guard holds"}};
  return names;
}

std::span<const EnumName> names_of(PayloadRule /*rule*/) {
  static constexpr EnumName names[] = {{"keep", PayloadRule::keep, "the original's alone"},
                                       {"move", PayloadRule::move, "the copy's alone"},
                                       {"share", PayloadRule::share, "both"}};
  return names;
}

namespace spec {

using sim::config::Visitor;

std::span<const EnumName> names_of(GuardName /*guard*/) {
  static constexpr EnumName names[] = {
      {"always", GuardName::always},         {"first", GuardName::first},
      {"not_first", GuardName::not_first},   {"second", GuardName::second},
      {"not_second", GuardName::not_second}, {"both", GuardName::both},
      {"either", GuardName::either},         {"neither", GuardName::neither}};
  return names;
}

void describe(Visitor& v, FieldSpec& c) {
  v.field("name", c.name, {.doc = "Name of the field.", .min_size = 1, .required = true});
  v.field("bits", c.bits, {.doc = "Its bits.", .min = 1, .max = 64});
}

void describe(Visitor& v, ActionCondition& c) {
  v.field("left", c.left, {.doc = "low, high, a, b or a number."});
  v.field("op", c.op, {.doc = "Computed before comparing."});
  v.field("right", c.right, {.doc = "As left."});
  v.field("is", c.is, {.doc = "The comparison, unsigned."});
  v.field("value", c.value, {.doc = "What is compared against; as left."});
}

void describe(Visitor& v, ActionUpdate& c) {
  v.field("when", c.when, {.doc = "Which of the two conditions must hold."});
  v.field("word", c.word, {.doc = "The word that is written."});
  v.field("left", c.left, {.doc = "low, high, a, b or a number."});
  v.field("op", c.op, {.doc = "The operation; wraps at the word's width."});
  v.field("right", c.right, {.doc = "As left."});
}

void describe(Visitor& v, ActionOutput& c) {
  v.field("source", c.source, {.doc = "What is returned."});
  v.field("when", c.when, {.doc = "Else zero is returned."});
}

void describe(Visitor& v, ActionSpec& c) {
  v.field("name", c.name, {.doc = "Name of the action.", .min_size = 1, .required = true});
  v.field("conditions", c.conditions, {.doc = "At most two.", .max_size = 16});
  v.field("updates", c.updates, {.doc = "At most two.", .max_size = 16});
  v.field("outputs", c.outputs, {.doc = "At most one.", .max_size = 16});
}

void describe(Visitor& v, Array& c) {
  v.field("name", c.name, {.doc = "Name of the array.", .min_size = 1, .required = true});
  v.field("gress", c.gress, {.doc = "Where it lies."});
  v.field("stage", c.stage, {.doc = "Where it lies.", .max = 63});
  v.count("entries", c.entries, {.doc = "Entries.", .min = 1, .max = 16'777'216});
  v.field("width", c.width, {.doc = "Bits of an entry; a pair is two words of 32."});
  v.field("actions", c.actions, {.doc = "At most four.", .max_size = 16});
}

void describe(Visitor& v, Table& c) {
  v.field("name", c.name, {.doc = "Name of the table.", .min_size = 1, .required = true});
  v.field("match", c.match, {.doc = "How it matches."});
  v.field("gress", c.gress, {.doc = "Where it lies."});
  v.field("stage", c.stage, {.doc = "Where it lies.", .max = 63});
  v.field("key", c.key, {.doc = "The field that is matched.", .min_size = 1, .required = true});
  v.field("token", c.token, {.doc = "A second field of up to 8 bits, or empty."});
  v.count("entries", c.entries, {.doc = "Capacity.", .min = 1, .max = 16'777'216});
  v.field("result_bits", c.result_bits, {.doc = "Bits of a result.", .max = 64});
}

void describe(Visitor& v, When& c) {
  v.field("field", c.field, {.doc = "The field compared.", .min_size = 1, .required = true});
  v.field("is", c.is, {.doc = "The comparison, unsigned."});
  v.field("value", c.value, {.doc = "A field or a number."});
}

void describe(Visitor& v, Set& c) {
  v.field("field", c.field, {.doc = "The field written.", .min_size = 1, .required = true});
  v.field("left", c.left, {.doc = "A field or a number.", .min_size = 1, .required = true});
  v.field("op", c.op, {.doc = "The operation."});
  v.field("right", c.right, {.doc = "As left."});
}

void describe(Visitor& v, Lookup& c) {
  v.field("table", c.table, {.doc = "The table applied.", .min_size = 1, .required = true});
  v.field("hit", c.hit, {.doc = "Field that becomes 1 or 0, or empty."});
  v.field("result", c.result, {.doc = "Field that becomes the result, or empty."});
}

void describe(Visitor& v, Execute& c) {
  v.field("array", c.array, {.doc = "The register array.", .min_size = 1, .required = true});
  v.field("action", c.action, {.doc = "One of its actions.", .min_size = 1, .required = true});
  v.field("index", c.index, {.doc = "Entry, modulo their number: a field or a number."});
  v.field("a", c.a, {.doc = "Operand: a field or a number."});
  v.field("b", c.b, {.doc = "As a."});
  v.field("output", c.output, {.doc = "Field that becomes the output, or empty."});
}

void describe(Visitor& v, Random& c) {
  v.field("field", c.field, {.doc = "The field written.", .min_size = 1, .required = true});
  v.field("site", c.site, {.doc = "Tells apart the random numbers of one pass."});
}

void describe(Visitor& v, Forward& c) {
  v.field("port", c.port, {.doc = "A front port.", .min_size = 1, .required = true});
}

void describe(Visitor& v, Recirculate& c) {
  v.field("port", c.port, {.doc = "A loop port; empty for the first of the pipe."});
  v.field("bypass_egress", c.bypass_egress, {.doc = "Skip the egress."});
}

void describe(Visitor& v, Cross& c) {
  v.field("pipe", c.pipe, {.doc = "The other pipe.", .min_size = 1, .required = true});
}

void describe(Visitor& v, Multicast& c) {
  v.field("group", c.group, {.doc = "A multicast group.", .min_size = 1, .required = true});
}

void describe(Visitor& /*v*/, Drop& /*c*/) {}

void describe(Visitor& v, Mirror& c) {
  v.field("session", c.session, {.doc = "A mirror session.", .min_size = 1, .required = true});
  v.field("truncate_to", c.truncate_to, {.doc = "Bytes, 0 for all.", .max = 65'535});
  v.field("payload", c.payload, {.doc = "Who holds the payload afterwards."});
}

void describe(Visitor& v, SendDigest& c) {
  v.field("fields", c.fields, {.doc = "What is sent: 1 to 47 bytes.", .min_size = 1});
}

void describe(Visitor& /*v*/, Finish& /*c*/) {}

void describe(Visitor& v, StepSpec& c) {
  v.field("stage", c.stage, {.doc = "The stage it is pinned to.", .max = 63});
  v.field("when", c.when, {.doc = "All must hold; together 44 bits.", .max_size = 8});
  v.field("operation", c.operation, {.doc = "What it does."});
}

void describe(Visitor& v, ProgramSpec& c) {
  v.field("name", c.name, {.doc = "Name of the program.", .min_size = 1, .required = true});
  v.field("header", c.header, {.doc = "The fields on the wire, in order: up to 128 bytes."});
  v.field("metadata", c.metadata, {.doc = "Fields between ingress and egress: up to 64 bytes."});
  v.field("tables", c.tables, {.doc = "Match tables."});
  v.field("arrays", c.arrays, {.doc = "Register arrays."});
  v.field("ingress", c.ingress, {.doc = "Steps, in the order of their stages."});
  v.field("egress", c.egress, {.doc = "Steps, in the order of their stages."});
}

}  // namespace spec
}  // namespace recirc::pipeline
