#include <fmt/format.h>

#include <map>

#include "workloads/trace/page_line.h"

namespace recirc::workloads::trace {
namespace {

/// fio's log of a job, versions 2 and 3.
class IologPages final : public PageLineParser {
 public:
  bool parse(std::string_view line, PageLine& call) override {
    if (version_ == 0) return read_version(line);
    if (version_ == 3) call.at = time_in(take_word(line), 1'000);
    call.file = take_word(line);
    const std::string_view action = take_word(line);
    if (action.empty()) throw WrongLine{"names no action"};
    if (action == "add" || action == "open" || action == "close") {
      must_end(line);
      return manage(action, call);
    }
    return move(action, line, call);
  }

 private:
  bool read_version(std::string_view line) {
    if (line == "fio version 2 iolog") version_ = 2;
    if (line == "fio version 3 iolog") version_ = 3;
    if (version_ == 0 && !told_) {
      told_ = true;
      throw WrongLine{"is not 'fio version 2 iolog' or 'fio version 3 iolog'"};
    }
    return false;
  }

  static void must_end(std::string_view line) {
    if (!trimmed(line).empty()) throw WrongLine{fmt::format("goes on with '{}'", trimmed(line))};
  }

  /// Files are open from the start, so that the first open does nothing.
  bool manage(std::string_view action, PageLine& call) {
    if (action == "close") closed_[std::string(call.file)] = true;
    if (action != "open") return false;
    const auto known = closed_.find(call.file);
    if (known == closed_.end() || !known->second) return false;
    known->second = false;
    call.op = PageOpKind::reopen;
    call.at = version_ == 3 ? call.at : waited_;
    return true;
  }

  bool move(std::string_view action, std::string_view line, PageLine& call) {
    const std::string_view offset = take_word(line);
    const std::string_view length = take_word(line);
    must_end(line);
    if (action == "wait") {
      if (version_ == 3) throw WrongLine{"waits, which version 3 does not"};
      waited_ += time_in(offset, 1'000) - sim::Time{};
      return false;
    }
    if (version_ == 2) call.at = waited_;
    if (action == "sync" || action == "datasync") {
      call.op = PageOpKind::fsync;
      return true;
    }
    if (action != "read" && action != "write" && action != "trim") {
      throw WrongLine{fmt::format("action '{}' is none of fio's", action)};
    }
    call.op = action == "read" ? PageOpKind::read : PageOpKind::write;
    call.offset = number_in(offset, "offset", last_byte_of_file);
    call.length = number_in(length, "length", longest_page_call);
    return action != "trim";
  }

  unsigned version_ = 0;
  bool told_ = false;
  sim::Time waited_{};
  std::map<std::string, bool, std::less<>> closed_;
};

}  // namespace

std::unique_ptr<PageLineParser> make_iolog_pages() { return std::make_unique<IologPages>(); }

}  // namespace recirc::workloads::trace
