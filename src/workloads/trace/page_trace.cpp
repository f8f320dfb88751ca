#include "workloads/trace/page_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/error.h"
#include "workloads/trace/line_reader.h"
#include "workloads/trace/timestamp.h"

namespace recirc::workloads::trace {
namespace {

constexpr std::array<std::string_view, 7> columns = {"time", "node",   "thread", "op",
                                                     "file", "offset", "length"};
constexpr std::size_t problems_told = 5;
constexpr std::uint64_t bytes_of_page = page_size.count();
constexpr std::uint64_t most_pages = std::uint64_t{1} << 31U;
/// A node or thread; the cluster's own bounds are far below.
constexpr std::uint64_t most_of_them = 1 << 16;
/// Of one call; no system call moves more.
constexpr std::uint64_t longest_call = std::uint64_t{1} << 31U;

/// What is wrong with a line.
struct Wrong {
  std::string what;
};

using Fields = std::array<std::string_view, columns.size()>;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

Fields split(std::string_view line) {
  Fields fields;
  std::size_t count = 0;
  for (std::size_t at = 0;; ++count) {
    const std::size_t end = std::min(line.find(',', at), line.size());
    if (count < fields.size()) fields[count] = trimmed(line.substr(at, end - at));
    if (end == line.size()) break;
    at = end + 1;
  }
  if (++count != fields.size()) {
    throw Wrong{fmt::format("has {} fields, not {}", count, fields.size())};
  }
  return fields;
}

std::uint64_t number(std::string_view text, std::size_t column, std::uint64_t most) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value > most) {
    throw Wrong{fmt::format("{} '{}' is not a number from 0 to {}", columns[column], text, most)};
  }
  return value;
}

void must_be_empty(std::string_view text, std::size_t column, std::string_view op) {
  if (text.empty() || text == "0") return;
  throw Wrong{fmt::format("{} '{}' has no meaning for {}", columns[column], text, op)};
}

class Loader {
 public:
  explicit Loader(const std::filesystem::path& file) : lines_(file) { trace_.name = file.string(); }

  std::shared_ptr<const PageTrace> load() {
    std::string_view line;
    while (lines_.next(line)) {
      line = trimmed(line);
      if (line.empty() || line.front() == '#') continue;
      try {
        if (lines_.cut()) throw Wrong{"is too long"};
        if (!std::exchange(begun_, true) && is_header(line)) continue;
        read(line);
      } catch (const Wrong& wrong) {
        if (++problems_ <= problems_told)
          told_ += fmt::format("\n  line {} {}", lines_.number(), wrong.what);
      }
    }
    if (!lines_.damage().empty()) {
      ++problems_;
      told_ += "\n  " + lines_.damage();
    }
    if (problems_ > 0) {
      throw sim::InputOutputError(fmt::format("{}: {} of its lines cannot be used:{}{}",
                                              trace_.name, problems_, told_,
                                              problems_ > problems_told ? "\n  ..." : ""));
    }
    if (trace_.calls.empty()) {
      throw sim::InputOutputError(trace_.name + " holds no call to replay");
    }
    shift_to_zero();
    return std::make_shared<const PageTrace>(std::move(trace_));
  }

 private:
  struct FileState {
    FileId id;
    bool resized = false;
  };

  bool is_header(std::string_view line) {
    if (line.find_first_of("0123456789") < line.find(',')) return false;
    const Fields fields = split(line);
    static constexpr std::array<std::pair<std::string_view, std::int64_t>, 5> units = {
        {{"time", 1'000'000'000},
         {"time_s", 1'000'000'000},
         {"time_ms", 1'000'000},
         {"time_us", 1'000},
         {"time_ns", 1}}};
    const auto* const unit =
        std::ranges::find(units, fields[0], &std::pair<std::string_view, std::int64_t>::first);
    if (unit == units.end() || !std::equal(fields.begin() + 1, fields.end(), columns.begin() + 1)) {
      throw Wrong{"is a header, but not time,node,thread,op,file,offset,length"};
    }
    unit_ = Stamp{unit->second};
    return true;
  }

  void read(std::string_view line) {
    const Fields fields = split(line);
    PageTraceCall call;
    call.line = lines_.number();
    const std::optional<Stamp> stamp = parse_decimal_time(fields[0], unit_);
    constexpr std::int64_t longest = std::numeric_limits<std::int64_t>::max() / 1000;
    if (!stamp || stamp->count() > longest) {
      throw Wrong{fmt::format("time '{}' is not a number", fields[0])};
    }
    call.at = sim::Time{sim::nanoseconds(stamp->count())};
    call.node = static_cast<std::uint32_t>(number(fields[1], 1, most_of_them));
    call.thread = static_cast<std::uint32_t>(number(fields[2], 2, most_of_them));
    sim::Time& last = last_of_[{call.node, call.thread}];
    if (call.at < last) throw Wrong{"is earlier than the line before it of its thread"};
    const auto* const kind = std::ranges::find(page_op_names, fields[3]);
    if (kind == page_op_names.end()) {
      throw Wrong{fmt::format("op '{}' is none of read, write, append, truncate, fsync and reopen",
                              fields[3])};
    }
    call.op.kind = static_cast<PageOpKind>(kind - page_op_names.begin());
    if (fields[4].empty()) throw Wrong{"names no file"};
    read_range(fields, call.op);
    last = call.at;
    FileState& file = file_of(fields[4]);
    call.op.first.file = file.id;
    note(call, file);
    trace_.calls.push_back(call);
  }

  static void read_range(const Fields& fields, PageOp& op) {
    const std::string_view name = name_of(op.kind);
    if (op.kind == PageOpKind::fsync || op.kind == PageOpKind::reopen) {
      must_be_empty(fields[5], 5, name);
      return must_be_empty(fields[6], 6, name);
    }
    const std::uint64_t last_byte = most_pages * bytes_of_page;
    std::uint64_t offset = 0;
    if (op.kind == PageOpKind::append) {
      must_be_empty(fields[5], 5, name);
    } else {
      offset = number(fields[5], 5, last_byte);
    }
    if (op.kind == PageOpKind::truncate) {
      must_be_empty(fields[6], 6, name);
      op.first.page = static_cast<std::uint32_t>((offset + bytes_of_page - 1) / bytes_of_page);
      return;
    }
    const std::uint64_t length = number(fields[6], 6, longest_call);
    if (length == 0) throw Wrong{"has length 0"};
    op.first.page = static_cast<std::uint32_t>(offset / bytes_of_page);
    op.pages =
        static_cast<std::uint32_t>((offset + length - 1) / bytes_of_page - op.first.page + 1);
    op.whole = offset % bytes_of_page == 0 && length % bytes_of_page == 0;
  }

  FileState& file_of(std::string_view name) {
    const auto known = files_.find(name);
    if (known != files_.end()) return known->second;
    trace_.files.emplace_back();
    trace_.files.back().writers = 0;
    const FileId id{static_cast<FileId::rep>(trace_.files.size() - 1)};
    return files_.emplace(std::string(name), FileState{id}).first->second;
  }

  void note(const PageTraceCall& call, FileState& state) {
    PageFile& file = trace_.files[state.id.value()];
    const PageOp& op = call.op;
    const bool moves = op.kind == PageOpKind::read || op.kind == PageOpKind::write;
    if (op.kind == PageOpKind::append || op.kind == PageOpKind::truncate) state.resized = true;
    if (moves && !state.resized) file.pages = std::max(file.pages, op.first.page + op.pages);
    if (op.kind == PageOpKind::read || op.kind == PageOpKind::fsync ||
        op.kind == PageOpKind::reopen) {
      return;
    }
    file.written = true;
    if (call.node < 32) file.writers |= 1U << call.node;
  }

  void shift_to_zero() {
    sim::Time first = trace_.calls.front().at;
    for (const PageTraceCall& call : trace_.calls) first = std::min(first, call.at);
    for (PageTraceCall& call : trace_.calls) call.at -= first - sim::Time{};
  }

  LineReader lines_;
  PageTrace trace_;
  Stamp unit_ = std::chrono::seconds{1};
  bool begun_ = false;
  std::map<std::string, FileState, std::less<>> files_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, sim::Time> last_of_;
  std::uint64_t problems_ = 0;
  std::string told_;
};

}  // namespace

std::shared_ptr<const PageTrace> load_page_trace(const std::filesystem::path& file) {
  return Loader(file).load();
}

}  // namespace recirc::workloads::trace
