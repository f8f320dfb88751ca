#include <fmt/format.h>

#include <map>

#include "workloads/trace/page_line.h"

namespace recirc::workloads::trace {
namespace {

constexpr std::uint64_t sector_bytes = 512;

/// What blkparse prints unless told otherwise: device, processor, sequence number, time, process,
/// action, kind of request (RWBS), and what the action has. Of the actions, Q is what somebody has
/// asked the block layer for; the others are its way through it.
class BlkparsePages final : public PageLineParser {
 public:
  bool parse(std::string_view line, PageLine& call) override {
    if (begins_summary(line)) {
      ended_ = true;
      return false;
    }
    const std::string_view device = take_word(line);
    const std::size_t comma = device.find(',');
    if (comma == std::string_view::npos) throw WrongLine{"does not begin with a device"};
    number_in(device.substr(0, comma), "major", most_of_device);
    number_in(device.substr(comma + 1), "minor", most_of_device);
    call.file = device;
    number_in(take_word(line), "processor", most_page_threads);
    number_in(take_word(line), "sequence", ~std::uint64_t{0});
    call.at = time_in(take_word(line), 1'000'000'000);
    const std::uint64_t process = number_in(take_word(line), "process", most_of_process);
    const std::string_view action = take_word(line);
    if (action.empty()) throw WrongLine{"names no action"};
    if (action != "Q" || !read_request(line, call)) return false;
    call.thread = number_of(process);
    return true;
  }
  [[nodiscard]] bool ended() const override { return ended_; }
  [[nodiscard]] bool of_disks() const override { return true; }

 private:
  static constexpr std::uint64_t most_of_device = 1U << 20U;
  static constexpr std::uint64_t most_of_process = 1U << 31U;

  static bool begins_summary(std::string_view line) {
    return line.starts_with("CPU") || line.starts_with("Total (");
  }

  /// False for what moves no page: discards, and requests of the driver's.
  static bool read_request(std::string_view line, PageLine& call) {
    const std::string_view kinds = take_word(line);
    if (kinds.empty()) throw WrongLine{"has no kind of request"};
    const bool reads = kinds.find('R') != std::string_view::npos;
    const bool writes = kinds.find('W') != std::string_view::npos;
    const bool flushes = kinds.front() == 'F';
    std::string_view rest = line;
    const std::string_view sector = take_word(rest);
    const bool has_data = !sector.empty() && sector.front() != '[';
    if (flushes && !has_data) {
      call.op = PageOpKind::fsync;
      return true;
    }
    if (kinds.find('D') != std::string_view::npos || !(reads || writes)) return false;
    const std::string_view plus = take_word(rest);
    if (plus.starts_with('(') || plus.starts_with('[')) return false;  // a driver's own command
    if (plus != "+") throw WrongLine{"has no 'sector + count'"};
    call.op = reads ? PageOpKind::read : PageOpKind::write;
    call.offset = sector_bytes * number_in(sector, "sector", last_byte_of_file / sector_bytes);
    call.length =
        sector_bytes * number_in(take_word(rest), "count", longest_page_call / sector_bytes);
    if (flushes && call.length == 0) call.op = PageOpKind::fsync;
    return true;
  }

  std::uint32_t number_of(std::uint64_t process) {
    return processes_.try_emplace(process, static_cast<std::uint32_t>(processes_.size()))
        .first->second;
  }

  bool ended_ = false;
  std::map<std::uint64_t, std::uint32_t> processes_;
};

}  // namespace

std::unique_ptr<PageLineParser> make_blkparse_pages() { return std::make_unique<BlkparsePages>(); }

}  // namespace recirc::workloads::trace
