#include "workloads/config.h"

#include <string>

#include "catch.h"

using namespace recirc::workloads;
namespace config = recirc::sim::config;

namespace {

WorkloadConfig read(const std::string& text) {
  return config::read<WorkloadConfig>(config::Document::parse(text, "test"));
}

/// The pointers of all issues, joined by blanks.
std::string pointers(const std::string& text) {
  try {
    (void)read(text);
    return "none";
  } catch (const recirc::sim::ConfigError& error) {
    std::string result;
    for (const auto& issue : error.issues()) result += (result.empty() ? "" : " ") + issue.pointer;
    return result;
  }
}

}  // namespace

TEST_CASE("an empty workload is the paper's LinkedIn on its tree") {
  const WorkloadConfig c = read("{}");
  CHECK(weights_of(c.mix) == find_mix("linkedin")->weights);
  CHECK(c.files == 31'981'446);
  CHECK(c.zipf == 0.9);
  CHECK_FALSE(c.requests);
  CHECK(std::holds_alternative<ClosedArrival>(c.arrival));
}

TEST_CASE("a mix is a name or weights of your own") {
  CHECK(weights_of(read(R"({"mix": "thumb"})").mix) == find_mix("thumb")->weights);
  CHECK(weights_of(read(R"({"mix": {"kind": "alibaba"}})").mix) == find_mix("alibaba")->weights);
  const WorkloadConfig c = read(R"({"mix": {"kind": "custom", "stat": 3, "delete": 1}})");
  CHECK(weights_of(c.mix)[static_cast<std::size_t>(OpKind::stat)] == 3);
  CHECK(weights_of(c.mix)[static_cast<std::size_t>(OpKind::remove)] == 1);
  CHECK(pointers(R"({"mix": "linkdin"})") != "none");
  CHECK(pointers(R"({"mix": {"kind": "custom"}})") == "/mix");
}

TEST_CASE("arrivals are chosen by kind") {
  const auto open = std::get<OpenArrival>(
      read(R"({"arrival": {"kind": "open", "rate": 5e5, "process": "periodic"}})").arrival);
  CHECK(open.rate == 5e5);
  CHECK(open.process == OpenProcess::periodic);
  const auto paced =
      std::get<PacedArrival>(read(R"({"arrival": {"kind": "paced", "delay": "1842us"}})").arrival);
  CHECK(paced.delay == recirc::sim::microseconds(1'842));
}

TEST_CASE("settings that contradict each other are all reported") {
  CHECK(pointers(R"({"trace": {"file": "a.log"}, "mix": "thumb", "zipf": 1.0})") == "/mix /zipf");
  CHECK(pointers(R"({"arrival": "recorded"})") == "/arrival");
  CHECK(pointers(R"({"arrival": {"kind": "open", "rate": 1}, "requests": "1G"})") != "none");
  CHECK(pointers(R"({"files": 4294967295})") == "/files");
  CHECK(pointers(R"({"layout": "per_replication", "placement_seed": 2})") == "/placement_seed");
  CHECK(pointers(R"({"tree": {"longest_path": 50}})") == "/tree/longest_path");
  CHECK(pointers(R"({"tree": {"branching": 10, "levels": 9}})") == "/tree");
  CHECK(pointers(R"({"trace": {"file": "a.log"}, "arrival": "recorded"})") == "none");
}

TEST_CASE("the effective configuration reads back as the same") {
  for (const char* text :
       {"{}", R"({"mix": {"kind": "custom", "rename": 0.25}, "requests": "32M", "zipf": 0})",
        R"({"trace": {"file": "a.log", "format": "csv", "strict": true}, "arrival": "recorded"})",
        R"({"placement": "deep_first", "tree": {"branching": 17, "levels": 4}})"}) {
    const std::string once = config::effective_text(read(text));
    CHECK(config::effective_text(read(once)) == once);
  }
}
