#pragma once

#include <cstdint>
#include <vector>

#include "model/callosal/durability.h"
#include "model/callosal/network.h"
#include "model/callosal/store.h"
#include "pipeline/programs/directory/regions.h"
#include "sim/component.h"
#include "sim/flat_map.h"
#include "sim/ring_queue.h"
#include "sim/scheduler.h"
#include "sim/slab.h"
#include "sim/units.h"

namespace recirc::model::callosal {

/// What a memory blade's network card needs for a page that it reads.
struct Card {
  sim::Duration latency;         ///< of a read that waits for no other
  sim::BitsPerSecond bandwidth;  ///< of all its reads; so a page occupies it for less than it takes
};

/// The blade that has a page: the 2 MiB regions of a file go round the blades, and each file begins
/// on the one after the file before it, with its inode.
constexpr std::uint32_t home_of(PageNumber page, std::uint32_t blades) {
  return static_cast<std::uint32_t>(
      (file_of(page).value() + (page >> pipeline::programs::directory::most_region_bits)) % blades);
}

/// A memory blade: its network card reads and writes pages, and nobody else is involved. Reads
/// begin in the order of their requests, each when the card's bandwidth allows it; several are
/// under way. A page that is not there yet comes from the store behind it.
class Blade final : public sim::Component, private Store::Client {
 public:
  /// Where pages that were asked for go.
  class Reader {
   public:
    virtual ~Reader() = default;
    virtual void read(std::uint32_t blade, PageNumber page, pages::NodeId requester,
                      std::uint16_t ask, const Content& data) = 0;
    /// All that this blade had of the page's file when the node asked is durable.
    virtual void synced(std::uint32_t blade, PageNumber page, pages::NodeId node,
                        std::uint32_t number) = 0;
  };

  /// `absent`: files whose first pages are in the store; nullptr when all pages are here.
  /// `durability`: nullptr when nothing is written back.
  Blade(sim::Scheduler& scheduler, std::uint32_t number, const Card& card, Reader& reader,
        Store* store, const std::vector<workloads::PageFile>* absent, Durability* durability)
      : scheduler_(scheduler),
        number_(number),
        latency_(card.latency),
        reads_(card.bandwidth),
        reader_(reader),
        store_(store),
        absent_(absent),
        durability_(durability) {}

  void fetch(PageNumber page, pages::NodeId requester, std::uint16_t ask);
  void store(PageNumber page, const Content& data);
  /// What is here, and in the store, when a run begins.
  void preload(PageNumber page, const Content& data) { contents_[page] = data; }
  /// A node wants the page's file to be durable.
  void sync(PageNumber page, pages::NodeId node, std::uint32_t number);
  [[nodiscard]] Content content(PageNumber page) const {
    const Content* data = contents_.find(page);
    return data == nullptr ? Content{} : *data;
  }

  void handle(const sim::Event& event) override;
  /// Throws InvariantBroken if somebody waits for a page.
  void check_idle() const;

 private:
  enum class Kind : std::uint16_t { done };
  struct Sync {
    PageNumber page = 0;
    pages::NodeId node;
    std::uint32_t number = 0;
    std::uint32_t left = 0;  ///< writes that it waits for
  };
  struct Write {
    pages::FileId file;
    std::vector<std::uint32_t> syncs;  ///< that wait for it
  };
  struct Wanted {
    PageNumber page = 0;
    pages::NodeId requester;
    std::uint16_t ask = 0;
  };

  [[nodiscard]] bool is_absent(PageNumber page) const;
  void loaded(PageNumber page) override;
  void written(std::uint32_t number) override;
  void write(PageNumber page, std::uint32_t sync);
  void done_for(std::uint32_t sync);

  sim::Scheduler& scheduler_;
  std::uint32_t number_;
  sim::Duration latency_;
  sim::Serializer reads_;
  sim::Time free_at_{};  ///< the card, for the next read
  Reader& reader_;
  Store* store_;
  const std::vector<workloads::PageFile>* absent_;
  Durability* durability_;
  sim::RingQueue<Wanted> under_read_;
  std::vector<Wanted> loading_;                       ///< in the order in which they came
  sim::FlatMap<Content> contents_;                    ///< of pages that were written or loaded
  sim::FlatMap<bool> changed_;                        ///< since it was last sent to the store
  sim::FlatMap<std::vector<PageNumber>> changed_of_;  ///< the same, by file
  sim::Slab<Sync> syncs_;
  sim::Slab<Write> writes_;
  std::vector<std::uint32_t> under_way_;  ///< writes
};

}  // namespace recirc::model::callosal
