#include <fmt/core.h>

#include <string_view>

#include "app/version.h"

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--version") {
    fmt::print("recirc {} ({})\n", recirc::app::version(), recirc::app::revision());
    return 0;
  }
  fmt::print(stderr, "usage: recirc --version\n");
  return 2;
}
