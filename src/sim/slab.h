#pragma once

#include <cstdint>
#include <vector>

namespace recirc::sim {

/// Records in slots that are used again. Handles are 32-bit indices; no allocation after warm-up.
/// References are invalid after the next take().
template <class T>
class Slab {
 public:
  using Handle = std::uint32_t;

  Handle take() {
    if (!free_.empty()) {
      const Handle handle = free_.back();
      free_.pop_back();
      return handle;
    }
    slots_.emplace_back();
    return static_cast<Handle>(slots_.size() - 1);
  }
  void give_back(Handle handle) { free_.push_back(handle); }

  T& operator[](Handle handle) { return slots_[handle]; }
  const T& operator[](Handle handle) const { return slots_[handle]; }
  [[nodiscard]] std::size_t in_use() const { return slots_.size() - free_.size(); }
  void reserve(std::size_t n) {
    slots_.reserve(n);
    free_.reserve(n);
  }

 private:
  std::vector<T> slots_;
  std::vector<Handle> free_;
};

}  // namespace recirc::sim
