#include "workloads/key_value.h"

namespace recirc::workloads {
namespace {

// The stores of all replications are alike.
constexpr std::uint64_t placement_key = 1;

}  // namespace

KeyValue::KeyValue(const KeyValueShape& shape, std::uint32_t workers, sim::CounterRng rng)
    : shape_(shape),
      per_page_(static_cast<std::uint32_t>(page_size.count()) / shape.value_bytes),
      rng_(rng),
      calls_(workers, 0),
      of_all_(shape.keys, shape.zipf),
      place_of_all_(shape.keys, placement_key),
      of_part_(shape.keys / workers, shape.zipf),
      place_in_part_(shape.keys / workers, placement_key) {}

std::vector<PageFile> KeyValue::files() const {
  return {{static_cast<std::uint32_t>((shape_.keys + per_page_ - 1) / per_page_), true}};
}

PageOp KeyValue::next(WorkerId worker, std::uint64_t /*word*/) {
  sim::CounterRng draw = rng_.at(worker.value()).at(calls_[worker.value()]++);
  PageOp op;
  std::uint64_t key = 0;
  if (draw.next_unit() < shape_.write_ratio) {
    op.kind = PageOpKind::write;
    op.whole = shape_.value_bytes == page_size.count();
    const std::uint64_t first_own = shape_.keys / calls_.size() * worker.value();
    key = first_own + place_in_part_(of_part_.draw(draw));
  } else {
    key = place_of_all_(of_all_.draw(draw));
  }
  op.first = {FileId{0}, static_cast<std::uint32_t>(key / per_page_)};
  return op;
}

}  // namespace recirc::workloads
