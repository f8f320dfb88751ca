// One benchmark a process: bench/run lets this program and the one on the reference heap take
// turns.
//
//   recirc_bench CASE [NUMBER...]      prints {"operations": ..., "seconds": ..., "events": ...}

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "cases.h"

namespace recirc::bench {
namespace {

struct Arguments {
  int count;
  char** values;

  [[nodiscard]] std::uint64_t operator[](int i) const {
    return i < count ? std::strtoull(values[i], nullptr, 10) : 0;
  }
};

bool run(const char* name, const Arguments& n, Measurement& result) {
  const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
  if (is("hold")) {
    result = hold(n[0], n[1]);
  } else if (is("cancelling")) {
    result = cancelling(n[0], n[1]);
  } else if (is("single_queue")) {
    result = single_queue(n[0]);
  } else if (is("bare_engine_queue")) {
    result = bare_engine_queue(n[0], n[1]);
  } else if (is("bare_binary_heap")) {
    result = bare_binary_heap(n[0], n[1]);
  } else if (is("bare_radix_heap")) {
    result = bare_radix_heap(n[0], n[1]);
  } else if (is("fletch") || is("nocache")) {
    result = whole_run(name, n[0], n[1], n[2]);
  } else if (is("pages")) {
    result = page_run(n[0], n[1]);
  } else {
    return false;
  }
  return true;
}

}  // namespace
}  // namespace recirc::bench

int main(int argc, char** argv) {
  recirc::bench::Measurement result;
  try {
    if (argc < 2 || !recirc::bench::run(argv[1], {argc - 2, argv + 2}, result)) {
      std::fprintf(stderr, "recirc_bench: no such case\n");
      return 2;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "recirc_bench: %s\n", error.what());
    return 1;
  }
  std::printf("{\"operations\": %llu, \"seconds\": %.9f, \"events\": %llu}\n",
              static_cast<unsigned long long>(result.operations), result.seconds,
              static_cast<unsigned long long>(result.events));
}
