#include <functional>

#include "catch.h"
#include "modes_agree.h"
#include "pipeline/diagnostics.h"
#include "pipeline/programs/netcache/layout.h"
#include "pipeline/programs/netcache/program.h"
#include "program_under_test.h"

namespace recirc::pipeline {
namespace {

using namespace programs::netcache;
using testing::ProgramUnderTest;

constexpr std::uint16_t client = 0;
constexpr std::uint16_t server = 1;
constexpr std::uint16_t controller = 2;
constexpr PipeId server_pipe{1};

constexpr std::uint64_t key_of(unsigned item) { return 0xbbbb'0000'0000'0000U + item; }
constexpr std::uint64_t slot_of(unsigned item, unsigned slot) {
  return (std::uint64_t{slot} << 40U) | item;
}

/// A client on pipe 0, a server and the controller on pipe 1.
struct NetCacheUnderTest {
  explicit NetCacheUnderTest(bool reports = false)
      : spec(ProgramUnderTest::two_pipes(ports)),
        wiring(wire(reports)),
        program(make_program(wiring)),
        test(*program, spec) {}

  static Location location_of(unsigned item) {
    return {static_cast<std::uint16_t>(item), static_cast<std::uint16_t>(item / 3),
            static_cast<std::uint16_t>(0x1fU << (item % 3 * 5))};
  }
  void cache(unsigned item) {
    const Location where = location_of(item);
    test.rmt.table(ProtocolTag{0}, lookup_table(item % lookup_tables))
        .insert({key_of(item), 0}, match_result(where));
    set(validity_array, item, 1);
    set(length_array, item, 40);
    for (unsigned slot = 0; slot < max_slots; ++slot) {
      const unsigned word = 2 * (item % 3 * 5 + slot);
      const std::uint64_t value = slot_of(item, slot);
      set(value_array(word), where.row, static_cast<std::uint32_t>(value));
      set(value_array(word + 1), where.row, static_cast<std::uint32_t>(value >> 32U));
    }
  }
  void set(ArrayId array, std::uint32_t index, std::uint32_t value) {
    test.set_register(server_pipe, array, index, {value, 0});
  }
  [[nodiscard]] std::uint32_t get(ArrayId array, std::uint32_t index) {
    return test.register_of(server_pipe, array, index).low;
  }

  static Header request(Kind kind, unsigned item) {
    Header header;
    header.addresses = {client, server};
    header.kind = kind;
    header.key = key_of(item);
    return header;
  }
  static Header answer_to(Header request, Effect effect, std::uint64_t mark) {
    request.kind = Kind::cached_answer;
    request.effect = effect;
    request.turn_around();
    for (unsigned slot = 0; slot < max_slots; ++slot) request.slots[slot] = mark + slot;
    return request;
  }
  void run(const Header& header, sim::Bytes length = sim::Bytes{200}) {
    test.send(wiring.ports[header.addresses.source], header, length);
    test.run();
  }
  [[nodiscard]] std::vector<Header> sent_to(std::uint16_t endpoint) const {
    std::vector<Header> headers;
    for (const testing::Sent& frame : test.sent) {
      if (frame.port == wiring.ports[endpoint]) headers.push_back(frame.header<Header>());
    }
    return headers;
  }
  [[nodiscard]] std::uint64_t looped() const {
    return test.rmt.counters().recirculated_frames + test.rmt.counters().cable_frames;
  }

  ProgramUnderTest::Ports ports;
  SwitchSpec spec;
  Wiring wiring;
  std::unique_ptr<Program> program;
  ProgramUnderTest test;

 private:
  Wiring wire(bool reports) {
    Wiring w;
    w.ports = {ports.front[0][0], ports.front[1][0], ports.front[1][1]};
    for (const PortId port : w.ports) w.sessions.push_back(spec.add_session(port));
    w.controller = controller;
    w.reports = reports;
    w.threshold = 3;
    return w;
  }
};

TEST_CASE("A cached path is answered in one pass, wherever its record lies in a row",
          "[netcache]") {
  for (unsigned item = 0; item < 8; ++item) {
    NetCacheUnderTest n;
    for (unsigned i = 0; i < 8; ++i) n.cache(i);
    n.run(NetCacheUnderTest::request(Kind::read_request, item));
    CHECK(n.looped() == 0);
    CHECK(n.sent_to(server).empty());
    const auto answers = n.sent_to(client);
    REQUIRE(answers.size() == 1);
    CHECK(answers[0].kind == Kind::answer);
    CHECK(answers[0].has(hit));
    for (unsigned slot = 0; slot < max_slots; ++slot) {
      CHECK(answers[0].slots[slot] == slot_of(item, slot));
    }
    CHECK(n.test.sent[0].packet.length == sim::Bytes{240});
    CHECK(n.get(hits_array, item) == 1);
    CHECK(n.test.rmt.packets_in_use() == 0);
  }
}

TEST_CASE("A path that is not cached, or invalid, goes to its server", "[netcache]") {
  NetCacheUnderTest n;
  n.cache(1);
  n.run(NetCacheUnderTest::request(Kind::read_request, 2));
  REQUIRE(n.sent_to(server).size() == 1);
  CHECK(n.sent_to(server)[0].flags == 0);
  n.set(validity_array, 1, 0);
  n.run(NetCacheUnderTest::request(Kind::read_request, 1));
  REQUIRE(n.sent_to(server).size() == 2);
  CHECK(n.sent_to(server)[1].has(invalid));
  CHECK(n.sent_to(client).empty());
}

TEST_CASE("A write invalidates its item on the way, and its answer brings it up to date",
          "[netcache]") {
  NetCacheUnderTest n;
  n.cache(4);
  n.run(NetCacheUnderTest::request(Kind::write_request, 4));
  const auto requests = n.sent_to(server);
  REQUIRE(requests.size() == 1);
  CHECK(requests[0].has(cached));
  CHECK(n.get(validity_array, 4) == 0);
  n.run(NetCacheUnderTest::answer_to(requests[0], Effect::update, 700));
  CHECK(n.get(validity_array, 4) == 1);
  REQUIRE(n.sent_to(server).size() == 2);
  CHECK(n.sent_to(server)[1].kind == Kind::ack);
  CHECK(n.sent_to(server)[1].addresses.destination == server);
  REQUIRE(n.sent_to(client).size() == 1);
  CHECK(n.sent_to(client)[0].kind == Kind::answer);
  n.run(NetCacheUnderTest::request(Kind::read_request, 4));
  CHECK(n.sent_to(client)[1].slots[4] == 704);
  CHECK(n.looped() == 0);
}

TEST_CASE("What an answer does to an item follows its effect", "[netcache]") {
  for (const Effect effect : {Effect::update, Effect::validate, Effect::retract}) {
    NetCacheUnderTest n;
    n.cache(4);
    n.set(validity_array, 4, effect == Effect::retract ? 1 : 0);
    n.run(NetCacheUnderTest::answer_to(NetCacheUnderTest::request(Kind::write_request, 4), effect,
                                       700));
    CHECK(n.get(validity_array, 4) == (effect == Effect::retract ? 0 : 1));
    const Location where = NetCacheUnderTest::location_of(4);
    CHECK(n.get(value_array(10), where.row) == (effect == Effect::update ? 700U : 4U));
    CHECK(n.sent_to(client).size() == 1);
    CHECK(n.sent_to(server).size() == 1);
  }
}

TEST_CASE("The filter lets one report of a hot path through", "[netcache]") {
  NetCacheUnderTest n(true);
  for (int i = 0; i < 2; ++i) n.run(NetCacheUnderTest::request(Kind::read_request, 9));
  CHECK(n.sent_to(controller).empty());
  for (int i = 0; i < 6; ++i) n.run(NetCacheUnderTest::request(Kind::read_request, 9));
  REQUIRE(n.sent_to(controller).size() == 1);
  CHECK(n.sent_to(controller)[0].kind == Kind::report);
  CHECK(n.sent_to(server).size() == 8);
  for (unsigned row = 0; row < bloom_rows; ++row) {
    for (std::uint32_t i = 0; i < bloom_bits; ++i) n.set(bloom_array(row), i, 0);
  }
  n.run(NetCacheUnderTest::request(Kind::read_request, 9));
  CHECK(n.sent_to(controller).size() == 2);
}

TEST_CASE("NetCache fits a Tofino 1 with half of the published rows", "[netcache]") {
  const NetCacheUnderTest n;
  const Program* program = n.program.get();
  const LayoutReport use = report(ChipSpec{}, std::span{&program, 1});
  CHECK(use.violations.empty());
  CHECK(use.total().stateful_alus == 42);
  Layout published = make_layout();
  for (ArraySpec& array : published.arrays) {
    if (array.name.starts_with("value")) array.entries = 65'536;
  }
  const Layout* only = &published;
  CHECK(!report(ChipSpec{}, std::span{&only, 1}).violations.empty());
}

/// Reads, writes and answers of any kind amid admissions and evictions.
struct AnyTraffic {
  const NetCacheUnderTest& world;
  std::uint64_t seed;

  static std::vector<ControlOperation> any_change(sim::CounterRng& rng) {
    const auto item = static_cast<unsigned>(rng.next() % 12);
    const MatchKey key{key_of(item), 0};
    const TableId table = lookup_table(item % lookup_tables);
    const Location where = NetCacheUnderTest::location_of(item);
    if (rng.next() % 3 == 0) return {ControlOperation::erase(ProtocolTag{0}, table, key)};
    return {ControlOperation::write(ProtocolTag{0}, server_pipe, validity_array, item, {1, 0}),
            ControlOperation::write(ProtocolTag{0}, server_pipe, value_array(item % 3 * 10),
                                    where.row, {item, 0}),
            ControlOperation::insert(ProtocolTag{0}, table, key, match_result(where))};
  }

  void operator()(ProgramUnderTest& test) const {
    sim::CounterRng rng(seed);
    for (int i = 0; i < 40; ++i) test.control.submit(any_change(rng));
    for (int i = 0; i < 200; ++i) {
      const auto item = static_cast<unsigned>(rng.next() % 12);
      Header header = NetCacheUnderTest::request(
          rng.next() % 3 == 0 ? Kind::write_request : Kind::read_request, item);
      if (rng.next() % 4 == 0) {
        const std::uint64_t value = rng.next();
        header = NetCacheUnderTest::answer_to(header, static_cast<Effect>(rng.next() % 3), value);
      }
      test.send(world.wiring.ports[header.addresses.source], header, sim::Bytes{200},
                sim::Time{sim::picoseconds(static_cast<std::int64_t>(rng.next() % 12'000'000))});
    }
  }
};

TEST_CASE("Pass mode and stage mode agree on NetCache", "[modes][netcache]") {
  constexpr ControlSpec fast{sim::nanoseconds(100), sim::nanoseconds(50), sim::nanoseconds(10)};
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    INFO("seed " << seed);
    NetCacheUnderTest world(true);
    world.spec.seed = seed;
    const AnyTraffic traffic{world, seed};
    testing::require_modes_agree({world.program.get()}, world.spec, fast, std::cref(traffic));
  }
}

}  // namespace
}  // namespace recirc::pipeline
