#pragma once

#include "pipeline/pass_context.h"
#include "pipeline/programs/fletch/layout.h"
#include "pipeline/programs/fletch/wire.h"

namespace recirc::pipeline::programs::fletch {

/// The paper's lock (Fletch §V-B): a counter of the reads that hold it.
struct ReaderPreferring {
  /// Whether the read holds the counter now.
  static bool raise(PassContext& context, ArrayId array, std::uint32_t index) {
    context.execute(array, action::raise, index);
    return true;
  }
  static bool may_write(PassContext& context, ArrayId array, std::uint32_t index,
                        bool /*has_waited*/) {
    return context.execute(array, action::is_free, index) != 0;
  }
  /// Whether this write has left something in the register that it must take back.
  static constexpr bool leaves_mark(const Header& /*header*/) { return false; }
};

/// Counts the writes that wait in the same register: while there are any, reads do not raise the
/// counter. Reads that hold it already are all that a write waits for.
struct WritePending {
  static bool raise(PassContext& context, ArrayId array, std::uint32_t index) {
    return context.execute(array, action::raise, index) != 0;
  }
  static bool may_write(PassContext& context, ArrayId array, std::uint32_t index, bool has_waited) {
    return context.execute(array, action::claim, index, has_waited ? 0 : 1, has_waited ? 1 : 0) !=
           0;
  }
  static bool leaves_mark(const Header& header) { return header.has(waited); }
};

}  // namespace recirc::pipeline::programs::fletch
