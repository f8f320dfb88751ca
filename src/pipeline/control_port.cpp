#include "pipeline/control_port.h"

#include <algorithm>

#include "sim/error.h"

namespace recirc::pipeline {

ControlOperation ControlOperation::insert(ProtocolTag program, TableId table, MatchKey key,
                                          std::uint64_t result) {
  MaskedEntry entry;
  entry.value = key;
  entry.result = result;
  return on_entry(Kind::insert, program, table, entry);
}

ControlOperation ControlOperation::replace(ProtocolTag program, TableId table, MatchKey key,
                                           std::uint64_t result) {
  ControlOperation operation = insert(program, table, key, result);
  operation.kind = Kind::replace;
  return operation;
}

ControlOperation ControlOperation::erase(ProtocolTag program, TableId table, MatchKey key) {
  ControlOperation operation = insert(program, table, key, 0);
  operation.kind = Kind::erase;
  return operation;
}

ControlOperation ControlOperation::on_entry(Kind kind, ProtocolTag program, TableId table,
                                            const MaskedEntry& entry) {
  ControlOperation operation;
  operation.kind = kind;
  operation.program = program;
  operation.table = table;
  operation.entry = entry;
  return operation;
}

ControlOperation ControlOperation::write(ProtocolTag program, PipeId pipe, ArrayId array,
                                         std::uint32_t index, Words value) {
  return fill(program, pipe, array, index, 1, value);
}

ControlOperation ControlOperation::read(ProtocolTag program, PipeId pipe, ArrayId array,
                                        std::uint32_t index, std::uint32_t count) {
  ControlOperation operation = fill(program, pipe, array, index, count, {});
  operation.kind = Kind::read;
  return operation;
}

ControlOperation ControlOperation::fill(ProtocolTag program, PipeId pipe, ArrayId array,
                                        std::uint32_t index, std::uint32_t count, Words value) {
  ControlOperation operation;
  operation.kind = count == 1 ? Kind::write : Kind::fill;
  operation.program = program;
  operation.array = array;
  operation.pipe = pipe;
  operation.index = index;
  operation.count = count;
  operation.value = value;
  return operation;
}

ControlPort::ControlPort(sim::Scheduler& scheduler, Switch& target, const ControlSpec& spec)
    : scheduler_(scheduler), switch_(target), spec_(spec) {}

ControlPort::Batch ControlPort::submit_for(std::span<const ControlOperation> operations,
                                           sim::Component* issuer, std::uint16_t kind,
                                           std::uint32_t arg, std::uint16_t aux) {
  const Batch batch = work_.take();
  Work& work = work_[batch];
  work.operations.assign(operations.begin(), operations.end());
  work.done.assign(operations.size(), 0);
  work.values.clear();
  work.issuer = issuer;
  work.kind = kind;
  work.arg = arg;
  work.aux = aux;
  work.life = life_;
  operations_ += operations.size();
  sim::Time paid = std::max(scheduler_.now(), free_at_);
  for (const ControlOperation& operation : operations) paid += cost_of(operation);
  free_at_ = paid;
  const sim::Time entry = paid + spec_.latency;
  const SwitchSpec& target = switch_.spec();
  if (target.control == ControlTiming::per_stage) {
    scheduler_.at(entry, *this, Kind::apply, batch);
  } else if (target.mode == PassMode::pass) {
    scheduler_.at(entry + switch_.timing().gress(), *this, Kind::apply, batch);
  } else {
    scheduler_.at(entry, *this, Kind::enter, batch);
  }
  return batch;
}

void ControlPort::set_up(std::span<const ControlOperation> operations) {
  Work work;
  work.operations.assign(operations.begin(), operations.end());
  work.done.assign(operations.size(), 0);
  for (std::size_t i = 0; i < operations.size(); ++i) {
    apply_operation(work, i);
    if (work.done[i] == 0)
      throw sim::InvariantBroken("a table has no room for what it starts with");
  }
}

void ControlPort::abandon() {
  ++life_;
  free_at_ = scheduler_.now();
}

void ControlPort::handle(const sim::Event& event) {
  // Events of a batch that follow find another batch, or none, in its place: they end here, too.
  if (work_[event.arg].life != life_) return;
  switch (static_cast<Kind>(event.kind)) {
    case Kind::enter:
      return enter(event.arg);
    case Kind::apply:
      return apply(event.arg);
    case Kind::apply_stage:
      return apply_stage(event.arg, event.aux);
  }
  throw sim::InvariantBroken("the control port has no event of this kind");
}

/// Stage mode: through the stages with a packet that would enter now.
void ControlPort::enter(Batch batch) {
  const std::int64_t stages = switch_.spec().chip.stages;
  for (std::int64_t stage = 0; stage < stages; ++stage) {
    scheduler_.after(switch_.timing().until_stage(stage), *this, Kind::apply_stage, batch,
                     static_cast<std::uint16_t>(stage));
  }
  scheduler_.after(switch_.timing().gress(), *this, Kind::apply_stage, batch,
                   static_cast<std::uint16_t>(stages));
}

void ControlPort::apply_stage(Batch batch, unsigned stage) {
  if (stage == static_cast<unsigned>(switch_.spec().chip.stages)) return answer(batch);
  Work& work = work_[batch];
  for (std::size_t i = 0; i < work.operations.size(); ++i) {
    if (stage_of(work.operations[i]) == stage) apply_operation(work, i);
  }
}

void ControlPort::apply(Batch batch) {
  Work& work = work_[batch];
  for (std::size_t i = 0; i < work.operations.size(); ++i) apply_operation(work, i);
  answer(batch);
}

void ControlPort::answer(Batch batch) {
  const Work& work = work_[batch];
  for (const char done : work.done) refused_ += done != 0 ? 0 : 1;
  if (work.issuer == nullptr) return release(batch);
  scheduler_.after(spec_.latency, *work.issuer, work.kind, work.arg, work.aux);
}

void ControlPort::apply_operation(Work& work, std::size_t index) {
  const ControlOperation& operation = work.operations[index];
  bool done = true;
  switch (operation.kind) {
    case ControlOperation::Kind::insert: {
      MatchTable& table = switch_.table(operation.program, operation.table);
      done = table.insert(operation.entry);
      break;
    }
    case ControlOperation::Kind::replace:
      done = switch_.table(operation.program, operation.table).replace_masked(operation.entry);
      break;
    case ControlOperation::Kind::erase:
      done = switch_.table(operation.program, operation.table).erase_masked(operation.entry);
      break;
    case ControlOperation::Kind::write:
    case ControlOperation::Kind::fill:
    case ControlOperation::Kind::read:
      access_array(work, operation);
      break;
  }
  work.done[index] = done ? 1 : 0;
}

void ControlPort::access_array(Work& work, const ControlOperation& operation) {
  const bool reads = operation.kind == ControlOperation::Kind::read;
  const auto pipes = static_cast<std::uint8_t>(switch_.spec().chip.pipes);
  for (std::uint8_t number = 0; number < pipes; ++number) {
    const PipeId pipe{number};
    const bool all = operation.pipe.is_none() && !reads;
    if (all ? !switch_.uses(pipe) : operation.pipe != pipe) continue;
    ArrayState& array = switch_.array(pipe, operation.program, operation.array);
    if (operation.index >= array.entries || operation.count > array.entries - operation.index) {
      throw sim::InvariantBroken("the control plane names entries that an array does not have");
    }
    for (std::uint32_t i = 0; i < operation.count; ++i) {
      if (reads) {
        work.values.push_back(array.load(operation.index + i));
      } else {
        array.store(operation.index + i, operation.value);
      }
    }
  }
}

unsigned ControlPort::stage_of(const ControlOperation& operation) const {
  const Layout& layout = switch_.programs()[operation.program.value()]->layout();
  const bool table = operation.kind == ControlOperation::Kind::insert ||
                     operation.kind == ControlOperation::Kind::replace ||
                     operation.kind == ControlOperation::Kind::erase;
  return table ? layout.tables[operation.table.value()].stage
               : layout.arrays[operation.array.value()].stage;
}

sim::Duration ControlPort::cost_of(const ControlOperation& operation) const {
  if (operation.kind != ControlOperation::Kind::read) return spec_.per_write;
  return spec_.per_read * operation.count;
}

bool ControlPort::succeeded(Batch batch, std::size_t operation) const {
  return work_[batch].done[operation] != 0;
}

bool ControlPort::succeeded(Batch batch) const {
  const auto& done = work_[batch].done;
  return std::all_of(done.begin(), done.end(), [](char one) { return one != 0; });
}

std::span<const Words> ControlPort::values(Batch batch) const { return work_[batch].values; }

void ControlPort::release(Batch batch) { work_.give_back(batch); }

}  // namespace recirc::pipeline
