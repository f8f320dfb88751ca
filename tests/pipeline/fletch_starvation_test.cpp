#include "catch.h"
#include "fletch_under_test.h"
#include "pipeline/diagnostics.h"

// The lock that writers do not starve at, beside the paper's, at which they do.
namespace recirc::pipeline {
namespace {

using testing::FletchUnderTest;
using namespace programs::fletch;
using Options = FletchUnderTest::Options;

LockPlan pending(const LockPlan& locks = paper_locks()) { return with_pending_writes(locks); }

std::uint32_t index_of(unsigned level) { return lock_index(FletchUnderTest::key_of(level)); }

/// How long one read keeps the counter of its last level raised, on its own.
sim::Duration longest_read() {
  FletchUnderTest f(Options{.locks = pending()});
  f.cache_chain(9);
  f.send(FletchUnderTest::read(9));
  while (f.lock_of(9) == 0) f.test.scheduler.run(sim::Scheduler::forever, 1);
  const sim::Time raised = f.test.scheduler.now();
  while (f.lock_of(9) != 0) f.test.scheduler.run(sim::Scheduler::forever, 1);
  return f.test.scheduler.now() - raised;
}

/// How long a write takes to its server that comes amid reads of its path, which follow each other
/// so closely for `reads_last` that one walks at any time.
sim::Duration write_amid_reads(const LockPlan& locks, sim::Duration reads_last) {
  FletchUnderTest f(Options{.locks = locks});
  f.cache_chain(9);
  const sim::Duration gap = sim::microseconds(1);
  for (sim::Duration at{}; at < reads_last; at += gap) {
    f.test.send(f.wiring.ports[FletchUnderTest::client], FletchUnderTest::read(9), sim::Bytes{336},
                sim::Time{at});
  }
  const sim::Time begun{sim::microseconds(20)};
  f.test.send(f.wiring.ports[FletchUnderTest::client], f.write_of(9), sim::Bytes{336}, begun);
  f.test.run();
  for (const auto& frame : f.test.sent) {
    const auto header = frame.header<Header>();
    if (frame.port == f.wiring.ports[FletchUnderTest::server] &&
        header.kind == Kind::write_request) {
      CHECK(header.has(waited));
      return frame.last_bit - begun;
    }
  }
  FAIL("the write went nowhere");
  return {};
}

TEST_CASE(
    "Amid reads without end a write starves at the paper's lock; where it leaves a mark, the "
    "reads that were there before bound its wait",
    "[fletch][locks][starvation]") {
  const sim::Duration longest = longest_read();
  // To the lock pipe, once more round, and on to the server.
  const sim::Duration way = sim::microseconds(5);
  for (const auto last : {sim::microseconds(60), sim::microseconds(120), sim::microseconds(240)}) {
    CHECK(write_amid_reads(paper_locks(), last) > last - sim::microseconds(20));
    CHECK(write_amid_reads(pending(), last) < longest + way);
    CHECK(write_amid_reads(pending(paper_locks(Release::at_end)), last) < longest + way);
  }
}

TEST_CASE("A read that meets a waiting write gives back what it has raised and goes to its server",
          "[fletch][locks][starvation]") {
  for (unsigned level = 1; level <= 8; ++level) {
    FletchUnderTest f(Options{.locks = pending()});
    f.cache_chain(9);
    f.test.set_register(FletchUnderTest::lock_pipe, lock_array(level), index_of(level), {2, 1});
    f.run(FletchUnderTest::read(9));
    const auto requests = f.sent_to(FletchUnderTest::server);
    REQUIRE(requests.size() == 1);
    CHECK(requests[0].kind == Kind::read_request);
    CHECK(requests[0].has(waited));
    CHECK(requests[0].held == 0);
    CHECK(f.looped() == 2);
    CHECK(f.locks_held() == 2);
    CHECK(f.lock_of(level) == 2);
  }
  // Where it has raised nothing, there is nothing to give back.
  FletchUnderTest f(Options{.locks = pending(single_lock(SingleKey::full_path))});
  f.cache_chain(9);
  f.test.set_register(FletchUnderTest::lock_pipe, lock_array(1), index_of(9), {0, 1});
  f.run(FletchUnderTest::read(9));
  CHECK(f.sent_to(FletchUnderTest::server).size() == 1);
  CHECK(f.looped() == 1);
}

TEST_CASE("Every write that waits leaves one mark and takes it away",
          "[fletch][locks][starvation]") {
  FletchUnderTest f(Options{.locks = pending()});
  f.cache_chain(3);
  const auto counter = [&f] {
    return f.test.register_of(FletchUnderTest::lock_pipe, lock_array(3), index_of(3));
  };
  f.set(lock_array(3), index_of(3), 1);
  for (int i = 0; i < 3; ++i) f.send(f.write_of(3));
  f.test.scheduler.run(sim::Time{sim::microseconds(20)});
  CHECK(counter() == Words{1, 3});
  CHECK(f.sent_to(FletchUnderTest::server).empty());
  SECTION("when the counter is free") {
    f.test.set_register(FletchUnderTest::lock_pipe, lock_array(3), index_of(3), {0, 3});
    f.test.run();
    CHECK(f.sent_to(FletchUnderTest::server).size() == 3);
  }
  SECTION("when its path is evicted meanwhile") {
    const MatchKey key{FletchUnderTest::key_of(3), 1};
    f.test.rmt.table(ProtocolTag{0}, last_small).erase(key);
    f.test.rmt.table(ProtocolTag{0}, level_small).erase(key);
    f.test.scheduler.run(sim::Time{sim::microseconds(40)});
    f.test.set_register(FletchUnderTest::lock_pipe, lock_array(3), index_of(3), {0, 3});
    f.test.run();
    for (const Header& header : f.sent_to(FletchUnderTest::server)) CHECK(!header.has(cached));
  }
  CHECK(counter() == Words{});
}

TEST_CASE("The mark of a lost write turns reads away until the control plane clears it",
          "[fletch][locks][starvation]") {
  FletchUnderTest f(Options{.locks = pending()});
  f.cache_chain(3);
  f.test.set_register(FletchUnderTest::lock_pipe, lock_array(3), index_of(3), {0, 1});
  f.run(FletchUnderTest::read(3));
  CHECK(f.sent_to(FletchUnderTest::client).empty());
  f.test.set_register(FletchUnderTest::lock_pipe, lock_array(3), index_of(3), {});
  f.run(FletchUnderTest::read(3));
  CHECK(f.sent_to(FletchUnderTest::client).size() == 1);
  CHECK(f.locks_held() == 0);
}

TEST_CASE("Pairs of counters fit a Tofino 1, beside the released program's arrays only six",
          "[fletch][locks][starvation]") {
  const auto violations = [](Placing placing, const LockPlan& locks) {
    Wiring wiring;
    wiring.locks = pending(locks);
    const auto program = make_program(placing, wiring);
    const Program* only = program.get();
    return report(ChipSpec{}, std::span{&only, 1}).violations;
  };
  constexpr std::array<std::uint32_t, 6> six{1, 2, 3, 4, 5, 6};
  CHECK(violations(Placing::paper, paper_locks()).empty());
  CHECK(violations(Placing::paper, single_lock(SingleKey::full_path)).empty());
  CHECK(violations(Placing::prototype, grouped_locks(six)).empty());
  CHECK(violations(Placing::prototype, single_lock(SingleKey::full_path)).empty());
  const auto too_many = violations(Placing::prototype, paper_locks());
  REQUIRE(too_many.size() == 1);
  CHECK(too_many[0].rule == "map_rams");
}

}  // namespace
}  // namespace recirc::pipeline
