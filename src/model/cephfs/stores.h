#pragma once

#include <cstdint>
#include <vector>

#include "model/cephfs/config.h"
#include "model/pages/page_system.h"
#include "model/pages/station.h"
#include "sim/component.h"
#include "sim/ring_queue.h"
#include "sim/scheduler.h"

namespace recirc::model::cephfs {

/// The object stores of a cluster. A request is for pages of one object; those for one placement
/// group wait for each other, then for a thread of its store.
class Stores final : public sim::Component {
 public:
  /// Whoever asks; `job` is what it has called the request.
  class Client {
   public:
    virtual ~Client() = default;
    virtual void stored(std::uint64_t job) = 0;
  };

  Stores(sim::Scheduler& scheduler, const CephfsSettings& settings, Client& client);

  /// Pages from `first` on, which do not reach beyond its object.
  void read(pages::PageRef first, std::uint32_t pages, std::uint64_t job);
  void write(pages::PageRef first, std::uint32_t pages, std::uint64_t job);
  /// Pages from `page` to the end of its object.
  [[nodiscard]] std::uint32_t left_in_object(std::uint32_t page) const {
    return settings_.object_pages - page % settings_.object_pages;
  }

  void handle(const sim::Event& event) override;
  [[nodiscard]] std::uint64_t served() const { return served_; }
  [[nodiscard]] sim::Duration busy() const;

 private:
  enum class Kind : std::uint16_t { may_write, done };
  struct Request {
    std::uint64_t job = 0;
    sim::Duration service{};
    bool writes = false;
  };
  using Group = sim::RingQueue<Request>;  ///< the first is under way

  [[nodiscard]] std::uint32_t group_of(pages::PageRef page) const;
  void push(std::uint32_t group, const Request& request);
  void begin(std::uint32_t group);
  void serve(std::uint32_t group);
  void done(std::uint32_t group);

  sim::Scheduler& scheduler_;
  CephfsSettings settings_;
  Client& client_;
  std::vector<Group> groups_;
  std::vector<pages::Station> stores_;
  sim::Time next_write_{};
  std::uint64_t served_ = 0;
};

}  // namespace recirc::model::cephfs
