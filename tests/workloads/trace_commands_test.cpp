#include <set>
#include <string>

#include "catch.h"
#include "workloads/trace/commands.h"

using namespace recirc::workloads;
using namespace recirc::workloads::trace;

TEST_CASE("The audit log's commands map to operations") {
  const auto operation = [](std::string_view name) { return find_command(name)->operation; };
  CHECK(operation("open") == OpKind::open);
  CHECK(operation("getfileinfo") == OpKind::stat);
  CHECK(operation("contentSummary") == OpKind::stat);
  CHECK(operation("listStatus") == OpKind::readdir);
  CHECK(operation("create") == OpKind::create);
  CHECK(operation("mkdirs") == OpKind::mkdir);
  CHECK(operation("rename") == OpKind::rename);
  CHECK(operation("delete") == OpKind::remove);
  CHECK(operation("setPermission") == OpKind::chmod);
  CHECK(operation("setOwner") == OpKind::chown);
  for (const char* name : {"append", "setTimes", "setReplication", "concat"}) {
    CHECK(operation(name) == OpKind::utime);
  }
  CHECK(!operation("fsck"));
  CHECK(!operation("listSnapshottableDirectory"));
  CHECK(find_command("fly") == nullptr);
  CHECK(find_command("") == nullptr);
  CHECK(find_command("LISTSTATUS") == find_command("listStatus"));
}

TEST_CASE("Every row of the command table is found by its name, and every operation has one") {
  std::set<std::string> kinds;
  for (const Command& command : commands()) {
    INFO(command.name);
    CHECK(find_command(command.name) == &command);
    if (command.operation) {
      kinds.emplace(op_kind_names[static_cast<std::size_t>(*command.operation)]);
    } else {
      CHECK(!command.note.empty());  // why it is ignored
    }
  }
  CHECK(kinds.size() == op_kind_count);
  for (std::size_t i = 0; i < op_kind_count; ++i) {
    const Command* own = find_command(op_kind_names[i]);
    REQUIRE(own != nullptr);
    CHECK(own->operation == static_cast<OpKind>(i));
  }
}
