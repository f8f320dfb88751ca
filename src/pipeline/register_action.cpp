#include "pipeline/register_action.h"

namespace recirc::pipeline {

RegisterAction read_action() { return {"read", {}, {}, {{OutputSource::old_low, always}}}; }

RegisterAction write_action() {
  return {"write", {}, {{always, Word::low, just(operand_a())}}, {}};
}

RegisterAction add_action(std::int64_t amount) {
  return {"add",
          {},
          {{always, Word::low, combine(old_low(), AluOp::add, constant(amount))}},
          {{OutputSource::new_low, always}}};
}

RegisterAction take_action(std::int64_t amount) {
  RegisterAction action;
  action.updates = {{.value = combine(old_low(), AluOp::subtract_saturating, constant(amount))}};
  action.outputs = {{.source = OutputSource::new_low}};
  return action;
}

RegisterAction add_a_action() {
  return {"add_a",
          {},
          {{always, Word::low, combine(old_low(), AluOp::add, operand_a())}},
          {{OutputSource::new_low, always}}};
}

RegisterAction set_constant_action(std::int64_t value) {
  return {
      "set", {}, {{always, Word::low, just(constant(value))}}, {{OutputSource::old_low, always}}};
}

RegisterAction count_action() {
  return {"count",
          {},
          {{always, Word::low, combine(old_low(), AluOp::add_saturating, constant(1))}},
          {{OutputSource::new_low, always}}};
}

RegisterAction named(const char* name, RegisterAction action) {
  action.name = name;
  return action;
}

RegisterAction is_zero_action() {
  return {"is_zero",
          {{just(old_low()), Comparison::equal, constant(0)}},
          {},
          {{OutputSource::one, if_first}}};
}

}  // namespace recirc::pipeline
