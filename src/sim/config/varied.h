#pragma once

#include <string>
#include <vector>

#include "sim/config/visitor.h"

namespace recirc::sim::config {

/// A setting whose default is assumed or fitted, and the ends of the range it may lie in.
struct VariedField {
  std::string pointer;
  std::string from;                 ///< its provenance as text
  std::string value;                ///< what it is set to, as JSON text
  std::vector<std::string> values;  ///< the ends of its range, but for `value`, likewise
};

/// Every assumed or fitted field, in the order described. Those that state no range, or one that is
/// not two values of the field's own type ("8..64 a server", "any"), have no `values`.
[[nodiscard]] std::vector<VariedField> varied_fields_of(const Group& source);

template <class T>
[[nodiscard]] std::vector<VariedField> varied_fields(T config) {
  return varied_fields_of(group_of(config));
}

}  // namespace recirc::sim::config
