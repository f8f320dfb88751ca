#include <algorithm>
#include <random>

#include "catch.h"
#include "config_fixture.h"

using namespace fixture;

namespace {

/// A configuration with every field drawn at random from its range.
class RandomWorld {
 public:
  explicit RandomWorld(std::uint64_t seed) : random_(seed) {}

  World draw() {
    World w;
    w.system = flip() ? "fletch" : "nocache";
    w.verbose = flip();
    w.offset = static_cast<std::int32_t>(random_());
    w.workers = static_cast<std::uint32_t>(upto(4095) + 1);
    w.balance = static_cast<std::int64_t>(random_());
    w.seed = random_();
    w.files = upto(999'999'999) + 1;
    w.zipf = real() * 2;
    w.store_time = duration(9'999'999'999'000) + recirc::sim::nanoseconds(1);
    w.buffer = recirc::sim::Bytes{quantity()};
    w.rate = recirc::sim::BitsPerSecond{quantity() / 2 + 1};
    w.loop = static_cast<Loop>(upto(2));
    if (flip()) w.law = Lognormal{real() * 3};
    if (flip()) w.law = Trace{text() + "x"};
    w.client = client();
    w.more_clients.resize(upto(4));
    for (Client& one : w.more_clients) one = client();
    for (std::uint64_t i = upto(5); i > 0; --i) w.delays.push_back(duration(1'000'000'000'000));
    for (double& weight : w.weights) weight = real();
    if (flip()) w.cap = random_();
    if (flip()) w.spare = client();
    w.note = text();
    return w;
  }

 private:
  bool flip() { return random_() % 2 == 0; }
  std::uint64_t upto(std::uint64_t most) { return random_() % (most + 1); }
  double real() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
  std::int64_t quantity() { return static_cast<std::int64_t>(random_() >> (1 + upto(62))); }
  recirc::sim::Duration duration(std::int64_t most) {
    return recirc::sim::picoseconds(quantity() % most);
  }
  std::string text() {
    static const std::string pieces[] = {"a", "\"", "\\", "\n", "é", "/", "~", "😀", "\x01", " "};
    std::string out;
    for (std::uint64_t i = upto(8); i > 0; --i) out += pieces[upto(9)];
    return out;
  }
  Client client() {
    Client c;
    c.window = static_cast<std::uint32_t>(upto(63) + 1);
    c.in_flight = static_cast<std::uint32_t>(upto(c.window));
    if (flip()) c.timeout = duration(99'000'000'000'000) + recirc::sim::nanoseconds(1);
    return c;
  }

  std::mt19937_64 random_;
};

}  // namespace

TEST_CASE("The effective configuration reads back as the same object") {
  RandomWorld random(3);
  for (int i = 0; i < 1'000; ++i) {
    const World world = random.draw();
    const std::string text = config::effective_text(world);
    INFO(text);
    REQUIRE(issues_of(text).empty());
    CHECK(world_of(text) == world);
    CHECK(config::effective_text(world_of(text)) == text);
  }
}

TEST_CASE("The effective configuration has every field in the order described") {
  const auto json = config::effective(World{});
  std::vector<std::string> keys;
  for (const auto& item : json.items()) keys.push_back(item.key());
  CHECK(keys.size() == 20);
  CHECK(keys.front() == "system");
  CHECK(keys.back() == "note");
  CHECK(json["store_time"] == "43us");
  CHECK(json["rate"] == "100Gbps");
  CHECK(json["buffer"] == "4MiB");
  CHECK(json["files"] == 31'981'446);
  CHECK(json["cap"].is_null());
  CHECK(json["law"].dump() == R"({"kind":"exponential"})");
}

TEST_CASE("The flat list names every leaf by its pointer") {
  World world;
  world.delays = {recirc::sim::nanoseconds(5)};
  world.law = Lognormal{0.5};
  const config::FlatList list = config::flat(world);
  const auto value = [&list](const std::string& pointer) -> std::string {
    for (const auto& [key, text] : list) {
      if (key == pointer) return text;
    }
    return "absent";
  };
  CHECK(value("/delays/0") == "\"5ns\"");
  CHECK(value("/law/kind") == "\"lognormal\"");
  CHECK(value("/law/sigma") == "0.5");
  CHECK(value("/client/window") == "8");
  CHECK(value("/more_clients") == "[]");
  CHECK(value("/client") == "absent");
}

TEST_CASE("Provenances are listed by pointer for the kind a choice has") {
  World world;
  world.more_clients.resize(1);
  const auto has = [](const World& w, const std::string& pointer, const std::string& text) {
    const auto list = config::provenances(w);
    return std::find(list.begin(), list.end(), std::pair(pointer, text)) != list.end();
  };
  CHECK(has(world, "/workers", "paper: §2"));
  CHECK(has(world, "/store_time", "derived: 23 kops/s a server"));
  CHECK(has(world, "/more_clients/0/window", "paper: §1"));
  CHECK_FALSE(has(world, "/law/sigma", "assumed (0.1..1): the paper is silent"));
  world.law = Lognormal{};
  CHECK(has(world, "/law/sigma", "assumed (0.1..1): the paper is silent"));
}
