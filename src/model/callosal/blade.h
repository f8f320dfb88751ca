#pragma once

#include <cstdint>

#include "model/callosal/network.h"
#include "sim/component.h"
#include "sim/flat_map.h"
#include "sim/ring_queue.h"
#include "sim/scheduler.h"

namespace recirc::model::callosal {

/// A memory blade: its network card reads and writes pages, one after another, and nobody else is
/// involved.
class Blade final : public sim::Component {
 public:
  /// Where pages that were asked for go.
  class Reader {
   public:
    virtual ~Reader() = default;
    virtual void read(std::uint32_t blade, PageNumber page, pages::NodeId requester,
                      const Content& data) = 0;
  };

  Blade(sim::Scheduler& scheduler, std::uint32_t number, sim::Duration read_time, Reader& reader)
      : scheduler_(scheduler), number_(number), read_time_(read_time), reader_(reader) {}

  void fetch(PageNumber page, pages::NodeId requester) {
    waiting_.push({page, requester});
    if (waiting_.size() == 1) scheduler_.after(read_time_, *this, Kind::done);
  }
  void store(PageNumber page, const Content& data) { contents_[page] = data; }
  [[nodiscard]] Content content(PageNumber page) const {
    const Content* data = contents_.find(page);
    return data == nullptr ? Content{} : *data;
  }

  void handle(const sim::Event& /*event*/) override {
    const Wanted wanted = waiting_.front();
    waiting_.pop();
    if (!waiting_.empty()) scheduler_.after(read_time_, *this, Kind::done);
    reader_.read(number_, wanted.page, wanted.requester, content(wanted.page));
  }

 private:
  enum class Kind : std::uint16_t { done };
  struct Wanted {
    PageNumber page = 0;
    pages::NodeId requester;
  };

  sim::Scheduler& scheduler_;
  std::uint32_t number_;
  sim::Duration read_time_;
  Reader& reader_;
  sim::RingQueue<Wanted> waiting_;
  sim::FlatMap<Content> contents_;  ///< of pages that were written
};

}  // namespace recirc::model::callosal
