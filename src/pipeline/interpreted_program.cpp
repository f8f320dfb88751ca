#include "pipeline/interpreted_program.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "sim/error.h"

namespace recirc::pipeline {
namespace {

using HeaderBytes = std::array<std::byte, Packet::header_bytes>;
using MetadataBytes = std::array<std::byte, Packet::metadata_bytes>;

std::uint64_t builtin_value(const Packet& packet, std::uint16_t which) {
  switch (which) {
    case 0:
      return packet.pipe.value();
    case 1:
      return packet.passes;
    case 2:
      return packet.ingress_port.value();
    case 3:
      return packet.egress_port.value();
    case 4:
      return packet.recirculations;
    default:
      return packet.origin == Origin::port ? 0 : 1;
  }
}

std::uint64_t compute(std::uint64_t left, AluOp op, std::uint64_t right, std::uint64_t mask) {
  switch (op) {
    case AluOp::left:
      return left;
    case AluOp::add:
      return left + right;
    case AluOp::subtract:
      return left - right;
    case AluOp::add_saturating:
      return right > mask - std::min(left, mask) ? mask : left + right;
    case AluOp::subtract_saturating:
      return left < right ? 0 : left - right;
    case AluOp::bit_and:
      return left & right;
    case AluOp::bit_or:
      return left | right;
    case AluOp::bit_xor:
      return left ^ right;
    case AluOp::minimum:
      return std::min(left, right);
    case AluOp::maximum:
      break;
  }
  return std::max(left, right);
}

void write(PassContext& context, const FieldPlace& place, std::uint64_t value) {
  if (place.bytes == 0) return;  // an output that nobody wants
  value &= place.mask;
  std::byte* to = place.metadata ? context.metadata<MetadataBytes>().data()
                                 : context.header<HeaderBytes>().data();
  std::memcpy(to + place.offset, &value, place.bytes);  // little-endian machines only
}

}  // namespace

void InterpretedProgram::write_field(Packet& packet, const FieldPlace& place, std::uint64_t value) {
  value &= place.mask;
  std::byte* to = place.metadata ? packet.metadata.data() : packet.header.data();
  std::memcpy(to + place.offset, &value, place.bytes);
}

std::uint64_t InterpretedProgram::read_field(const Packet& packet, const FieldPlace& place) {
  if (place.bytes == FieldPlace::builtin) return builtin_value(packet, place.offset);
  const std::byte* from = place.metadata ? packet.metadata.data() : packet.header.data();
  std::uint64_t value = 0;
  std::memcpy(&value, from + place.offset, place.bytes);
  return value;
}

std::uint64_t InterpretedProgram::value_of(const Value& value, const Packet& packet) {
  return value.place.bytes == 0 ? value.constant : read_field(packet, value.place);
}

FieldPlace InterpretedProgram::field(std::string_view name) const {
  for (const auto& [known, place] : fields_) {
    if (known == name) return place;
  }
  throw sim::InvariantBroken("program " + layout_.program + " has no field " + std::string(name));
}

void InterpretedProgram::run(Gress gress, PassContext& context) const {
  for (const Instruction& step : steps(gress)) {
    if (context.finished()) return;
    context.enter_stage(step.stage);
    execute(step, context);
  }
}

void InterpretedProgram::run_stage(Gress gress, unsigned stage, PassContext& context) const {
  context.enter_stage(stage);
  for (const Instruction& step : steps(gress)) {
    if (context.finished()) return;
    if (step.stage == stage) execute(step, context);
  }
}

void InterpretedProgram::execute(const Instruction& step, PassContext& context) {
  const Packet& packet = context.packet();
  for (const Test& test : step.tests) {
    if (!holds(read_field(packet, test.field), test.comparison, value_of(test.value, packet))) {
      return;
    }
  }
  switch (step.code) {
    case Code::set:
      return write(
          context, step.target,
          compute(value_of(step.a, packet), step.op, value_of(step.b, packet), step.target.mask));
    case Code::lookup: {
      const MatchKey key{value_of(step.index, packet),
                         static_cast<std::uint8_t>(value_of(step.a, packet))};
      const Match match = context.lookup(TableId{step.object}, key);
      write(context, step.hit, match.hit ? 1 : 0);
      return write(context, step.target, match.result);
    }
    case Code::execute: {
      const auto index = static_cast<std::uint32_t>(value_of(step.index, packet) % step.number);
      const std::uint32_t output =
          context.execute(ArrayId{step.object}, ActionId{step.action}, index,
                          static_cast<std::uint32_t>(value_of(step.a, packet)),
                          static_cast<std::uint32_t>(value_of(step.b, packet)));
      return write(context, step.target, output);
    }
    case Code::random:
      return write(context, step.target, context.random(step.number));
    case Code::digest:
      return send_digest(step, context);
    case Code::finish:
      return context.finish();
    case Code::forward:
    case Code::recirculate:
    case Code::cross:
    case Code::multicast:
    case Code::drop:
    case Code::mirror:
      return decide(step, context);
  }
}

void InterpretedProgram::decide(const Instruction& step, PassContext& context) {
  const std::uint64_t named = value_of(step.index, context.packet());
  const auto target = static_cast<std::uint16_t>(std::min<std::uint64_t>(named, 0xffff));
  switch (step.code) {
    case Code::forward:
      return context.forward(PortId{target});
    case Code::recirculate:
      return context.recirculate(step.number == 0 ? PortId{target} : context.loop_port(),
                                 step.bypass_egress);
    case Code::cross:
      return context.cross_to(PipeId{static_cast<std::uint8_t>(std::min<unsigned>(target, 0xff))});
    case Code::multicast:
      return context.multicast(GroupId{target});
    case Code::mirror:
      return context.mirror(SessionId{target},
                            {static_cast<std::uint16_t>(step.number), step.payload});
    default:
      return context.drop();
  }
}

void InterpretedProgram::send_digest(const Instruction& step, PassContext& context) {
  std::array<std::byte, Packet::header_bytes + Packet::metadata_bytes> bytes{};
  std::size_t size = 0;
  for (const FieldPlace& place : step.fields) {
    const std::uint64_t value = read_field(context.packet(), place);
    std::memcpy(bytes.data() + size, &value, place.bytes);
    size += place.bytes;
  }
  context.digest(std::span(bytes.data(), size));
}

}  // namespace recirc::pipeline
