#pragma once

#include <string>
#include <string_view>

#include "sim/config/document.h"
#include "sim/config/visitor.h"

namespace recirc::sim::config {

/// Goes through all fields of a configuration as it stands: the alternative that is chosen, the
/// optional that is there, every item of a list.
class FieldWalk : public Visitor {
 public:
  void look_into(const Value& value) {
    if (const auto* group = std::get_if<Group>(&value.is)) {
      group->describe(*this, group->object);
    } else if (const auto* choice = std::get_if<Choice>(&value.is)) {
      const Group held = choice->held(choice->object);
      held.describe(*this, held.object);
    } else if (const auto* optional = std::get_if<Optional>(&value.is)) {
      if (optional->engaged(optional->object)) look_into(optional->held(optional->object));
    } else if (const auto* list = std::get_if<List>(&value.is)) {
      look_into_items(*list);
    }
  }

 protected:
  /// `pointer`: of the field.
  virtual void found(const std::string& pointer, const Value& value, const FieldInfo& info) = 0;

 private:
  void look_into_items(const List& items) {
    const std::string before = pointer_;
    for (std::size_t i = 0; i < items.size(items.object); ++i) {
      pointer_ = before + '/' + std::to_string(i);
      look_into(items.item(items.object, i));
    }
    pointer_ = before;
  }
  void on_field(std::string_view name, const Value& value, const FieldInfo& info) final {
    const std::string before = pointer_;
    pointer_ += '/' + escape_pointer(name);
    found(pointer_, value, info);
    look_into(value);
    pointer_ = before;
  }

  std::string pointer_;
};

}  // namespace recirc::sim::config
