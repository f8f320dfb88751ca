#pragma once

#include <string_view>

#include "workloads/trace/record.h"

namespace recirc::workloads::trace {

/// One format of trace: takes a line apart, knows nothing of what the commands mean.
class LineParser {
 public:
  virtual ~LineParser() = default;
  /// Fills `record` if the answer is `record` or (but for the time) `bad_time`.
  virtual LineKind parse(std::string_view line, RawRecord& record) = 0;
};

}  // namespace recirc::workloads::trace
