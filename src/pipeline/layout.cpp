#include "pipeline/layout.h"

#include <utility>

#include "sim/error.h"

namespace recirc::pipeline {
namespace {

template <class List>
std::size_t index_by_name(const List& list, std::string_view name, const std::string& program) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].name == name) return i;
  }
  throw sim::InvariantBroken("program " + program + " declares no " + std::string(name));
}

}  // namespace

std::uint32_t bits_of(RegisterWidth width) {
  switch (width) {
    case RegisterWidth::bit:
      return 1;
    case RegisterWidth::byte:
      return 8;
    case RegisterWidth::half:
      return 16;
    case RegisterWidth::word:
    case RegisterWidth::half_pair:
      return 32;
    case RegisterWidth::pair:
      break;
  }
  return 64;
}

HeaderId Layout::add(HeaderSpec header) {
  headers.push_back(std::move(header));
  return HeaderId{static_cast<std::uint16_t>(headers.size() - 1)};
}

TableId Layout::add(TableSpec table_spec) {
  tables.push_back(std::move(table_spec));
  return TableId{static_cast<std::uint16_t>(tables.size() - 1)};
}

ArrayId Layout::add(ArraySpec array_spec) {
  arrays.push_back(std::move(array_spec));
  return ArrayId{static_cast<std::uint16_t>(arrays.size() - 1)};
}

void Layout::add(Computation computation) { computations.push_back(std::move(computation)); }

TableId Layout::table(std::string_view name) const {
  return TableId{static_cast<std::uint16_t>(index_by_name(tables, name, program))};
}

ArrayId Layout::array(std::string_view name) const {
  return ArrayId{static_cast<std::uint16_t>(index_by_name(arrays, name, program))};
}

ActionId Layout::action(ArrayId array_id, std::string_view name) const {
  const ArraySpec& spec = arrays[array_id.value()];
  return ActionId{static_cast<std::uint8_t>(index_by_name(spec.actions, name, program))};
}

}  // namespace recirc::pipeline
