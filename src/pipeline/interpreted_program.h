#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/program.h"
#include "pipeline/program_spec.h"

namespace recirc::pipeline {

/// Where a field lies in the packet; at most 64 bits, in a whole number of bytes. What the switch
/// knows of a packet can be read like a field: "@pipe", "@pass", "@ingress_port", "@egress_port",
/// "@recirculations", "@mirrored" (1 in the egress of a mirror's copy).
struct FieldPlace {
  static constexpr std::uint8_t builtin = 0xff;  ///< in `bytes`; `offset` tells which

  bool metadata = false;
  std::uint8_t bytes = 0;
  std::uint16_t offset = 0;
  std::uint64_t mask = 0;
};

/// Runs a ProgramSpec. Linking checks everything that can be checked before a packet comes and
/// throws a ConfigError with all issues and their pointers; what depends on the packet (a second
/// access in one pass) is PassContext's to refuse.
class InterpretedProgram final : public Program {
 public:
  explicit InterpretedProgram(const spec::ProgramSpec& program);

  [[nodiscard]] const Layout& layout() const override { return layout_; }
  void run(Gress gress, PassContext& context) const override;
  void run_stage(Gress gress, unsigned stage, PassContext& context) const override;

  /// For those who write and read packets of the program: by name, InvariantBroken if unknown.
  [[nodiscard]] FieldPlace field(std::string_view name) const;
  static void write_field(Packet& packet, const FieldPlace& place, std::uint64_t value);
  [[nodiscard]] static std::uint64_t read_field(const Packet& packet, const FieldPlace& place);

 private:
  friend class Linker;

  /// A field, or a constant when the place has no bytes.
  struct Value {
    FieldPlace place;
    std::uint64_t constant = 0;
  };
  enum class Code : std::uint8_t {
    set,
    lookup,
    execute,
    random,
    forward,
    recirculate,
    cross,
    multicast,
    drop,
    mirror,
    digest,
    finish,
  };
  struct Test {
    FieldPlace field;
    Comparison comparison;
    Value value;
  };
  /// One step, linked. Which members mean something depends on the code.
  struct Instruction {
    std::uint8_t stage = 0;
    Code code = Code::finish;
    AluOp op = AluOp::left;
    bool bypass_egress = false;
    PayloadRule payload = PayloadRule::keep;
    std::uint8_t action = 0;
    std::uint16_t object = 0;  ///< table or array
    std::uint32_t number = 0;  ///< entries of the array, site, bytes to truncate to
    FieldPlace target;         ///< set, output, result
    FieldPlace hit;
    Value index;  ///< index, key, port, pipe, group, session
    Value a;
    Value b;
    std::vector<Test> tests;
    std::vector<FieldPlace> fields;  ///< of a digest
  };

  [[nodiscard]] const std::vector<Instruction>& steps(Gress gress) const {
    return gress == Gress::ingress ? ingress_ : egress_;
  }
  static void execute(const Instruction& step, PassContext& context);
  static void decide(const Instruction& step, PassContext& context);
  static void send_digest(const Instruction& step, PassContext& context);
  static std::uint64_t value_of(const Value& value, const Packet& packet);

  Layout layout_;
  std::vector<std::pair<std::string, FieldPlace>> fields_;
  std::vector<Instruction> ingress_;
  std::vector<Instruction> egress_;
};

}  // namespace recirc::pipeline
