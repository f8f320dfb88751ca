#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/document.h"
#include "sim/config/issues.h"
#include "sim/config/visitor.h"

namespace recirc::sim::config {

/// Fills described structs from a document and reports everything that does not fit.
///
/// An integer may be written 2.0 or 3e6, as JSON has one number type and tools write either; 2.9 is
/// an issue. What is not given keeps its default, and so does the kind of a choice that an
/// override only gives a member of.
class Reader final : public Visitor {
 public:
  Reader(const Document& document, Issues& issues) : document_(document), issues_(issues) {}
  /// Reads the whole document.
  void read(const Group& root);

 private:
  using Json = nlohmann::ordered_json;
  /// The object whose members are being read, and the names described so far.
  struct Frame {
    const Json* object;
    std::vector<std::string_view> names;
  };
  struct Unknown {
    std::string parent;
    std::string key;
    std::vector<std::string> names;
  };

  void on_field(std::string_view name, const Value& value, const FieldInfo& info) override;

  void read_group(const Json& json, const Group& group, std::string_view extra_key);
  void read_value(const Json& json, const Value& value, const FieldInfo& info);
  void read_scalar(const Json& json, const Scalar& scalar, const FieldInfo& info);
  void read_integer(const Json& json, const Scalar& scalar, const FieldInfo& info);
  void read_real(const Json& json, const Scalar& scalar, const FieldInfo& info);
  void read_text(const Json& json, const Scalar& scalar, const FieldInfo& info);
  void read_quantity(const Json& json, const Scalar& scalar, const FieldInfo& info);
  void read_enumeration(const Json& json, const Scalar& scalar);
  void read_list(const Json& json, const List& list, const FieldInfo& info);
  void read_optional(const Json& json, const Optional& optional, const FieldInfo& info);
  void read_choice(const Json& json, const Choice& choice);
  void read_absent(const Value& value, const FieldInfo& info);

  void set_in_range(const Scalar& scalar, Integer value, const FieldInfo& info);
  [[nodiscard]] static bool is_complete(const Frame& frame);
  void find_unknown_keys(const Frame& frame);
  void report_unknown_keys();
  void report(std::string message, std::string suggestion = "");
  void report_type(std::string_view wanted, const Json& found, std::string suggestion = "");

  const Document& document_;
  Issues& issues_;
  std::string pointer_;
  std::vector<Frame> frames_;
  std::vector<Unknown> unknown_;
  std::vector<std::string> known_;  ///< every pointer described, to find misplaced keys
};

}  // namespace recirc::sim::config
