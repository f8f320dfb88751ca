#include <map>
#include <set>

#include "catch.h"
#include "workloads/key_value.h"
#include "workloads/page_queue.h"
#include "workloads/transition.h"
#include "workloads/truncation.h"

using namespace recirc;
using workloads::PageCrew;
using workloads::PageOp;
using workloads::PageOpKind;
using workloads::WorkerId;

namespace {

constexpr WorkerId producer{0};
constexpr WorkerId consumer{1};

struct Shape {
  PageOpKind kind;
  std::uint32_t page;
  std::uint32_t pages = 1;
  bool operator==(const Shape&) const = default;
};

Shape shape_of(const PageOp& op) { return {op.kind, op.first.page, op.pages}; }

}  // namespace

TEST_CASE("A producer fills the ring, says so, and looks at what has been taken out") {
  workloads::PageQueue queue({2, 64}, {1, 2, false});
  CHECK(queue.files().size() == 1);
  CHECK(queue.files()[0].pages == 3);
  CHECK(shape_of(queue.next(producer, 0)) == Shape{PageOpKind::write, 2});
  CHECK(shape_of(queue.next(producer, 0)) == Shape{PageOpKind::write, 2});
  const PageOp publish = queue.next(producer, 0);
  CHECK(shape_of(publish) == Shape{PageOpKind::write, 0});
  CHECK(publish.word == 2);
  CHECK_FALSE(publish.counts);
  CHECK(shape_of(queue.next(producer, 0)) == Shape{PageOpKind::read, 1});
  CHECK(shape_of(queue.next(producer, 0)) == Shape{PageOpKind::read, 1});
  CHECK(shape_of(queue.next(producer, 1)) == Shape{PageOpKind::write, 2});
  CHECK(queue.next(producer, 0).word == 3);
}

TEST_CASE("A consumer looks until items are there, takes them, and counts them") {
  workloads::PageQueue queue({2, 64}, {1, 2, false});
  CHECK(shape_of(queue.next(consumer, 0)) == Shape{PageOpKind::read, 0});
  CHECK_FALSE(queue.next(consumer, 0).counts);
  const PageOp first = queue.next(consumer, 2);
  CHECK(shape_of(first) == Shape{PageOpKind::read, 2});
  CHECK(first.counts);
  CHECK(queue.next(consumer, 0).counts);
  const PageOp taken = queue.next(consumer, 0);
  CHECK(shape_of(taken) == Shape{PageOpKind::write, 1});
  CHECK(taken.word == 2);
  CHECK_FALSE(taken.counts);
  CHECK(shape_of(queue.next(consumer, 0)) == Shape{PageOpKind::read, 0});
}

TEST_CASE("Without batches each item is told of by itself") {
  workloads::PageQueue queue({4, 64, false}, {1, 2, false});
  for (std::uint64_t item = 1; item <= 4; ++item) {
    CHECK(shape_of(queue.next(producer, 0)) == Shape{PageOpKind::write, 2});
    CHECK(queue.next(producer, 0).word == item);
  }
  CHECK(shape_of(queue.next(producer, 0)) == Shape{PageOpKind::read, 1});
}

TEST_CASE("Whoever must opens a queue's file anew before each look") {
  workloads::PageQueue queue({2, 64}, {1, 2, true});
  CHECK(queue.next(consumer, 0).kind == PageOpKind::reopen);
  CHECK(queue.next(consumer, 0).kind == PageOpKind::read);
  CHECK(queue.next(consumer, 0).kind == PageOpKind::reopen);
}

TEST_CASE("Slots of a queue share a page or begin with one") {
  workloads::PageQueue small({100, 1024}, {1, 2, false});
  CHECK(small.files()[0].pages == 2 + 25);
  workloads::PageQueue large({3, 5000, false}, {1, 2, false});
  CHECK(large.files()[0].pages == 2 + 3 * 2);
  CHECK(shape_of(large.next(producer, 0)) == Shape{PageOpKind::write, 2, 2});
  large.next(producer, 0);
  const PageOp second = large.next(producer, 0);
  CHECK(shape_of(second) == Shape{PageOpKind::write, 4, 2});
  CHECK_FALSE(second.whole);
}

TEST_CASE("Workers of a key-value store write keys of their own and read those of all") {
  constexpr std::uint32_t workers = 4;
  workloads::KeyValue store({400, 4096, 0.5, 0.9}, workers, sim::CounterRng{7});
  CHECK(store.files()[0].pages == 400);
  std::map<std::uint32_t, std::set<std::uint32_t>> read;
  for (std::uint32_t call = 0; call < 5000; ++call) {
    const std::uint32_t worker = call % workers;
    const PageOp op = store.next(WorkerId{worker}, 0);
    if (op.kind == PageOpKind::write) {
      CHECK(op.first.page / 100 == worker);
      CHECK(op.whole);
    } else {
      read[worker].insert(op.first.page / 100);
    }
  }
  for (std::uint32_t worker = 0; worker < workers; ++worker) CHECK(read[worker].size() == workers);
}

TEST_CASE("A value that is smaller than a page is a part of one") {
  workloads::KeyValue store({100, 1000, 1, 0}, 1, sim::CounterRng{7});
  CHECK(store.files()[0].pages == 25);
  CHECK_FALSE(store.next(WorkerId{0}, 0).whole);
}

TEST_CASE("A file that has been cut to nothing gets its size back by a call that does not count") {
  workloads::Truncation app(2, 1);
  for (const std::uint32_t size : {1U, 0U, 2U, 1U}) {
    const PageOp op = app.next(WorkerId{0}, 0);
    CHECK(shape_of(op) == Shape{PageOpKind::truncate, size});
    CHECK(op.counts == (size != 2));
  }
}

TEST_CASE("Pages are prepared by other nodes and then asked for by the last one") {
  using workloads::Asked;
  using workloads::Before;
  workloads::Transition shared({Before::shared, Asked::write, 2, 3}, {4, 2, false});
  const WorkerId last{6};
  std::uint32_t working = 0;
  for (std::uint32_t worker = 0; worker < 8; ++worker) {
    working += shared.has_next(WorkerId{worker}) ? 1 : 0;
  }
  CHECK(working == 3);  // the first threads of two nodes that read, and of the last one
  const PageOp before = shared.next(WorkerId{2}, 0);
  CHECK(shape_of(before) == Shape{PageOpKind::read, 0});
  CHECK(before.first.file.value() == 0);
  CHECK_FALSE(before.counts);
  const PageOp asked = shared.next(last, 0);
  CHECK(shape_of(asked) == Shape{PageOpKind::write, 0});
  CHECK(asked.counts);
  CHECK(asked.earliest > before.earliest);
  CHECK(shared.next(WorkerId{0}, 0).earliest < asked.earliest);
  const PageOp second = shared.next(WorkerId{2}, 0);
  CHECK(second.first.page >= 512);
  CHECK(second.earliest > asked.earliest);
  shared.next(last, 0);
  shared.next(last, 0);
  CHECK_FALSE(shared.has_next(last));
}

TEST_CASE("Only one node writes pages that are to be modified, and none those to be invalid") {
  using workloads::Asked;
  using workloads::Before;
  workloads::Transition modified({Before::modified, Asked::read, 3, 1}, {4, 1, false});
  CHECK(modified.next(WorkerId{0}, 0).kind == PageOpKind::write);
  CHECK_FALSE(modified.has_next(WorkerId{1}));
  CHECK(modified.next(WorkerId{3}, 0).kind == PageOpKind::read);
  const workloads::Transition invalid({Before::invalid, Asked::read, 3, 1}, {4, 1, false});
  CHECK_FALSE(invalid.has_next(WorkerId{0}));
  CHECK(invalid.has_next(WorkerId{3}));
}
