#include "workloads/trace/page_trace.h"

#include "catch.h"
#include "sim/error.h"
#include "trace_files.h"
#include "workloads/page_replay.h"

using namespace recirc;
using workloads::PageOp;
using workloads::PageOpKind;
using workloads::WorkerId;
using workloads::trace::PageTrace;
using workloads::trace::testing::TraceFile;

namespace {

std::shared_ptr<const PageTrace> load(std::string_view text) {
  const TraceFile file(text, ".csv");
  return workloads::trace::load_page_trace(file.path());
}

std::string problems_of(std::string_view text) {
  try {
    load(text);
  } catch (const sim::InputOutputError& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("A page trace has calls of threads on bytes of files") {
  const auto trace = load(
      "time_us,node,thread,op,file,offset,length\n"
      "# a comment, and an empty line\n"
      "\n"
      "1000000,0,0,read,a,4096,8192\r\n"
      "1000001.5,1,3,write,/b c,100, 10\n"
      "1000002,1,3,append,a,,5000\n"
      "1000003,1,3,truncate,a,4097,\n"
      "1000004,0,1,fsync,a,,\n"
      "1000005,0,1,reopen,a,0,0\n");
  REQUIRE(trace->calls.size() == 6);
  const auto& calls = trace->calls;
  CHECK(calls[0].at == sim::Time{});
  CHECK(calls[0].line == 4);
  CHECK(calls[0].op.first.page == 1);
  CHECK(calls[0].op.pages == 2);
  CHECK(calls[0].op.whole);
  CHECK(calls[1].at == sim::Time{sim::nanoseconds(1500)});
  CHECK(calls[1].node == 1);
  CHECK(calls[1].thread == 3);
  CHECK(calls[1].op.first.file.value() == 1);
  CHECK(calls[1].op.pages == 1);
  CHECK_FALSE(calls[1].op.whole);
  CHECK(calls[2].op.kind == PageOpKind::append);
  CHECK(calls[2].op.pages == 2);
  CHECK(calls[3].op.first.page == 2);
  REQUIRE(trace->files.size() == 2);
  CHECK(trace->files[0].pages == 3);  // before anything changed its size
  CHECK(trace->files[0].written_by(1));
  CHECK_FALSE(trace->files[0].written_by(0));
}

TEST_CASE("A page trace's wrong lines are told with their numbers, the first few of them") {
  const std::string told = problems_of(
      "0,0,0,read,a,0,4096\n"
      "1,0,0,read,a,0\n"
      "2,0,0,fly,a,0,1\n"
      "3,0,0,read,a,-1,1\n"
      "1.5,0,0,read,a,0,1\n"
      "4,0,0,read,a,0,0\n"
      "x,0,0,read,a,0,1\n"
      "0.5,0,0,read,a,0,1\n");
  CHECK(told.find("6 of its lines") != std::string::npos);
  CHECK(told.find("line 2 has 6 fields, not 7") != std::string::npos);
  CHECK(told.find("line 3 op 'fly'") != std::string::npos);
  CHECK(told.find("line 4 offset '-1'") != std::string::npos);
  CHECK(told.find("line 6 has length 0") != std::string::npos);
  CHECK(told.find("line 7 time 'x'") != std::string::npos);
  CHECK(told.find("...") != std::string::npos);
  CHECK(problems_of("2,0,0,read,a,0,1\n1,0,0,read,a,0,1\n").find("line 2 is earlier") !=
        std::string::npos);
  CHECK(problems_of("2,0,0,read,a,0,1\n1,0,1,read,a,0,1\n") == "none");
  CHECK(problems_of("when,node,thread,op,file,offset,length\n").find("line 1 is a header") !=
        std::string::npos);
  CHECK(problems_of("0,0,0,fsync,a,4096,\n").find("has no meaning for fsync") != std::string::npos);
  CHECK(problems_of("").find("no call") != std::string::npos);
}

TEST_CASE("Each thread replays its own calls, and not before they are due") {
  const auto trace = load("5,0,0,read,a,0,1\n6,1,1,write,a,0,1\n7,0,0,fsync,a,,\n");
  workloads::PageReplay app(trace, true, {2, 2});
  CHECK(app.next(WorkerId{0}, 0).earliest == sim::Time{});
  CHECK(app.next(WorkerId{0}, 0).earliest == sim::Time{sim::seconds(2)});
  CHECK_FALSE(app.has_next(WorkerId{0}));
  CHECK_FALSE(app.has_next(WorkerId{1}));
  CHECK(app.next(WorkerId{3}, 0).kind == PageOpKind::write);
  workloads::PageReplay at_once(trace, false, {2, 2});
  at_once.next(WorkerId{0}, 0);
  CHECK(at_once.next(WorkerId{0}, 0).earliest == sim::Time{});
  CHECK_THROWS_AS(workloads::PageReplay(trace, true, {1, 2}), sim::InputOutputError);
}
