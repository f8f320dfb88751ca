#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "workloads/trace/page_line.h"

namespace recirc::workloads::trace {
namespace {

constexpr std::array<std::string_view, 7> columns = {"time", "node",   "thread", "op",
                                                     "file", "offset", "length"};

using Fields = std::array<std::string_view, columns.size()>;

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
    throw WrongLine{fmt::format("has {} fields, not {}", count, fields.size())};
  }
  return fields;
}

std::uint64_t number(const Fields& fields, std::size_t column, std::uint64_t most) {
  return number_in(fields[column], columns[column], most);
}

void must_be_empty(const Fields& fields, std::size_t column, PageOpKind op) {
  if (fields[column].empty() || fields[column] == "0") return;
  throw WrongLine{
      fmt::format("{} '{}' has no meaning for {}", columns[column], fields[column], name_of(op))};
}

class CsvPages final : public PageLineParser {
 public:
  bool parse(std::string_view line, PageLine& call) override {
    if (line.front() == '#') return false;
    if (!std::exchange(begun_, true) && is_header(line)) return false;
    const Fields fields = split(line);
    call.at = time_in(fields[0], unit_);
    call.node = static_cast<std::uint32_t>(number(fields, 1, most_page_threads));
    call.thread = static_cast<std::uint32_t>(number(fields, 2, most_page_threads));
    const auto* const kind = std::ranges::find(page_op_names, fields[3]);
    if (kind == page_op_names.end()) {
      throw WrongLine{fmt::format(
          "op '{}' is none of read, write, append, truncate, fsync and reopen", fields[3])};
    }
    call.op = static_cast<PageOpKind>(kind - page_op_names.begin());
    if (fields[4].empty()) throw WrongLine{"names no file"};
    call.file = fields[4];
    read_range(fields, call);
    return true;
  }
  [[nodiscard]] bool of_processes() const override { return false; }

 private:
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
      throw WrongLine{"is a header, but not time,node,thread,op,file,offset,length"};
    }
    unit_ = unit->second;
    return true;
  }

  static void read_range(const Fields& fields, PageLine& call) {
    if (call.op == PageOpKind::fsync || call.op == PageOpKind::reopen) {
      must_be_empty(fields, 5, call.op);
      return must_be_empty(fields, 6, call.op);
    }
    if (call.op == PageOpKind::append) {
      must_be_empty(fields, 5, call.op);
    } else {
      call.offset = number(fields, 5, last_byte_of_file);
    }
    if (call.op == PageOpKind::truncate) return must_be_empty(fields, 6, call.op);
    call.length = number(fields, 6, longest_page_call);
  }

  std::int64_t unit_ = 1'000'000'000;
  bool begun_ = false;
};

}  // namespace

std::unique_ptr<PageLineParser> make_csv_pages() { return std::make_unique<CsvPages>(); }

}  // namespace recirc::workloads::trace
