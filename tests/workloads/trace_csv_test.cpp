#include <string>

#include "catch.h"
#include "trace_files.h"
#include "workloads/trace_source.h"

using namespace recirc::workloads;
using namespace recirc::workloads::trace;
using namespace recirc::workloads::trace::testing;

TEST_CASE("CSV takes our names and HDFS commands, with or without a header") {
  for (const std::string header : {"", "time,op,path\n", "time,op,path,dst,allowed\n"}) {
    const auto read = read_text(header +
                                    "0,open,/a\n"
                                    "0.5,getfileinfo,/b\n"
                                    "1,stat,/b\n"
                                    "1.5,rename,/a,/c\n"
                                    "2,chmod,/c,,false\n"
                                    "3,delete,/c,null,1\n",
                                Format::csv);
    if (header == "time,op,path\n") {  // it names no further columns: the rename has no target
      CHECK(read.records.size() == 5);
      CHECK(read.problems.errors() == 1);
      continue;
    }
    REQUIRE(read.records.size() == 6);
    CHECK(read.records[0].operation == OpKind::open);
    CHECK(read.records[1].operation == OpKind::stat);
    CHECK(read.records[1].ns == 500'000'000);
    CHECK(read.records[3].operation == OpKind::rename);
    CHECK(read.records[5].operation == OpKind::remove);
    CHECK(read.problems.errors() == 0);
    CHECK(read.records[3].destination == "/c");
    CHECK(!read.records[4].allowed);
  }
}

TEST_CASE("A rename that names no destination is skipped and counted, unless it was refused") {
  const auto read = read_text(
      "0,open,/a\n"
      "1,rename,/a\n"
      "2,rename,/a,null\n"
      "3,rename,/a,,false\n"
      "4,rename,/a,/b\n");
  REQUIRE(read.records.size() == 3);
  CHECK(!read.records[1].allowed);
  CHECK(read.records[2].destination == "/b");
  CHECK(read.problems.errors() == 2);
}

TEST_CASE("A CSV header may order columns and choose the unit of time") {
  const auto read = read_text(
      "id,dst,path,size,time_us,op\n"
      "7,,/a,100,1000000,create\n"
      "8,/b,/a,100,1000250,rename\n");
  REQUIRE(read.records.size() == 2);
  CHECK(read.records[1].path == "/a");
  CHECK(read.records[1].destination == "/b");
  CHECK(read.records[1].ns == 250'000);
}

TEST_CASE("CSV fields may be quoted") {
  const auto read = read_text(
      "0,open,\"/a,b\"\n"
      "0,\"open\",\"/say \"\"hi\"\"\"\n"
      "1 , rename , /x y , \"/z \" \n");
  REQUIRE(read.records.size() == 3);
  CHECK(read.records[0].path == "/a,b");
  CHECK(read.records[1].path == "/say \"hi\"");
  CHECK(read.records[2].path == "/x y");
  CHECK(read.records[2].destination == "/z ");
  CHECK(read.problems.errors() == 0);
}

TEST_CASE("CSV times may be dates") {
  const auto read = read_text(
      "2024-05-01T12:00:00Z,open,/c\n"
      "\"2024-05-01 12:00:00,250\",open,/c\n");
  REQUIRE(read.records.size() == 2);
  CHECK(read.records[1].ns == 250'000'000);
}

TEST_CASE("Broken CSV lines are counted and skipped") {
  const auto read = read_text(
      "0,open,/a\n"
      "1,open\n"
      "2,open,\"/unclosed\n"
      "3,open,\"/a\"b\n"
      "4,open,/a,,perhaps\n"
      "5,,/a\n"
      "x,open,/late\n"
      "6,open,relative\n"
      "7,open,\n"
      "8,swim,/a\n"
      "# a comment, here\n"
      "9,open,/z\n");
  REQUIRE(read.records.size() == 3);
  CHECK(read.records[1].path == "/late");
  CHECK(read.records[2].line == 12);
  CHECK(read.problems.of(Problem::broken_line).lines == std::vector<std::uint64_t>{2, 3, 4, 5, 6});
  CHECK(read.problems.of(Problem::bad_time).lines == std::vector<std::uint64_t>{7});
  CHECK(read.problems.of(Problem::unusable_path).lines == std::vector<std::uint64_t>{8, 9});
  CHECK(read.problems.of(Problem::unknown_command).lines == std::vector<std::uint64_t>{10});
}

TEST_CASE("CSV columns tell who asks and what a chmod or chown sets") {
  const TraceFile file{
      "time,op,path,mode,owner,group,user\n"
      "0,stat,/d/f,,,,member\n"
      "1,chmod,/d/f,0750,,,\n"
      "2,chown,/d/f,,stranger,1,0\n"
      "3,chmod_r,/d,711,,,\n"
      "4,chmod,/d,789,,,\n"
      "5,stat,/d/f,,,,nobody\n"};
  const auto trace = load(file.path(), Format::csv);
  REQUIRE(trace->operations.size() == 4);
  CHECK(trace->summary.problems.errors() == 2);
  const TraceSource source{trace};
  CHECK(source.at(0).caller == Caller::member);
  CHECK(source.at(1).set.mode == 0750);
  CHECK(source.at(1).set.owner == Attributes::unset);
  CHECK(source.at(2).set == Attributes{Attributes::unset, 2, 1});
  CHECK(source.at(2).caller == Caller::owner);
  CHECK(source.at(3).recursive);
  CHECK(source.at(3).set.mode == 0711);
}
