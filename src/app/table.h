#pragma once

#include <string>
#include <vector>

namespace recirc::app {

/// Aligned plain text: the first column to the left, the others to the right.
class Table {
 public:
  explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// The first `columns` columns are words and stand to the left.
  void left(std::size_t columns) { left_ = columns; }
  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
  std::size_t left_ = 1;
};

}  // namespace recirc::app
