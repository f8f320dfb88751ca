#include "workloads/trace/page_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "sim/error.h"
#include "workloads/trace/line_reader.h"
#include "workloads/trace/page_line.h"

namespace recirc::workloads::trace {
namespace {

constexpr std::size_t problems_told = 5;
constexpr std::uint64_t bytes_of_page = page_size.count();
constexpr std::uint32_t pages_of_extent = 512;  ///< the largest region of a directory, 2 MiB

std::unique_ptr<PageLineParser> make_parser(PageTraceFormat format) {
  switch (format) {
    case PageTraceFormat::iolog:
      return make_iolog_pages();
    case PageTraceFormat::blkparse:
      return make_blkparse_pages();
    case PageTraceFormat::csv:
      break;
  }
  return make_csv_pages();
}

/// The pages of a call's bytes.
PageOp op_of(const PageLine& line) {
  PageOp op;
  op.kind = line.op;
  if (line.op == PageOpKind::fsync || line.op == PageOpKind::reopen) return op;
  if (line.op == PageOpKind::truncate) {
    op.first.page = static_cast<std::uint32_t>((line.offset + bytes_of_page - 1) / bytes_of_page);
    return op;
  }
  if (line.length == 0) throw WrongLine{"has length 0"};
  op.first.page = static_cast<std::uint32_t>(line.offset / bytes_of_page);
  op.pages = static_cast<std::uint32_t>((line.offset + line.length - 1) / bytes_of_page -
                                        op.first.page + 1);
  op.whole = line.offset % bytes_of_page == 0 && line.length % bytes_of_page == 0;
  return op;
}

bool moves_pages(const PageOp& op) {
  return op.kind == PageOpKind::read || op.kind == PageOpKind::write;
}

class Loader {
 public:
  Loader(const std::filesystem::path& file, PageTraceFormat format)
      : lines_(file), parser_(make_parser(format)) {
    trace_.name = file.string();
    trace_.of_processes = parser_->of_processes();
  }

  std::shared_ptr<const PageTrace> load() {
    std::string_view line;
    while (!parser_->ended() && lines_.next(line)) {
      line = trimmed(line);
      if (line.empty()) continue;
      try {
        if (lines_.cut()) throw WrongLine{"is too long"};
        PageLine call;
        if (parser_->parse(line, call)) add(call);
      } catch (const WrongLine& wrong) {
        if (++problems_ <= problems_told)
          told_ += fmt::format("\n  line {} {}", lines_.number(), wrong.what);
      }
    }
    if (!lines_.damage().empty()) {
      ++problems_;
      told_ += "\n  " + lines_.damage();
    }
    tell_problems();
    shift_to_zero();
    if (parser_->of_disks()) leave_out_untouched();
    set_up_files();
    return std::make_shared<const PageTrace>(std::move(trace_));
  }

 private:
  void tell_problems() const {
    if (problems_ > 0) {
      throw sim::InputOutputError(fmt::format("{}: {} of its lines cannot be used:{}{}",
                                              trace_.name, problems_, told_,
                                              problems_ > problems_told ? "\n  ..." : ""));
    }
    if (trace_.calls.empty()) {
      throw sim::InputOutputError(trace_.name + " holds no call to replay");
    }
  }

  void add(const PageLine& line) {
    PageTraceCall call;
    call.line = lines_.number();
    call.at = line.at;
    call.node = line.node;
    call.thread = line.thread;
    sim::Time& last = last_of_[{call.node, call.thread}];
    if (call.at < last) throw WrongLine{"is earlier than the line before it of its thread"};
    call.op = op_of(line);
    last = call.at;
    call.op.first.file = file_of(line.file);
    trace_.calls.push_back(call);
  }

  FileId file_of(std::string_view name) {
    const auto known = files_.find(name);
    if (known != files_.end()) return known->second;
    const FileId id{static_cast<FileId::rep>(files_.size())};
    return files_.emplace(std::string(name), id).first->second;
  }

  void shift_to_zero() {
    sim::Time first = trace_.calls.front().at;
    for (const PageTraceCall& call : trace_.calls) first = std::min(first, call.at);
    for (PageTraceCall& call : trace_.calls) call.at -= first - sim::Time{};
  }

  /// A directory has an entry for each region of a file, and a disk is mostly not touched.
  void leave_out_untouched() {
    std::vector<std::map<std::uint32_t, std::uint32_t>> extents(files_.size());  // their new places
    for (const PageTraceCall& call : trace_.calls) {
      if (!moves_pages(call.op)) continue;
      const std::uint32_t last = call.op.first.page + call.op.pages - 1;
      for (std::uint32_t extent = call.op.first.page / pages_of_extent;
           extent <= last / pages_of_extent; ++extent) {
        extents[call.op.first.file.value()][extent] = 0;
      }
    }
    for (auto& of_file : extents) {
      std::uint32_t place = 0;
      for (auto& extent : of_file) extent.second = place++;
    }
    for (PageTraceCall& call : trace_.calls) {
      if (!moves_pages(call.op)) continue;
      PageRef& first = call.op.first;
      first.page = extents[first.file.value()][first.page / pages_of_extent] * pages_of_extent +
                   first.page % pages_of_extent;
    }
  }

  void set_up_files() {
    trace_.files.assign(files_.size(), PageFile{0, false, 0});
    std::vector<bool> resized(files_.size());
    for (const PageTraceCall& call : trace_.calls) {
      const PageOp& op = call.op;
      const std::size_t number = op.first.file.value();
      PageFile& file = trace_.files[number];
      if (op.kind == PageOpKind::append || op.kind == PageOpKind::truncate) resized[number] = true;
      if (moves_pages(op) && !resized[number]) {
        file.pages = std::max(file.pages, op.first.page + op.pages);
      }
      if (!changes_file(op.kind)) continue;
      file.written = true;
      if (!trace_.of_processes && call.node < 32) file.writers |= 1U << call.node;
    }
  }

  LineReader lines_;
  std::unique_ptr<PageLineParser> parser_;
  PageTrace trace_;
  std::map<std::string, FileId, std::less<>> files_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, sim::Time> last_of_;
  std::uint64_t problems_ = 0;
  std::string told_;
};

}  // namespace

std::span<const sim::config::EnumName> names_of(PageTraceFormat /*format*/) {
  static constexpr sim::config::EnumName names[] = {
      {"csv", PageTraceFormat::csv, "time,node,thread,op,file,offset,length"},
      {"iolog", PageTraceFormat::iolog, "fio's log of a job, versions 2 and 3"},
      {"blkparse", PageTraceFormat::blkparse, "what blkparse prints by default"}};
  return names;
}

std::shared_ptr<const PageTrace> load_page_trace(const std::filesystem::path& file,
                                                 PageTraceFormat format) {
  return Loader(file, format).load();
}

}  // namespace recirc::workloads::trace
