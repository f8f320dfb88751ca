#include <memory>
#include <string>
#include <utility>

#include "catch.h"
#include "trace_files.h"
#include "workloads/trace/hdfs_audit.h"

using namespace recirc::workloads;
using namespace recirc::workloads::trace;
using namespace recirc::workloads::trace::testing;

namespace {

struct Parsed {
  LineKind kind;
  std::int64_t ns;
  bool allowed;
  std::string command;
  std::string path;
  std::string destination;
};

Parsed parse(std::string_view line) {
  HdfsAuditParser parser;
  RawRecord record;
  const LineKind kind = parser.parse(line, record);
  return {kind,
          record.time.count(),
          record.allowed,
          std::string{record.command},
          std::string{record.path},
          std::string{record.destination}};
}

const std::string tail =
    "allowed=true\tugi=u (auth:SIMPLE)\tip=/10.0.0.1\tcmd=open\tsrc=/a\tdst=null\tperm=null\t"
    "proto=rpc";
constexpr std::int64_t ms = 1'000'000;
constexpr std::int64_t may_first = 1'714'564'800'000 * ms;  // 2024-05-01 12:00:00

}  // namespace

TEST_CASE("A plain audit line gives time, command, paths and verdict") {
  const std::string line =
      "2024-05-01 12:00:00,123 INFO FSNamesystem.audit: allowed=false\tugi=alice (auth:SIMPLE)\t"
      "ip=/10.0.0.1\tcmd=rename\tsrc=/a/b\tdst=/c/d\tperm=alice:staff:rw-r--r--\tproto=rpc";
  const Parsed parsed = parse(line);
  REQUIRE(parsed.kind == LineKind::record);
  CHECK(parsed.ns == may_first + 123 * ms);
  CHECK(!parsed.allowed);
  CHECK(parsed.command == "rename");
  CHECK(parsed.path == "/a/b");
  CHECK(parsed.destination == "/c/d");
}

TEST_CASE("What stands before an audit record may be laid out in any way") {
  for (const std::string prefix :
       {"2024-05-01 12:00:00,500 INFO FSNamesystem.audit: ",
        "2024-05-01 12:00:00,500 WARN FSNamesystem.audit: ",
        "2024-05-01 12:00:00,500 DEBUG org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit: ",
        "2024-05-01T12:00:00,500 INFO FSNamesystem.audit: ",
        "2024-05-01T12:00:00.500Z INFO FSNamesystem.audit: ",
        "2024-05-01T14:00:00.500+02:00 INFO FSNamesystem.audit: ",
        "2024-05-01 10:00:00,500 -0200 INFO FSNamesystem.audit: ",
        "2024-05-01 12:00:00.5 INFO FSNamesystem.audit: ",
        "2024-05-01 12:00:00,50 INFO FSNamesystem.audit: ",
        "2024-05-01 12:00:00,500000000 INFO FSNamesystem.audit: ",
        "24/05/01 12:00:00.5 INFO FSNamesystem.audit: ",
        "[2024-05-01 12:00:00,500] {IPC Server handler 3 on 8020} INFO audit - ",
        "<14>May  1 12:00:01 nn01 hdfs: 2024-05-01 12:00:00,500 INFO FSNamesystem.audit:",
        "2024-05-01 12:00:00,500 INFO  FSNamesystem.audit (FSNamesystem.java:log(42)) - "}) {
    INFO(prefix);
    const Parsed parsed = parse(prefix + tail);
    REQUIRE(parsed.kind == LineKind::record);
    CHECK(parsed.ns == may_first + 500 * ms);
    CHECK(parsed.path == "/a");
  }
}

TEST_CASE("Optional fields and proxy users change nothing") {
  const std::string start = "2024-05-01 12:00:00,000 INFO FSNamesystem.audit: allowed=true\t";
  for (const std::string body :
       {"ugi=joe (auth:PROXY) via hive/h@R.COM (auth:KERBEROS)\tip=/10.0.0.1\tcmd=open\tsrc=/a\t"
        "dst=null\tperm=null\tproto=rpc",
        "ugi=u (auth:SIMPLE)\tip=/0:0:0:0:0:0:0:1\tcmd=open\tsrc=/a\tdst=null\tperm=null\t"
        "trackingId=8a1f\tproto=webhdfs",
        "ugi=u (auth:TOKEN)\tip=null\tcmd=open\tsrc=/a\tdst=null\tperm=u:g:rw-r--r--\tproto=rpc\t"
        "callerContext=mr_attempt_1\tsrc=/wrong\tdst=/wrong",
        "ugi=src=/x (auth:SIMPLE)\tip=host/10.0.0.1\tcmd=open\tsrc=/a\tdst=null\tperm=null"}) {
    INFO(body);
    const Parsed parsed = parse(start + body);
    REQUIRE(parsed.kind == LineKind::record);
    CHECK(parsed.command == "open");
    CHECK(parsed.path == "/a");
    CHECK(parsed.destination == "null");
  }
}

TEST_CASE("Options behind a command are not part of its name") {
  for (const std::string command :
       {"rename (options=[OVERWRITE])", "rename (options=[TO_TRASH, OVERWRITE])", "rename",
        "rename(options=[])"}) {
    const auto read = read_text(audit(0, command, "/a", "/b"));
    REQUIRE(read.records.size() == 1);
    CHECK(read.records[0].operation == OpKind::rename);
    CHECK(read.records[0].destination == "/b");
  }
}

TEST_CASE("A path may hold blanks, tabs, equals signs, brackets and any encoding") {
  for (const std::string path :
       {"/with blank/in it ", "/day=2024-05-01/hour=07", "/tab\there", "/tab\tsrc=here",
        "/\xc3\xa9", "/\xe6\x97\xa5\xe6\x9c\xac", "/latin\xe9", "/[a, b]", "/quote\"s",
        "/back\\slash", "/allowed=true", "/a:b", "/..."}) {
    INFO(path);
    const auto read = read_text(audit(0, "open", path));
    REQUIRE(read.records.size() == 1);
    CHECK(read.records[0].path == path);
    CHECK(read.problems.errors() == 0);
  }
}

TEST_CASE("A line whose tabs became blanks is read all the same") {
  const Parsed parsed = parse(
      "2024-05-01 12:00:00,000 INFO FSNamesystem.audit: allowed=true    ugi=u (auth:SIMPLE)    "
      "ip=/10.0.0.1    cmd=rename (options=[OVERWRITE])    src=/a b/c    dst=/d    perm=null");
  REQUIRE(parsed.kind == LineKind::record);
  CHECK(parsed.command == "rename");
  CHECK(parsed.path == "/a b/c");
  CHECK(parsed.destination == "/d");
}

TEST_CASE("A line of an old Hadoop without a verdict was allowed") {
  const Parsed parsed = parse(
      "2009-06-01 10:00:00,000 INFO org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit: "
      "ugi=hadoop,supergroup\tip=/10.0.0.1\tcmd=listStatus\tsrc=/\tdst=null\tperm=null");
  REQUIRE(parsed.kind == LineKind::record);
  CHECK(parsed.allowed);
  CHECK(parsed.command == "listStatus");
  CHECK(parsed.path == "/");
}

TEST_CASE("A line that lacks what a record needs is broken, another logger's is foreign") {
  const std::string start = "2024-05-01 12:00:00,000 INFO FSNamesystem.audit: ";
  CHECK(parse("").kind == LineKind::blank);
  CHECK(parse("   ").kind == LineKind::blank);
  CHECK(parse("2024-05-01 12:00:00,000 INFO namenode.FSImage: saved").kind == LineKind::foreign);
  CHECK(parse("\tat org.apache.hadoop.ipc.Server$Handler.run(Server.java:1)").kind ==
        LineKind::foreign);
  CHECK(parse(start + "disallowed=true\tcmd=open\tsrc=/a\tdst=null").kind == LineKind::foreign);
  CHECK(parse(start + "allowed=true\tugi=u\tip=/1\tcmd=open\tsrc=/a/cut").kind == LineKind::broken);
  CHECK(parse(start + "allowed=true\tugi=u\tip=/1\tsrc=/a\tdst=null").kind == LineKind::broken);
  CHECK(parse(start + "allowed=maybe\tcmd=open\tsrc=/a\tdst=null").kind == LineKind::broken);
  CHECK(parse(start + "allowed=true\tcmd=\tsrc=/a\tdst=null").kind == LineKind::broken);
  CHECK(parse(start + "allowed=").kind == LineKind::broken);
  CHECK(parse(tail).kind == LineKind::bad_time);
  CHECK(parse("2024-13-01 12:00:00,000 " + tail).kind == LineKind::bad_time);
  CHECK(parse("2024-02-30 12:00:00,000 " + tail).kind == LineKind::bad_time);
  CHECK(parse("2024-05-01 25:00:00,000 " + tail).kind == LineKind::bad_time);
}

TEST_CASE("concat acts on its target, whatever the list of its sources") {
  const auto read = read_text(audit(0, "concat", "[/a/1, /a/2]", "/a/0"));
  REQUIRE(read.records.size() == 1);
  CHECK(read.records[0].path == "/a/0");
  CHECK(read.records[0].operation == OpKind::utime);
  CHECK(read.records[0].destination.empty());
}

TEST_CASE("Commands without a path are ignored by name or reported") {
  const auto read = read_text(audit(0, "listCachePools", "null") + audit(1, "fsck", "/") +
                              audit(2, "safemode_leave", "null") + audit(3, "open", "null") +
                              audit(4, "fly", "/a") + audit(5, "open", "/a"));
  REQUIRE(read.records.size() == 1);
  CHECK(read.records[0].line == 6);
  CHECK(read.problems.of(Problem::ignored_command).count == 3);
  CHECK(read.problems.of(Problem::unusable_path).lines == std::vector<std::uint64_t>{4});
  CHECK(read.problems.of(Problem::unknown_command).lines == std::vector<std::uint64_t>{5});
  CHECK(read.problems.of(Problem::unknown_command).examples[0] == "fly");
  CHECK(read.problems.errors() == 2);
}
