#include <algorithm>
#include <numeric>
#include <vector>

#include "catch.h"
#include "fletch_worlds.h"
#include "model/verify/linearizability.h"
#include "model/verify/page_histories.h"

namespace recirc::model {
namespace {

using testing::FletchRun;
using testing::TraceFile;
using verify::linearizable;
using verify::Register;
using verify::Verdict;

sim::Time at(std::int64_t time) { return sim::Time{sim::Duration{time}}; }
Register::Call write_of(std::uint64_t value, std::int64_t called, std::int64_t returned) {
  return {at(called), at(returned), true, value};
}
Register::Call read_of(std::uint64_t value, std::int64_t called, std::int64_t returned) {
  return {at(called), at(returned), false, value};
}
Register::Call lost_write_of(std::uint64_t value, std::int64_t called) {
  return {at(called), sim::Time::max(), true, value};
}

Verdict verdict(const std::vector<Register::Call>& calls) { return linearizable<Register>(calls); }

/// Every order of every choice of the calls that never returned.
bool some_order_explains(const std::vector<Register::Call>& calls) {
  std::vector<std::size_t> order(calls.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    // Calls that never returned may be left out: those at the end of the order are.
    for (std::size_t length = 0; length <= calls.size(); ++length) {
      const auto left_out = [&](std::size_t i) { return calls[i].returned == sim::Time::max(); };
      if (!std::all_of(order.begin() + static_cast<std::ptrdiff_t>(length), order.end(), left_out))
        continue;
      std::uint64_t state = 0;
      bool fits = true;
      for (std::size_t i = 0; i < length && fits; ++i) {
        for (std::size_t j = i + 1; j < length; ++j) {
          fits = fits && calls[order[j]].returned >= calls[order[i]].called;
        }
        fits = fits && Register::step(state, calls[order[i]]);
      }
      if (fits) return true;
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

TEST_CASE("Histories that an order of calls explains are linearizable") {
  CHECK(verdict({}) == Verdict::linearizable);
  CHECK(verdict({read_of(0, 0, 5)}) == Verdict::linearizable);
  CHECK(verdict({write_of(1, 0, 9), read_of(1, 2, 3), read_of(1, 4, 5)}) == Verdict::linearizable);
  CHECK(verdict({write_of(1, 0, 5), read_of(0, 5, 7)}) == Verdict::linearizable);
  CHECK(verdict({write_of(1, 0, 9), read_of(0, 2, 3), read_of(1, 4, 5)}) == Verdict::linearizable);
  CHECK(verdict({write_of(1, 0, 9), write_of(2, 0, 9), read_of(1, 10, 12)}) ==
        Verdict::linearizable);
  // Over at the instant at which the other begins: one after the other.
  CHECK(verdict({write_of(1, 0, 5), read_of(1, 5, 6)}) == Verdict::linearizable);
}

TEST_CASE("Histories that no order of calls explains are not linearizable") {
  CHECK(verdict({read_of(7, 0, 5)}) == Verdict::violated);
  CHECK(verdict({write_of(1, 0, 5), read_of(0, 6, 7)}) == Verdict::violated);
  // Seen and then not seen.
  CHECK(verdict({write_of(1, 0, 9), read_of(1, 2, 3), read_of(0, 4, 5)}) == Verdict::violated);
  // Two readers see two writes in two orders.
  CHECK(verdict({write_of(1, 0, 9), write_of(2, 0, 9), read_of(1, 10, 12), read_of(2, 13, 14)}) ==
        Verdict::violated);
  // A lost update.
  CHECK(verdict({write_of(1, 0, 2), write_of(2, 3, 5), read_of(1, 6, 8)}) == Verdict::violated);
}

TEST_CASE("A call that never returned may have had its effect at any time, or none") {
  CHECK(verdict({lost_write_of(1, 0), read_of(0, 5, 7)}) == Verdict::linearizable);
  CHECK(verdict({lost_write_of(1, 0), read_of(0, 5, 7), read_of(1, 8, 9)}) ==
        Verdict::linearizable);
  CHECK(verdict({lost_write_of(1, 8), read_of(1, 5, 7)}) == Verdict::violated);
  CHECK(verdict({lost_write_of(1, 0), read_of(1, 1, 2), read_of(0, 5, 7)}) == Verdict::violated);
}

TEST_CASE("The search says what trying every order says, on random histories") {
  sim::CounterRng draw{7};
  int violated = 0;
  for (int round = 0; round < 3'000; ++round) {
    INFO("round " << round);
    std::vector<Register::Call> calls;
    for (std::uint64_t i = 0; i < 6; ++i) {
      const auto called = static_cast<std::int64_t>(draw.next() % 12);
      const auto returned = called + 1 + static_cast<std::int64_t>(draw.next() % 8);
      const bool writes = draw.next() % 2 == 0;
      // Values are not always unique.
      const std::uint64_t value = 1 + draw.next() % 3;
      calls.push_back({at(called), at(returned), writes, value});
      if (writes && draw.next() % 6 == 0) calls.back().returned = sim::Time::max();
    }
    const bool explained = some_order_explains(calls);
    violated += explained ? 0 : 1;
    REQUIRE(verdict(calls) == (explained ? Verdict::linearizable : Verdict::violated));
  }
  CHECK(violated > 300);
  CHECK(violated < 2'700);
}

TEST_CASE("A search that takes too long says that it does not know") {
  std::vector<Register::Call> calls;
  for (std::uint64_t i = 0; i < 24; ++i) calls.push_back(write_of(i + 1, 0, 10));
  calls.push_back(read_of(99, 11, 12));
  CHECK(linearizable<Register>(calls, 10'000) == Verdict::undecided);
}

TEST_CASE("Calls that came too late for the record of a page are not held against the others") {
  verify::PageHistories histories(3);
  histories.add(5, read_of(1, 0, 5));
  histories.add(5, read_of(0, 6, 9));
  histories.add(5, read_of(2, 10, 11));
  histories.add(5, write_of(1, 0, 12));  // returned after the record was full
  histories.add(6, write_of(3, 0, 1));
  histories.add(6, read_of(0, 2, 3));
  const auto result = histories.search(1'000);
  CHECK(result.pages == 2);
  CHECK(result.violated == 1);
  CHECK(result.undecided == 0);
}

/// The metadata of one path as a register: what each answer told.
class OnePath final : public OpObserver {
 public:
  explicit OnePath(Simulation& simulation) { simulation.observe(this); }
  void happened(Moment moment, const Request& request, RequestHandle /*handle*/) override {
    if (moment == Moment::committed) versions_[request.operation.index] = request.version;
    if (moment != Moment::completed || request.outcome == Outcome::error) return;
    const bool writes = !workloads::is_read(request.operation.kind);
    const std::uint64_t version =
        writes ? versions_[request.operation.index] : std::uint64_t{request.version};
    calls.push_back({request.issued, now(), writes, version});
  }
  std::vector<Register::Call> calls;
  sim::Scheduler* scheduler = nullptr;

 private:
  [[nodiscard]] sim::Time now() const { return scheduler->now(); }
  std::map<std::uint64_t, std::uint64_t> versions_;
};

TEST_CASE("What Fletch's clients see of one path is linearizable", "[fletch]") {
  std::string text;
  for (int i = 0; i < 400; ++i) text += i % 5 == 0 ? "0,chmod,/d/f\n" : "0,stat,/d/f\n";
  const TraceFile trace(text);
  Config config = trace.config();
  config.cluster.servers = 1;
  config.cluster.clients = 8;
  FletchRun run(config);
  OnePath path(run.simulation);
  path.scheduler = &run.simulation.scheduler();
  run.go();
  REQUIRE(path.calls.size() == 400);
  CHECK(run["outcomes/hit/count"] > 50);
  CHECK(verdict(path.calls) == Verdict::linearizable);
  // The same answers, of which one is of a write that was over long before.
  path.calls.back().writes = false;
  path.calls.back().value = 1;
  CHECK(verdict(path.calls) == Verdict::violated);
}

}  // namespace
}  // namespace recirc::model
