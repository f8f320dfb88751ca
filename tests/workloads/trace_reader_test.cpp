#include <string>

#include "catch.h"
#include "sim/error.h"
#include "sim/rng.h"
#include "trace_files.h"
#include "workloads/trace/line_reader.h"
#include "workloads/trace/path_text.h"
#include "workloads/trace/summary.h"
#include "workloads/trace/timestamp.h"
#include "workloads/trace/trace.h"

using namespace recirc;
using namespace recirc::workloads;
using namespace recirc::workloads::trace;
using namespace recirc::workloads::trace::testing;

namespace {

using Lines = std::vector<std::uint64_t>;

std::string normal(std::string_view text) {
  std::string out;
  REQUIRE(normalise(text, out) == PathCheck::fine);
  return out;
}

PathCheck check(const std::string& text) {
  std::string out;
  return normalise(text, out);
}

std::string many_lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += audit(i % 60, "open", "/dir/file_" + std::to_string(i * 7919 % count));
  }
  return text;
}

}  // namespace

TEST_CASE("Line ends, missing last newline and byte order mark do not matter") {
  std::string crlf = audit(0, "open", "/a");
  crlf.insert(crlf.size() - 1, "\r");
  std::string unended = audit(1, "open", "/b");
  unended.pop_back();
  const auto read = read_text("\xef\xbb\xbf" + crlf + "\n\r\n" + unended);
  REQUIRE(read.records.size() == 2);
  CHECK(read.records[0].path == "/a");
  CHECK(read.records[1].path == "/b");
  CHECK(read.records[1].line == 4);
  CHECK(read.lines == 4);
  CHECK(read.problems.errors() == 0);
}

TEST_CASE("Lines with NUL bytes are broken") {
  std::string nul = audit(1, "open", "/b");
  nul[nul.size() / 2] = '\0';
  const auto read = read_text(audit(0, "open", "/a") + nul + std::string(100, '\0') + "\n" +
                              audit(2, "open", "/c"));
  CHECK(read.records.size() == 2);
  CHECK(read.problems.of(Problem::broken_line).lines == Lines{2, 3});
}

TEST_CASE("A line over a mebibyte is counted, and the line after it is read") {
  const std::string source = "[" + std::string(LineReader::longest_line + 100'000, 'x') + "]";
  const auto read = read_text(audit(0, "concat", source, "/t") + audit(1, "open", "/a") +
                              audit(2, "concat", source.substr(0, 900'000), "/t"));
  REQUIRE(read.records.size() == 2);
  CHECK(read.records[0].line == 2);
  CHECK(read.records[1].path == "/t");
  CHECK(read.problems.of(Problem::long_line).lines == Lines{1});
}

TEST_CASE("gzip files read like plain ones, also with several members") {
  const std::string text = many_lines(3000);
  const auto plain = read_text(text);
  const auto packed = read_text(gzip(text));
  const auto members = read_text(gzip(text.substr(0, 1000)) + gzip("") + gzip(text.substr(1000)));
  REQUIRE(plain.records.size() == 3000);
  for (const auto* other : {&packed, &members}) {
    REQUIRE(other->records.size() == 3000);
    for (std::size_t i = 0; i < 3000; ++i) {
      if (other->records[i].path != plain.records[i].path) FAIL(i);
    }
    CHECK(other->problems.errors() == plain.problems.errors());
  }
}

TEST_CASE("A truncated or damaged gzip file is read up to there and reported") {
  const std::string packed = gzip(many_lines(3000));
  for (const double share : {0.2, 0.5, 0.9, 0.9999}) {
    const auto read = read_text(
        packed.substr(0, static_cast<std::size_t>(share * static_cast<double>(packed.size()))));
    CHECK(read.problems.of(Problem::damaged_file).count == 1);
    CHECK(read.problems.of(Problem::damaged_file).examples[0] ==
          "the compressed file ends too early");
    CHECK(read.problems.of(Problem::broken_line).count == 0);  // the torn line is not guessed at
    CHECK(read.records.size() <= 3000);
  }
  std::string flipped = packed;
  flipped[flipped.size() - 6] = static_cast<char>(~flipped[flipped.size() - 6]);  // its checksum
  const auto read = read_text(flipped);
  CHECK(read.problems.of(Problem::damaged_file).count == 1);
  const TraceFile file{packed.substr(0, packed.size() / 2)};
  CHECK_THROWS_AS(load(file.path(), Format::automatic, true), sim::InputOutputError);
  CHECK(load(file.path())->summary.problems.errors() > 0);
}

TEST_CASE("Files that cannot be read or are no trace say so") {
  CHECK_THROWS_AS(Reader("/nonexistent/trace.log"), sim::InputOutputError);
  CHECK_THROWS_AS(Reader(std::filesystem::temp_directory_path()), sim::InputOutputError);
  CHECK_THROWS_AS(read_text("just\nsome text, with, commas\n"), sim::InputOutputError);
  CHECK_THROWS_AS(read_text(std::string(5000, '\0')), sim::InputOutputError);
  const auto empty = read_text("");
  CHECK(empty.records.empty());
  CHECK(empty.format == Format::automatic);
  const auto forced = read_text("just\nsome text\n", Format::hdfs_audit);
  CHECK(forced.problems.of(Problem::foreign_line).count == 2);
}

TEST_CASE("The format is found behind lines of another kind") {
  CHECK(read_text("SLF4J: hello, world\n\n" + audit(0, "open", "/a")).format == Format::hdfs_audit);
  CHECK(read_text("# made by hand\n\n0,open,/a\n").format == Format::csv);
  CHECK(read_text("op,path,time\nopen,/a,0\n").format == Format::csv);
  CHECK(read_text(gzip("0,open,/a\n")).format == Format::csv);
}

TEST_CASE("Times that run backwards are counted and held") {
  const auto read = read_text(audit(10, "open", "/a") + audit(5, "open", "/b") +
                              audit(9, "open", "/c") + audit(11, "open", "/d"));
  REQUIRE(read.records.size() == 4);
  CHECK(read.records[1].ns == 0);
  CHECK(read.records[2].ns == 0);
  CHECK(read.records[3].ns == 1'000'000'000);
  CHECK(read.problems.of(Problem::out_of_order).lines == Lines{2, 3});
}

TEST_CASE("A request whose time cannot be read keeps the time before it") {
  std::string untimed = audit(3, "open", "/b");
  untimed.replace(0, 4, "20x4");
  const auto read = read_text(untimed + audit(10, "open", "/a") + audit(12, "open", "/b") +
                              untimed + audit(13, "open", "/c"));
  REQUIRE(read.records.size() == 5);
  CHECK(read.records[0].ns == 0);
  CHECK(read.records[1].ns == 0);
  CHECK(read.records[3].ns == 2'000'000'000);
  CHECK(read.records[4].ns == 3'000'000'000);
  CHECK(read.problems.of(Problem::bad_time).lines == Lines{1, 4});
}

TEST_CASE("Paths are brought to one form") {
  CHECK(normal("/") == "/");
  CHECK(normal("//") == "/");
  CHECK(normal("/.") == "/");
  CHECK(normal("/a//b///c/") == "/a/b/c");
  CHECK(normal("/a/./b/.") == "/a/b");
  CHECK(normal("/.hidden/..x/...") == "/.hidden/..x/...");
  CHECK(normal("hdfs://nn:8020/a/b") == "/a/b");
  CHECK(normal("hdfs://nn:8020") == "/");
  CHECK(check("") == PathCheck::none);
  CHECK(check("null") == PathCheck::none);
  CHECK(check("a/b") == PathCheck::unusable);
  CHECK(check("/a/../b") == PathCheck::unusable);
  CHECK(check("[/a, /b]") == PathCheck::unusable);
}

TEST_CASE("Names of 255 bytes and paths of 64 levels are the longest") {
  CHECK(check("/a/" + std::string(255, 'x') + "/b") == PathCheck::fine);
  CHECK(check("/a/" + std::string(256, 'x') + "/b") == PathCheck::oversize_name);
  std::string deep;
  for (unsigned i = 0; i < max_depth; ++i) deep += "/" + std::string(255, 'd');
  CHECK(check(deep) == PathCheck::fine);
  CHECK(check(deep + "/") == PathCheck::fine);
  CHECK(check(deep + "/e") == PathCheck::too_deep);
  const auto read =
      read_text(audit(0, "open", "/" + std::string(256, 'n')) + audit(1, "open", deep + "/e") +
                audit(2, "open", deep) + audit(3, "rename", "/a", "/" + std::string(256, 'n')));
  REQUIRE(read.records.size() == 1);
  CHECK(read.records[0].path == deep);
  CHECK(read.problems.of(Problem::oversize_name).lines == Lines{1, 4});
  CHECK(read.problems.of(Problem::too_deep).lines == Lines{2});
}

TEST_CASE("Decimal times are exact to the nanosecond") {
  const auto seconds = [](std::string_view text) {
    const auto time = parse_decimal_time(text, std::chrono::seconds{1});
    return time ? time->count() : -1;
  };
  CHECK(seconds("0") == 0);
  CHECK(seconds("1.5") == 1'500'000'000);
  CHECK(seconds(".25") == 250'000'000);
  CHECK(seconds("7.") == 7'000'000'000);
  CHECK(seconds("1714564800.123456789") == 1'714'564'800'123'456'789);
  CHECK(seconds("0.1234567899999999999999999999999") == 123'456'789);
  CHECK(seconds("1.2e-05") == 12'000);
  CHECK(seconds("1E2") == 100'000'000'000);
  CHECK(seconds("0e999") == 0);
  for (const char* bad : {"", ".", "-1", "1e", "1e+", "1x", "1 2", "1e9999", "9e18", "1.2.3", "nan",
                          "99999999999999999999"}) {
    INFO(bad);
    CHECK(seconds(bad) == -1);
  }
}

TEST_CASE("Problems keep the first lines and readable examples") {
  Problems problems;
  for (std::uint64_t line = 1; line <= 9; ++line) {
    problems.add(Problem::unknown_command, line, line == 1 ? std::string(200, 'y') : "\xff\x01");
  }
  const auto& entry = problems.of(Problem::unknown_command);
  CHECK(entry.count == 9);
  CHECK(entry.lines == Lines{1, 2, 3, 4, 5});
  CHECK(entry.examples[0] == std::string(60, 'y') + "...");
  CHECK(entry.examples[1] == "\\xff\\x01");
  problems.add(Problem::ignored_command, 10, "fsck");
  CHECK(problems.errors() == 9);
  CHECK(problems.text(true).find("fsck") == std::string::npos);
  CHECK(problems.text(false).find("1 line with an ignored command: line 10 (fsck)\n") !=
        std::string::npos);
}

TEST_CASE("Strict reading lists all problems at once but takes a clean trace") {
  const TraceFile odd{audit(5, "open", "/a") + audit(4, "open", "/b") + audit(6, "fly", "/c") +
                      "broken\n" + audit(7, "fsck", "/")};
  try {
    load(odd.path(), Format::automatic, true);
    FAIL("accepted");
  } catch (const sim::InputOutputError& error) {
    const std::string text = error.what();
    CHECK(text.find("unknown command: line 3 (fly)") != std::string::npos);
    CHECK(text.find("line 2") != std::string::npos);
    CHECK(text.find("line 4 (broken)") != std::string::npos);
    CHECK(text.find("fsck") == std::string::npos);
  }
  const TraceFile clean{audit(5, "open", "/a") + audit(7, "fsck", "/")};
  CHECK(load(clean.path(), Format::automatic, true)->operations.size() == 1);
}

TEST_CASE("Garbage of any kind never crashes a reader") {
  const std::string good = audit(1, "rename", "/a/b", "/c") + "1.5,open,\"/x,y\"\n" +
                           "2024-05-01 12:00:00,1 x allowed=true\tcmd=a\tsrc=\tdst=\n";
  sim::CounterRng rng{20240501};
  std::uint64_t read_at_all = 0;
  for (int round = 0; round < 300; ++round) {
    std::string text;
    while (rng.next() % 12 != 0) text += good;
    const std::uint64_t changes = rng.next() % 64;
    for (std::uint64_t i = 0; i < changes && !text.empty(); ++i) {
      const std::size_t at = rng.next() % text.size();
      char inserted = 0;
      std::size_t length = 0;
      switch (rng.next() % 4) {
        case 0:
          text[at] = static_cast<char>(rng.next());
          break;
        case 1:
          text.erase(at, rng.next() % 20);
          break;
        case 2:
          inserted = "\t\"/=,\n\r\0[e9."[rng.next() % 12];
          text.insert(at, std::string(rng.next() % 300, inserted));
          break;
        default:
          length = rng.next() % 40;
          text.insert(at, text.substr(rng.next() % text.size(), length));
      }
    }
    if (round % 3 == 0) {
      text = gzip(text);
      if (round % 2 == 0) text[rng.next() % text.size()] = static_cast<char>(rng.next());
      text.erase(text.size() - rng.next() % 9);
    }
    const TraceFile file{text};
    for (const Format format : {Format::hdfs_audit, Format::csv, Format::automatic}) {
      try {
        const auto trace = load(file.path(), format);
        read_at_all += trace->operations.size();
        CHECK(!trace::text(trace->summary).empty());
      } catch (const sim::InputOutputError&) {
        CHECK(format == Format::automatic);
      }
    }
  }
  CHECK(read_at_all > 1000);
}
