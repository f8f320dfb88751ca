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

TEST_CASE("the page's table of the paper's trees is what the code computes") {
  struct Tree {
    unsigned depth, branching, levels;
    const char *directories, *note;
  };
  const std::string text = page();
  for (const Tree& row : {Tree{4, 296, 2, "87,913", ""},
                          {6, 17, 4, "88,741", ""},
                          {8, 7, 6, "137,257", ""},
                          {10, 4, 8, "87,381", " (default)"}}) {
    const ComputedTree tree{{.branching = row.branching, .directory_levels = row.levels}};
    CHECK(tree.files() == 31'981'446);
    CHECK(tree.depth(tree.file(tree.directories() - 1)) + 1 == row.depth);  // with the root
    std::string directories = std::to_string(tree.directories());
    directories.insert(directories.size() - 3, ",");
    CHECK(directories == row.directories);
    const std::string line =
        fmt::format("| {}{} | {} | {} | {} | {:.3f} |\n", row.depth, row.note, row.branching,
                    row.levels, row.directories, tree.mean_file_depth());
    CHECK(text.find(line) != std::string::npos);
  }
}
