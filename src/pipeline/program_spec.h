#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "pipeline/layout.h"
#include "pipeline/packet.h"

namespace recirc::sim::config {
class Visitor;
struct EnumName;
}  // namespace recirc::sim::config

/// A program as data: fields, tables, register arrays and steps, as a JSON file holds them.
/// InterpretedProgram runs it. Everything is named by text; wherever a value is wanted, the text
/// is the name of a field or a number.
namespace recirc::pipeline::spec {

struct FieldSpec {
  std::string name;
  std::uint32_t bits = 32;  ///< up to 64
};

enum class GuardName : std::uint8_t {
  always,
  first,
  not_first,
  second,
  not_second,
  both,
  either,
  neither,
};

/// In register actions a value is "low", "high" (the old words), "a", "b" or a number.
struct ActionCondition {
  std::string left = "low";
  AluOp op = AluOp::left;
  std::string right = "0";
  Comparison is = Comparison::equal;
  std::string value = "0";
};
struct ActionUpdate {
  GuardName when = GuardName::always;
  Word word = Word::low;
  std::string left = "low";
  AluOp op = AluOp::left;
  std::string right = "0";
};
struct ActionOutput {
  OutputSource source = OutputSource::old_low;
  GuardName when = GuardName::always;
};
struct ActionSpec {
  std::string name;
  std::vector<ActionCondition> conditions;
  std::vector<ActionUpdate> updates;
  std::vector<ActionOutput> outputs;
};

struct Array {
  std::string name;
  Gress gress = Gress::ingress;
  std::uint32_t stage = 0;
  std::uint32_t entries = 1;
  RegisterWidth width = RegisterWidth::word;
  std::vector<ActionSpec> actions;
};

struct Table {
  std::string name;
  MatchKind match = MatchKind::exact;
  Gress gress = Gress::ingress;
  std::uint32_t stage = 0;
  std::string key;    ///< a field of up to 64 bits
  std::string token;  ///< a field of up to 8 bits, or empty
  std::uint32_t entries = 1;
  std::uint32_t result_bits = 32;
};

/// Holds when all hold. The fields compared in one step may have 44 bits together (a gateway sees
/// four bytes and twelve hash bits).
struct When {
  std::string field;
  Comparison is = Comparison::equal;
  std::string value = "0";
};

// What a step does.
struct Set {
  static constexpr std::string_view kind = "set";
  std::string field;
  std::string left;
  AluOp op = AluOp::left;
  std::string right = "0";
};
struct Lookup {
  static constexpr std::string_view kind = "lookup";
  std::string table;
  std::string hit;     ///< field that becomes 1 or 0, or empty
  std::string result;  ///< field that becomes the result (0 after a miss), or empty
};
struct Execute {
  static constexpr std::string_view kind = "execute";
  std::string array;
  std::string action;
  std::string index = "0";  ///< taken modulo the array's entries
  std::string a = "0";
  std::string b = "0";
  std::string output;  ///< field, or empty
};
struct Random {
  static constexpr std::string_view kind = "random";
  std::string field;
  std::uint32_t site = 0;
};
struct Forward {
  static constexpr std::string_view kind = "forward";
  std::string port;
};
struct Recirculate {
  static constexpr std::string_view kind = "recirculate";
  std::string port;  ///< empty: the first loop port of the pipe
  bool bypass_egress = false;
};
struct Cross {
  static constexpr std::string_view kind = "cross";
  std::string pipe;
};
struct Multicast {
  static constexpr std::string_view kind = "multicast";
  std::string group;
};
struct Drop {
  static constexpr std::string_view kind = "drop";
};
struct Mirror {
  static constexpr std::string_view kind = "mirror";
  std::string session;
  std::uint32_t truncate_to = 0;
  PayloadRule payload = PayloadRule::keep;
};
struct SendDigest {
  static constexpr std::string_view kind = "digest";
  std::vector<std::string> fields;
};
struct Finish {
  static constexpr std::string_view kind = "finish";
};
using Operation = std::variant<Set, Lookup, Execute, Random, Forward, Recirculate, Cross, Multicast,
                               Drop, Mirror, SendDigest, Finish>;

struct StepSpec {
  std::uint32_t stage = 0;
  std::vector<When> when;
  Operation operation;
};

struct ProgramSpec {
  std::string name;
  std::vector<FieldSpec> header;    ///< on the wire, in this order
  std::vector<FieldSpec> metadata;  ///< zero at the start of every ingress
  std::vector<Table> tables;
  std::vector<Array> arrays;
  std::vector<StepSpec> ingress;  ///< in stage order
  std::vector<StepSpec> egress;
};

void describe(sim::config::Visitor& v, ProgramSpec& c);

}  // namespace recirc::pipeline::spec
