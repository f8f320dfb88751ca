#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pipeline/switch.h"
#include "sim/scheduler.h"
#include "sim/slab.h"

namespace recirc::pipeline {

/// What an operation of the control plane costs.
struct ControlSpec {
  sim::Duration latency = sim::microseconds(10);     ///< driver and bus, each way
  sim::Duration per_write = sim::microseconds(100);  ///< a table or register write: 10 K a second
  sim::Duration per_read = sim::microseconds(1);     ///< one register entry
};

void describe(sim::config::Visitor& v, ControlSpec& c);

struct ControlOperation {
  enum class Kind : std::uint8_t { insert, replace, erase, write, read, fill };

  Kind kind = Kind::write;
  ProtocolTag program{0};
  // insert, replace, erase
  TableId table{0};
  MaskedEntry entry;  ///< exact tables use value and result only
  // write, read, fill
  ArrayId array{0};
  PipeId pipe;  ///< none: all pipes alike (not for reads)
  std::uint32_t index = 0;
  std::uint32_t count = 1;  ///< entries from index on: read and fill
  Words value;

  static ControlOperation insert(ProtocolTag program, TableId table, MatchKey key,
                                 std::uint64_t result);
  /// Another result for the entry of an exact table.
  static ControlOperation replace(ProtocolTag program, TableId table, MatchKey key,
                                  std::uint64_t result);
  static ControlOperation erase(ProtocolTag program, TableId table, MatchKey key);
  /// insert, replace or erase on a ternary or longest-prefix table.
  static ControlOperation on_entry(Kind kind, ProtocolTag program, TableId table,
                                   const MaskedEntry& entry);
  static ControlOperation write(ProtocolTag program, PipeId pipe, ArrayId array,
                                std::uint32_t index, Words value);
  static ControlOperation read(ProtocolTag program, PipeId pipe, ArrayId array, std::uint32_t index,
                               std::uint32_t count = 1);
  /// Sets `count` entries from `index` on; costs one write (the driver's block write).
  static ControlOperation fill(ProtocolTag program, PipeId pipe, ArrayId array, std::uint32_t index,
                               std::uint32_t count, Words value);
};

/// The control plane's way into the switch: one operation at a time, in order.
///
/// A batch is atomic: when all its operations have been paid for, it enters both gresses like a
/// packet, and a packet sees all of it or nothing in each gress.
class ControlPort final : public sim::Component {
 public:
  using Batch = std::uint32_t;

  ControlPort(sim::Scheduler& scheduler, Switch& target, const ControlSpec& spec);

  /// `issuer` gets an event of its own `kind` with `arg` when the answer is back; it then looks at
  /// the results and calls release().
  template <class IssuerKind>
  Batch submit(std::span<const ControlOperation> operations, sim::Component& issuer,
               IssuerKind kind, std::uint32_t arg = 0, std::uint16_t aux = 0) {
    return submit_for(operations, &issuer, static_cast<std::uint16_t>(kind), arg, aux);
  }
  /// Nobody waits for the answer.
  void submit(std::span<const ControlOperation> operations) {
    submit_for(operations, nullptr, 0, 0, 0);
  }

  /// Carries out at once, and for nothing, what the switch holds when a run starts.
  void set_up(std::span<const ControlOperation> operations);

  /// By operation: false when the table was full, the key there already, or not there.
  [[nodiscard]] bool succeeded(Batch batch, std::size_t operation) const;
  [[nodiscard]] bool succeeded(Batch batch) const;
  /// What the batch's reads returned, in order.
  [[nodiscard]] std::span<const Words> values(Batch batch) const;
  void release(Batch batch);

  /// Nothing that was submitted takes effect any more, and nobody gets an answer.
  void abandon();

  [[nodiscard]] std::uint64_t operations() const { return operations_; }
  [[nodiscard]] std::uint64_t refused() const { return refused_; }

  void handle(const sim::Event& event) override;

 private:
  enum class Kind : std::uint16_t { enter, apply, apply_stage };

  struct Work {
    std::vector<ControlOperation> operations;
    std::vector<char> done;
    std::vector<Words> values;
    sim::Component* issuer = nullptr;
    std::uint32_t arg = 0;
    std::uint16_t kind = 0;
    std::uint16_t aux = 0;
    std::uint32_t life = 0;  ///< abandoned when the port's is another
  };

  Batch submit_for(std::span<const ControlOperation> operations, sim::Component* issuer,
                   std::uint16_t kind, std::uint32_t arg, std::uint16_t aux);
  void enter(Batch batch);
  void apply(Batch batch);
  void apply_stage(Batch batch, unsigned stage);
  void apply_operation(Work& work, std::size_t index);
  void access_array(Work& work, const ControlOperation& operation);
  void answer(Batch batch);
  [[nodiscard]] unsigned stage_of(const ControlOperation& operation) const;
  [[nodiscard]] sim::Duration cost_of(const ControlOperation& operation) const;

  sim::Scheduler& scheduler_;
  Switch& switch_;
  ControlSpec spec_;
  sim::Slab<Work> work_;
  sim::Time free_at_{};
  std::uint64_t operations_ = 0;
  std::uint64_t refused_ = 0;
  std::uint32_t life_ = 0;
};

}  // namespace recirc::pipeline
