#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>

#include "pipeline/interpreted_program.h"
#include "sim/error.h"

namespace recirc::pipeline {
namespace {

constexpr std::string_view builtins[] = {"@pipe",        "@pass",           "@ingress_port",
                                         "@egress_port", "@recirculations", "@mirrored"};
constexpr std::uint32_t gateway_bits = 44;  // facts/rmt.md §2.1: 4 PHV bytes + 12 hash bits

bool read_number(const std::string& text, std::int64_t& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end;
}

Guard guard_of(spec::GuardName name) {
  constexpr Guard guards[] = {always,        if_first, unless_first, if_second,
                              unless_second, if_both,  if_either,    if_neither};
  return guards[static_cast<std::size_t>(name)];
}

}  // namespace

/// Turns names into numbers and collects what is wrong on the way.
class Linker {
 public:
  Linker(const spec::ProgramSpec& from, InterpretedProgram& to) : from_(from), to_(to) {}

  void link() {
    to_.layout_.program = from_.name;
    place_fields(from_.header, false, "/header");
    place_fields(from_.metadata, true, "/metadata");
    add_tables();
    add_arrays();
    link_steps(from_.ingress, Gress::ingress, "/ingress", to_.ingress_);
    link_steps(from_.egress, Gress::egress, "/egress", to_.egress_);
    if (!issues_.empty()) throw sim::ConfigError(std::move(issues_));
  }

 private:
  using Instruction = InterpretedProgram::Instruction;
  using Code = InterpretedProgram::Code;
  using Value = InterpretedProgram::Value;

  void complain(std::string pointer, std::string message) {
    issues_.push_back({std::move(pointer), std::move(message), ""});
  }

  void place_fields(const std::vector<spec::FieldSpec>& fields, bool metadata,
                    const std::string& pointer);
  void add_tables();
  void add_arrays();
  RegisterAction action_of(const spec::ActionSpec& from, const std::string& pointer);
  Operand operand_of(const std::string& text, const std::string& pointer);

  FieldPlace field_of(const std::string& name, const std::string& pointer, bool writes);
  FieldPlace output_of(const std::string& name, const std::string& pointer) {
    return name.empty() ? FieldPlace{} : field_of(name, pointer, true);
  }
  Value value_of(const std::string& text, const std::string& pointer);
  std::uint32_t bits_of_field(const std::string& name) const;

  void link_steps(const std::vector<spec::StepSpec>& steps, Gress gress, const std::string& pointer,
                  std::vector<Instruction>& out);
  void link_tests(const spec::StepSpec& step, const std::string& pointer, Instruction& out);
  void check_place(const char* what, Gress has, std::uint32_t stage, const std::string& pointer);

  void link_operation(const spec::Set& set, const std::string& pointer);
  void link_operation(const spec::Lookup& lookup, const std::string& pointer);
  void link_operation(const spec::Execute& execute, const std::string& pointer);
  void link_operation(const spec::Random& random, const std::string& pointer);
  void link_operation(const spec::Forward& forward, const std::string& pointer);
  void link_operation(const spec::Recirculate& recirculate, const std::string& pointer);
  void link_operation(const spec::Cross& cross, const std::string& pointer);
  void link_operation(const spec::Multicast& multicast, const std::string& pointer);
  void link_operation(const spec::Drop& drop, const std::string& pointer);
  void link_operation(const spec::Mirror& mirror, const std::string& pointer);
  void link_operation(const spec::SendDigest& digest, const std::string& pointer);
  void link_operation(const spec::Finish& finish, const std::string& pointer);
  void link_verdict(Code code, const std::string& target, const std::string& pointer);

  const spec::ProgramSpec& from_;
  InterpretedProgram& to_;
  std::vector<sim::Issue> issues_;
  Gress gress_ = Gress::ingress;  // of the step in hand
  Instruction* now_ = nullptr;
};

void Linker::place_fields(const std::vector<spec::FieldSpec>& fields, bool metadata,
                          const std::string& pointer) {
  HeaderSpec header{metadata ? "metadata" : "header", {}, metadata, ""};
  std::size_t offset = 0;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const spec::FieldSpec& field = fields[i];
    const std::string at = fmt::format("{}/{}", pointer, i);
    const bool known = std::any_of(to_.fields_.begin(), to_.fields_.end(),
                                   [&](const auto& other) { return other.first == field.name; });
    if (known) complain(at, fmt::format("a second field {}", field.name));
    FieldPlace place;
    place.metadata = metadata;
    place.bytes = static_cast<std::uint8_t>((field.bits + 7) / 8);
    place.offset = static_cast<std::uint16_t>(offset);
    place.mask = field.bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << field.bits) - 1;
    offset += place.bytes;
    to_.fields_.emplace_back(field.name, place);
    header.fields.push_back({field.name, field.bits});
  }
  const std::size_t room = metadata ? Packet::metadata_bytes : Packet::header_bytes;
  if (offset > room) complain(pointer, fmt::format("takes {} bytes, there are {}", offset, room));
  if (!header.fields.empty()) to_.layout_.add(std::move(header));
}

void Linker::add_tables() {
  for (std::size_t i = 0; i < from_.tables.size(); ++i) {
    const spec::Table& table = from_.tables[i];
    const std::string at = fmt::format("/tables/{}", i);
    TableSpec out;
    out.name = table.name;
    out.match = table.match;
    out.gress = table.gress;
    out.stage = static_cast<std::uint8_t>(table.stage);
    out.entries = table.entries;
    out.result_bits = table.result_bits;
    field_of(table.key, at + "/key", false);
    out.key.push_back({table.key, bits_of_field(table.key)});
    if (!table.token.empty()) {
      field_of(table.token, at + "/token", false);
      out.key.push_back({table.token, bits_of_field(table.token)});
      if (out.key.back().bits > 8) complain(at + "/token", "has more than 8 bits");
    }
    to_.layout_.add(std::move(out));
  }
}

void Linker::add_arrays() {
  for (std::size_t i = 0; i < from_.arrays.size(); ++i) {
    const spec::Array& array = from_.arrays[i];
    ArraySpec out{array.name,    array.gress, static_cast<std::uint8_t>(array.stage),
                  array.entries, array.width, {}};
    for (std::size_t k = 0; k < array.actions.size(); ++k) {
      out.actions.push_back(
          action_of(array.actions[k], fmt::format("/arrays/{}/actions/{}", i, k)));
    }
    to_.layout_.add(std::move(out));
  }
}

RegisterAction Linker::action_of(const spec::ActionSpec& from, const std::string& pointer) {
  RegisterAction out;
  out.name = from.name;
  for (const spec::ActionCondition& condition : from.conditions) {
    out.conditions.push_back(
        {{condition.op, operand_of(condition.left, pointer), operand_of(condition.right, pointer)},
         condition.is,
         operand_of(condition.value, pointer)});
  }
  for (const spec::ActionUpdate& update : from.updates) {
    out.updates.push_back(
        {guard_of(update.when),
         update.word,
         {update.op, operand_of(update.left, pointer), operand_of(update.right, pointer)}});
  }
  for (const spec::ActionOutput& output : from.outputs) {
    out.outputs.push_back({output.source, guard_of(output.when)});
  }
  return out;
}

Operand Linker::operand_of(const std::string& text, const std::string& pointer) {
  if (text == "low") return old_low();
  if (text == "high") return old_high();
  if (text == "a") return operand_a();
  if (text == "b") return operand_b();
  std::int64_t value = 0;
  if (!read_number(text, value)) {
    complain(pointer, fmt::format("\"{}\" is none of low, high, a, b or a number", text));
  }
  return constant(value);
}

FieldPlace Linker::field_of(const std::string& name, const std::string& pointer, bool writes) {
  for (const auto& [known, place] : to_.fields_) {
    if (known == name) return place;
  }
  for (std::size_t i = 0; i < std::size(builtins); ++i) {
    if (builtins[i] != name) continue;
    if (writes) complain(pointer, fmt::format("{} can only be read", name));
    FieldPlace place;
    place.bytes = FieldPlace::builtin;
    place.offset = static_cast<std::uint16_t>(i);
    return place;
  }
  complain(pointer, fmt::format("there is no field \"{}\"", name));
  return {};
}

InterpretedProgram::Value Linker::value_of(const std::string& text, const std::string& pointer) {
  std::int64_t number = 0;
  if (read_number(text, number)) return {{}, static_cast<std::uint64_t>(number)};
  return {field_of(text, pointer, false), 0};
}

std::uint32_t Linker::bits_of_field(const std::string& name) const {
  for (const auto* list : {&from_.header, &from_.metadata}) {
    for (const spec::FieldSpec& field : *list) {
      if (field.name == name) return field.bits;
    }
  }
  return 16;  // of what the switch knows
}

void Linker::link_steps(const std::vector<spec::StepSpec>& steps, Gress gress,
                        const std::string& pointer, std::vector<Instruction>& out) {
  gress_ = gress;
  out.reserve(steps.size());
  std::uint32_t last = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const spec::StepSpec& step = steps[i];
    const std::string at = fmt::format("{}/{}", pointer, i);
    if (step.stage < last) complain(at + "/stage", "comes after a step of a later stage");
    last = std::max(last, step.stage);
    Instruction& instruction = out.emplace_back();
    instruction.stage = static_cast<std::uint8_t>(step.stage);
    now_ = &instruction;
    link_tests(step, at, instruction);
    std::visit([&](const auto& operation) { link_operation(operation, at + "/operation"); },
               step.operation);
  }
}

void Linker::link_tests(const spec::StepSpec& step, const std::string& pointer, Instruction& out) {
  std::set<std::string> compared;
  for (std::size_t i = 0; i < step.when.size(); ++i) {
    const spec::When& when = step.when[i];
    const std::string at = fmt::format("{}/when/{}", pointer, i);
    out.tests.push_back(
        {field_of(when.field, at, false), when.is, value_of(when.value, at + "/value")});
    compared.insert(when.field);
    std::int64_t number = 0;
    if (!read_number(when.value, number)) compared.insert(when.value);
  }
  std::uint32_t bits = 0;
  for (const std::string& name : compared) bits += bits_of_field(name);
  if (bits > gateway_bits) {
    complain(pointer + "/when",
             fmt::format("compares {} bits, a gateway sees {}", bits, gateway_bits));
  }
}

void Linker::check_place(const char* what, Gress has, std::uint32_t stage,
                         const std::string& pointer) {
  if (has != gress_) {
    complain(pointer, fmt::format("the {} lies in the other gress", what));
  } else if (stage != now_->stage) {
    complain(pointer, fmt::format("the {} lies in stage {}, the step in stage {}", what, stage,
                                  now_->stage));
  }
}

void Linker::link_operation(const spec::Set& set, const std::string& pointer) {
  now_->code = Code::set;
  now_->op = set.op;
  now_->target = field_of(set.field, pointer + "/field", true);
  now_->a = value_of(set.left, pointer + "/left");
  now_->b = value_of(set.right, pointer + "/right");
}

void Linker::link_operation(const spec::Lookup& lookup, const std::string& pointer) {
  now_->code = Code::lookup;
  now_->hit = output_of(lookup.hit, pointer + "/hit");
  now_->target = output_of(lookup.result, pointer + "/result");
  for (std::size_t i = 0; i < from_.tables.size(); ++i) {
    const spec::Table& table = from_.tables[i];
    if (table.name != lookup.table) continue;
    now_->object = static_cast<std::uint16_t>(i);
    now_->index = {field_of(table.key, pointer + "/table", false), 0};
    if (!table.token.empty()) now_->a = {field_of(table.token, pointer + "/table", false), 0};
    return check_place("table", table.gress, table.stage, pointer + "/table");
  }
  complain(pointer + "/table", fmt::format("there is no table \"{}\"", lookup.table));
}

void Linker::link_operation(const spec::Execute& execute, const std::string& pointer) {
  now_->code = Code::execute;
  now_->index = value_of(execute.index, pointer + "/index");
  now_->a = value_of(execute.a, pointer + "/a");
  now_->b = value_of(execute.b, pointer + "/b");
  now_->target = output_of(execute.output, pointer + "/output");
  for (std::size_t i = 0; i < from_.arrays.size(); ++i) {
    const spec::Array& array = from_.arrays[i];
    if (array.name != execute.array) continue;
    now_->object = static_cast<std::uint16_t>(i);
    now_->number = array.entries;
    check_place("array", array.gress, array.stage, pointer + "/array");
    for (std::size_t k = 0; k < array.actions.size(); ++k) {
      if (array.actions[k].name != execute.action) continue;
      now_->action = static_cast<std::uint8_t>(k);
      return;
    }
    return complain(pointer + "/action",
                    fmt::format("the array has no action \"{}\"", execute.action));
  }
  complain(pointer + "/array", fmt::format("there is no array \"{}\"", execute.array));
}

void Linker::link_operation(const spec::Random& random, const std::string& pointer) {
  now_->code = Code::random;
  now_->number = random.site;
  now_->target = field_of(random.field, pointer + "/field", true);
}

void Linker::link_verdict(Code code, const std::string& target, const std::string& pointer) {
  now_->code = code;
  if (gress_ == Gress::egress) complain(pointer, "an egress chooses no output");
  now_->index = value_of(target, pointer);
}

void Linker::link_operation(const spec::Forward& forward, const std::string& pointer) {
  link_verdict(Code::forward, forward.port, pointer + "/port");
}

void Linker::link_operation(const spec::Recirculate& recirculate, const std::string& pointer) {
  const bool by_default = recirculate.port.empty();
  link_verdict(Code::recirculate, by_default ? "0" : recirculate.port, pointer + "/port");
  now_->number = by_default ? 1 : 0;
  now_->bypass_egress = recirculate.bypass_egress;
}

void Linker::link_operation(const spec::Cross& cross, const std::string& pointer) {
  link_verdict(Code::cross, cross.pipe, pointer + "/pipe");
}

void Linker::link_operation(const spec::Multicast& multicast, const std::string& pointer) {
  link_verdict(Code::multicast, multicast.group, pointer + "/group");
}

void Linker::link_operation(const spec::Drop& /*drop*/, const std::string& /*pointer*/) {
  now_->code = Code::drop;
}

void Linker::link_operation(const spec::Mirror& mirror, const std::string& pointer) {
  now_->code = Code::mirror;
  now_->index = value_of(mirror.session, pointer + "/session");
  now_->number = mirror.truncate_to;
  now_->payload = mirror.payload;
  if (gress_ == Gress::ingress) to_.layout_.ingress_mirror = true;
}

void Linker::link_operation(const spec::SendDigest& digest, const std::string& pointer) {
  now_->code = Code::digest;
  if (gress_ == Gress::egress) complain(pointer, "a digest leaves ingress only");
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < digest.fields.size(); ++i) {
    const std::string at = fmt::format("{}/fields/{}", pointer, i);
    const FieldPlace place = field_of(digest.fields[i], at, true);
    now_->fields.push_back(place);
    bytes += place.bytes;
  }
  if (bytes == 0 || bytes > Digest::max_bytes) {
    complain(pointer + "/fields", fmt::format("are {} bytes, a digest has 1 to 47", bytes));
  }
}

void Linker::link_operation(const spec::Finish& /*finish*/, const std::string& /*pointer*/) {
  now_->code = Code::finish;
}

InterpretedProgram::InterpretedProgram(const spec::ProgramSpec& program) {
  Linker(program, *this).link();
}

}  // namespace recirc::pipeline
