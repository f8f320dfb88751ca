#include "catch.h"
#include "sim/error.h"
#include "trace_files.h"
#include "workloads/page_replay.h"
#include "workloads/trace/page_trace.h"

using namespace recirc;
using workloads::PageOpKind;
using workloads::WorkerId;
using workloads::trace::PageTrace;
using workloads::trace::PageTraceFormat;
using workloads::trace::testing::TraceFile;

namespace {

constexpr auto iolog = PageTraceFormat::iolog;
constexpr auto blkparse = PageTraceFormat::blkparse;

std::shared_ptr<const PageTrace> load(std::string_view text, PageTraceFormat format) {
  const TraceFile file(text);
  return workloads::trace::load_page_trace(file.path(), format);
}

std::string problems_of(std::string_view text, PageTraceFormat format) {
  try {
    load(text, format);
  } catch (const sim::InputOutputError& error) {
    return error.what();
  }
  return "none";
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

constexpr std::string_view disk =
    "  8,0    3        1     1.000000000   697  A   W 223488 + 8 <- (8,1) 223425\n"
    "  8,0    3        2     1.000000500   697  Q   W 223488 + 8 [kjournald]\n"
    "  8,0    3        3     1.000001000   697  G   W 223488 + 8 [kjournald]\n"
    "  8,0    3        0     1.000001100     0  m   N cfq697S / alloced\n"
    "  8,0    3        4     1.000001200   697  P   N [kjournald]\n"
    "  8,0    0        1     1.000002500    12  Q  RA 16777216 + 16 [cat x]\n"
    "  8,0    0        2     1.000003500    12  Q   R 8192 + 2 [cat x]\n"
    "  8,0    3        5     1.000004000   697  U   N [kjournald] 1\n"
    "  8,16   1        1     1.000004500   697  Q  WS 0 + 8 [kjournald]\n"
    "  8,0    1        2     1.000005000   697  Q  FWS [kjournald]\n"
    "  8,0    1        3     1.000006000    12  Q   D 0 + 2048 [cat x]\n"
    "  8,0    1        4     1.000007000    12  Q   R 36 (12 00 00 00 24 00 ..) [cat x]\n"
    "  8,0    3        6     1.000008000     0  C   W 223488 + 8 [0]\n"
    "CPU0 (8,0):\n"
    " Reads Queued:           2,        9KiB\n";

}  // namespace

TEST_CASE("fio's log of version 2 is one process, whose waits are its only times") {
  const auto trace = load(
      "fio version 2 iolog\n"
      "/a add\n"
      "/a open\n"
      "/a read 4096 8192\n"
      "\n"
      "/b add\n"
      "/b open\n"
      "/b wait 1500 0\n"
      "/b write 100 10\n"
      "/a trim 0 4096\n"
      "/b wait 500\n"
      "/b datasync\n"
      "/b sync 0 0\n"
      "/b close\n"
      "/b open\n"
      "/a close\n",
      iolog);
  const auto& calls = trace->calls;
  REQUIRE(calls.size() == 5);
  CHECK(trace->of_processes);
  CHECK(calls[0].op.kind == PageOpKind::read);
  CHECK(calls[0].op.first.page == 1);
  CHECK(calls[0].op.pages == 2);
  CHECK(calls[0].op.whole);
  CHECK(calls[0].line == 4);
  CHECK(calls[1].op.kind == PageOpKind::write);
  CHECK_FALSE(calls[1].op.whole);
  CHECK(calls[1].op.first.file.value() == 1);
  CHECK(calls[1].at == sim::Time{sim::microseconds(1500)});
  CHECK(calls[2].op.kind == PageOpKind::fsync);
  CHECK(calls[2].at == sim::Time{sim::microseconds(2000)});
  CHECK(calls[4].op.kind == PageOpKind::reopen);
  for (const auto& call : calls) CHECK((call.node == 0 && call.thread == 0));
  CHECK(trace->files[0].pages == 3);
  CHECK_FALSE(trace->files[0].written);
  CHECK(trace->files[1].written);
}

TEST_CASE("fio's log of version 3 has a time, in microseconds, on each line") {
  const auto trace = load(
      "fio version 3 iolog\n"
      "2 /a add\n"
      "3 /a open\n"
      "10 /a write 0 4096\n"
      "25 /a read 0 4096\n"
      "25 /a sync\n"
      "30 /a close\n"
      "40 /a open\n",
      iolog);
  REQUIRE(trace->calls.size() == 4);
  CHECK(trace->calls[0].at == sim::Time{});
  CHECK(trace->calls[1].at == sim::Time{sim::microseconds(15)});
  CHECK(trace->calls[3].op.kind == PageOpKind::reopen);
  CHECK(trace->calls[3].at == sim::Time{sim::microseconds(30)});
}

TEST_CASE("Wrong lines of fio's log are told with their numbers") {
  CHECK(has(problems_of("/a read 0 4096\n/a read 0 4096\n", iolog),
            "1 of its lines cannot be used:\n  line 1 is not 'fio version 2 iolog'"));
  const std::string told = problems_of(
      "fio version 2 iolog\n"
      "/a add now\n"
      "/a\n"
      "/a fly 0 1\n"
      "/a read 0\n"
      "/a read -1 4096\n"
      "/a read 0 0\n"
      "/a read 0 1 2\n",
      iolog);
  CHECK(has(told, "7 of its lines"));
  CHECK(has(told, "line 2 goes on with 'now'"));
  CHECK(has(told, "line 3 names no action"));
  CHECK(has(told, "line 4 action 'fly'"));
  CHECK(has(told, "line 5 length ''"));
  CHECK(has(told, "line 6 offset '-1'"));
  CHECK(has(told, "..."));
  const std::string timed = problems_of(
      "fio version 3 iolog\n5 /a wait 10 0\n6 /a read 0 1\n4 /a read 0 1\nx /a read 0 1\n", iolog);
  CHECK(has(timed, "line 2 waits"));
  CHECK(has(timed, "line 4 is earlier"));
  CHECK(has(timed, "line 5 time 'x'"));
  CHECK(has(problems_of("fio version 2 iolog\n/a add\n/a open\n", iolog), "no call"));
}

TEST_CASE("Of blkparse's lines, those that ask for pages or to flush are calls of processes") {
  const auto trace = load(disk, blkparse);
  const auto& calls = trace->calls;
  REQUIRE(calls.size() == 5);
  CHECK(trace->of_processes);
  CHECK(calls[0].line == 2);
  CHECK(calls[0].op.kind == PageOpKind::write);
  CHECK(calls[0].op.whole);
  CHECK(calls[0].thread == 0);
  CHECK(calls[1].op.kind == PageOpKind::read);
  CHECK(calls[1].op.pages == 2);
  CHECK(calls[1].thread == 1);
  CHECK(calls[1].at == sim::Time{sim::microseconds(2)});
  CHECK_FALSE(calls[2].op.whole);
  CHECK(calls[3].op.first.file.value() == 1);
  CHECK(calls[4].op.kind == PageOpKind::fsync);
  CHECK(calls[4].op.first.file.value() == 0);
}

TEST_CASE("Parts of a disk that no call touches are left out") {
  const auto trace = load(disk, blkparse);
  // Pages 1024, 27936 and 2097152 are in regions 2, 54 and 4096.
  CHECK(trace->calls[2].op.first.page == 0);
  CHECK(trace->calls[0].op.first.page == 512 + 27936 % 512);
  CHECK(trace->calls[1].op.first.page == 1024);
  CHECK(trace->files[0].pages == 1026);
  // A call over an edge stays in one piece.
  const auto edge = load(
      "8,0 0 1 0.0 1 Q W 8184 + 16 [a]\n"
      "8,0 0 2 0.1 1 Q W 4096000 + 8 [a]\n",
      blkparse);
  CHECK(edge->calls[0].op.first.page == 511);
  CHECK(edge->calls[0].op.pages == 2);
  CHECK(edge->calls[1].op.first.page == 1024);
}

TEST_CASE("Wrong lines of blkparse's are told with their numbers") {
  const std::string told = problems_of(
      "Input file sda.blktrace.0 added\n"
      "8,0 0 1 0.5 1 Q W 0 + 8 [a]\n"
      "8,0 0 2 0.4 1 Q W 0 + 8 [a]\n"
      "8,0 0 3 0.6 1 Q W 0 8 [a]\n"
      "8,0 x 4 0.6 1 Q W 0 + 8 [a]\n"
      "8,0 0 5 0.6 1\n",
      blkparse);
  CHECK(has(told, "5 of its lines"));
  CHECK(has(told, "line 1 does not begin with a device"));
  CHECK(has(told, "line 3 is earlier"));
  CHECK(has(told, "line 4 has no 'sector + count'"));
  CHECK(has(told, "line 5 processor 'x'"));
  CHECK(has(told, "line 6 names no action"));
}

TEST_CASE("Processes go round the nodes, then round their threads") {
  std::string text;
  for (int process = 0; process < 5; ++process) {
    text += "8,0 0 1 0." + std::to_string(process) + " 10" + std::to_string(process) +
            (process == 1 ? " Q W " : " Q R ") + std::to_string(8 * process) + " + 8 [a]\n";
  }
  workloads::PageReplay app(load(text, blkparse), true, {2, 2});
  CHECK(app.next(WorkerId{0}, 0).first.page == 0);
  CHECK(app.next(WorkerId{0}, 0).first.page == 4);  // the fifth has the first one's thread
  CHECK_FALSE(app.has_next(WorkerId{0}));
  CHECK(app.next(WorkerId{2}, 0).first.page == 1);
  CHECK(app.next(WorkerId{1}, 0).first.page == 2);
  CHECK(app.next(WorkerId{3}, 0).first.page == 3);
  CHECK(app.files()[0].written_by(1));
  CHECK_FALSE(app.files()[0].written_by(0));
}
