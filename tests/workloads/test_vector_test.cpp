#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <string>

#include "catch.h"
#include "workloads/computed_tree.h"
#include "workloads/ring.h"

using namespace recirc::workloads;

namespace {

/// A row of docs/workloads.md. The MD5 is md5sum's, not ours.
struct Row {
  std::uint64_t file;
  const char* written;
  unsigned depth, bytes;
  const char* md5;
  std::uint32_t server_of_16, server_of_128;
};

constexpr Row rows[] = {
    {0, "0", 1, 22, "77a53e6a0e9717acee17d0dbe439b098", 13, 69},
    {12'345, "12,345", 8, 176, "b7253680dd36fb7492a80c4955e5e836", 3, 80},
    {31'981'445, "31,981,445", 9, 198, "ff7ddc9c8a0955cb42ebaf8d5fbaf0f1", 10, 37},
};

std::string page() {
  std::ifstream file(RECIRC_ROOT "/docs/workloads.md");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("the test vector of docs/workloads.md is what the code computes") {
  const ComputedTree tree{TreeShape{}};
  const Ring small{16, 100, 1};
  const Ring large{128, 100, 1};
  const std::string text = page();
  for (const Row& row : rows) {
    const PathId path = tree.file(row.file);
    const Key key = tree.key(path);
    CHECK(fmt::format("{:016x}", key) == std::string(row.md5).substr(0, 16));
    CHECK(tree.depth(path) == row.depth);
    CHECK(tree.path_length(path) == row.bytes);
    CHECK(small.owner(key).value() == row.server_of_16);
    CHECK(large.owner(key).value() == row.server_of_128);
    CHECK(text.find(fmt::format("| {} | `{}` |\n", row.written, tree.path(path))) !=
          std::string::npos);
    CHECK(text.find(fmt::format("| {} | {} | {} | `{}` | `0x{:016x}` | 1 | {} | {} |\n",
                                row.written, row.depth, row.bytes, row.md5, key, row.server_of_16,
                                row.server_of_128)) != std::string::npos);
  }
}
