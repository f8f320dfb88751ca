#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/callosal/config.h"
#include "model/callosal/durability.h"
#include "model/callosal/frames.h"
#include "model/callosal/network.h"
#include "model/callosal/unsynced.h"
#include "model/pages/page_world.h"
#include "sim/component.h"
#include "sim/flat_map.h"
#include "sim/ring_queue.h"
#include "sim/rng.h"
#include "sim/slab.h"

namespace recirc::model::callosal {

struct NodeCounters {
  std::uint64_t asks_to_read = 0;
  std::uint64_t asks_to_write = 0;
  std::uint64_t refusals = 0;  ///< NACKs
  std::uint64_t invalidations = 0;
  std::uint64_t falsely_invalidated = 0;  ///< cached pages given up for another page's sake
  std::uint64_t reads = 0;  ///< of pages, those that were repeated once
  std::uint64_t version_retries = 0;
  std::uint64_t late_answers = 0;     ///< to requests that had been given up
  std::uint64_t evictions = 0;        ///< pages
  std::uint64_t evicted_changed = 0;  ///< of them, those that went to memory
  std::uint64_t held_back = 0;        ///< writes that had to wait until less was unsynced
  std::uint64_t waits_for_room = 0;   ///< threads that had to wait until a page was gone
};

/// The page cache of one node, kept coherent by the directory in the switch.
///
/// A read of a page that is here takes no lock and looks, after copying, whether the page is still
/// the same. All else takes the page's lock, and holds it while it asks the directory. Whoever is
/// told to give up a page waits for that lock like another thread (Callosal §5.3): a page that has
/// come is used before it goes.
class Node final : public sim::Component {
 public:
  Node(pages::NodeId id, const pages::PageWorld& world, const CallosalSettings& settings,
       Network& network, NodeCounters& counters, Durability& durability);

  void call(pages::WorkerId worker);

  // From the network; `page` is one that this node has asked for.
  void data_came(PageNumber page, const Content& data, std::uint16_t ask);
  void granted(PageNumber page, std::uint8_t region_bits, std::uint8_t round, std::uint16_t ask);
  void refused(PageNumber page, std::uint16_t ask);
  void invalidate(const Invalidation& invalidation);
  /// The directory has taken note of an eviction.
  void left(PageNumber page, std::uint8_t round);
  /// The control plane takes a region back: Network::recalled() when nothing of it is here.
  void recall(const PageRange& region);
  void synced(std::uint32_t number);  ///< a blade has done what sync() told it

  /// Its events are void from now on.
  void die() { is_dead_ = true; }
  /// It is up again: unlike at the start of a run it has no file's inode.
  void begin_empty();

  void handle(const sim::Event& event) override;
  void check_idle() const;
  /// `visit(page, access, content)` for each page that has ever been here.
  template <class Visit>
  void for_each_page(Visit visit) const {
    for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
      visit(pages_[slot].number, access_of(pages_[slot].state), pages_[slot].data);
    }
  }

 private:
  enum class Kind : std::uint16_t {
    copied,
    inode_locked,
    page_locked,
    ask,
    due,
    served,
    dropped,
    overdue,
    leave_overdue,
    flushed
  };
  enum class State : std::uint8_t { invalid, shared, modified };
  static verify::Access access_of(State state) { return static_cast<verify::Access>(state); }
  static constexpr std::uint32_t nobody = ~0U;
  static constexpr std::uint32_t handler = ~0U - 1;
  static constexpr std::uint32_t evictor = ~0U - 2;

  struct Page {
    PageNumber number = 0;
    State state = State::invalid;
    Content data;
    std::uint64_t changes = 0;  ///< of what a reader would copy
    std::uint32_t holder = nobody;
    sim::RingQueue<pages::WorkerId> waiting;
    bool asked = false;  ///< its holder waits for the directory
    bool asked_to_write = false;
    bool has_data = false;
    bool has_grant = false;
    std::uint32_t tries = 0;
    std::uint32_t next = nobody;          ///< was put off; gets the lock before those who wait
    bool is_due = false;                  ///< it may have it now
    std::uint32_t invalidation = nobody;  ///< waits for the lock or has it
    std::uint32_t passed = 0;             ///< threads that went before it
    std::uint8_t region_bits = 0;         ///< of the region that it was granted with
    std::uint8_t round = 0;               ///< and its round
    std::uint16_t ask = 0;                ///< number of the last request
    std::uint16_t wanted = 0;             ///< how often it was got
    bool is_watched = false;              ///< for how long it is wanted

    [[nodiscard]] PageRange region() const { return PageRange::of(number, region_bits); }
  };
  struct GivingUp {
    Invalidation invalidation;
    std::vector<std::uint32_t> pages;
    std::uint32_t not_locked = 0;
  };
  /// A file that is made durable.
  struct Sync {
    pages::FileId file;
    std::uint32_t worker = nobody;
    std::uint32_t pages = 0;   ///< that this node has sent
    std::uint32_t blades = 0;  ///< that have not answered
  };
  /// A call under way.
  struct Task {
    std::uint32_t first = 0;  ///< page of the file
    std::uint32_t pages = 0;
    std::uint32_t index = 0;  ///< of the page at hand
    std::uint64_t changes = 0;
    std::uint64_t version = 0;  ///< of the page when copying began
    bool locked = false;
    bool at_inode = false;       ///< the page at hand is the inode's
    bool changes_inode = false;  ///< of the file: its size or its time of change
    bool has_inode = false;      ///< it has that page, locked
    std::uint64_t word = 0;
  };

  [[nodiscard]] Task& task(pages::WorkerId worker) {
    return tasks_[worker.value() - first_worker_];
  }
  [[nodiscard]] const pages::PageOp& op(pages::WorkerId worker) const {
    return world_.workers.op(worker);
  }
  [[nodiscard]] bool reads(pages::WorkerId worker) const {
    return op(worker).kind == workloads::PageOpKind::read;
  }
  [[nodiscard]] pages::PageRef page_ref(pages::WorkerId worker);
  [[nodiscard]] bool to_write(pages::WorkerId worker);
  [[nodiscard]] PageNumber number(pages::WorkerId worker);
  std::uint32_t page_of(PageNumber number);

  void give_up_kept(pages::WorkerId worker);
  void lock_inode(pages::WorkerId worker);
  void inode_locked(pages::WorkerId worker, std::uint32_t slot);
  void truncate(pages::WorkerId worker, std::uint32_t inode);
  void set_size(pages::WorkerId worker, std::uint32_t inode, std::uint32_t pages);
  void grow(pages::WorkerId worker);
  [[nodiscard]] std::uint64_t tick() const;
  [[nodiscard]] bool is_out_of_date(const Content& inode) const;
  void set_time(std::uint32_t inode);
  void finish(pages::WorkerId worker, sim::Duration after = {});

  void visit(pages::WorkerId worker);
  void read_within(pages::WorkerId worker, const Content& size);
  void read(pages::WorkerId worker);
  void copy(pages::WorkerId worker, std::uint32_t slot);
  void copied(pages::WorkerId worker);
  void lock_page(pages::WorkerId worker);
  void page_locked(pages::WorkerId worker);
  void unlock(std::uint32_t slot);
  [[nodiscard]] bool follows(pages::WorkerId worker, const Page& page);
  void came(std::uint32_t slot);
  void set_state(Page& page, State state);
  void put_off(std::uint32_t slot);
  void send_ask(pages::WorkerId worker);
  void ask_again(std::uint32_t slot);
  [[nodiscard]] bool awaits(const Page& page, std::uint16_t ask);
  void watch(std::uint32_t slot);
  void overdue(std::uint32_t slot, std::uint16_t wanted);
  void begin_recall(std::optional<PageRange>& recalled);
  void end_leave();
  void due(std::uint32_t slot);
  [[nodiscard]] sim::Duration back_off(std::uint32_t tries);

  [[nodiscard]] bool may_be_granted(const Page& page) const;
  [[nodiscard]] bool is_refused_when_late() const;
  void lock_for_handler(std::uint32_t giving_up);
  void serve();
  void served();

  [[nodiscard]] bool may_ask(std::uint32_t slot);
  void drop_frame(std::uint32_t slot);
  void evict();
  [[nodiscard]] std::uint32_t find_victim() const;
  [[nodiscard]] bool has_nothing_of(const PageRange& region) const;
  void dropped(std::uint32_t slot);

  void note_changed(std::uint32_t slot);
  void note_sent(std::uint32_t slot);
  void sync(pages::FileId file, std::uint32_t worker);
  void flushed(std::uint32_t number);
  void write_back();
  [[nodiscard]] bool must_wait() const;
  void let_writers_go();
  void check_synced() const;

  pages::NodeId id_;
  pages::PageWorld world_;
  const CallosalSettings& settings_;
  Network& network_;
  NodeCounters& counters_;
  Durability& durability_;
  sim::CounterRng rng_;
  std::uint32_t first_worker_;
  std::vector<Task> tasks_;
  std::vector<pages::RwLock> inode_locks_;  ///< by file: those of this node
  std::vector<std::uint32_t> inodes_;       ///< by file: slots of shadow inodes
  sim::FlatMap<std::uint32_t> slots_;       ///< by page number
  sim::Slab<Page> pages_;
  pages::PageLines lines_;
  sim::Slab<GivingUp> giving_up_;
  sim::RingQueue<std::uint32_t> ready_;  ///< all their pages are locked
  bool serving_ = false;
  bool is_dead_ = false;
  bool began_empty_ = false;

  Frames frames_;
  sim::RingQueue<std::uint32_t> for_room_;    ///< pages whose next thread waits for a frame
  sim::RingQueue<std::uint32_t> for_region_;  ///< and those that wait until a region is left
  std::optional<PageRange> leaving_;
  std::uint8_t leaving_round_ = 0;
  std::uint16_t leaves_ = 0;
  /// Wait for an invalidation to be done with: of pages, and of an inode.
  std::optional<PageRange> recalled_[2];
  std::uint16_t asks_ = 0;
  bool evicting_ = false;
  bool found_no_victim_ = false;  ///< look again when a page is unlocked

  Unsynced unsynced_;
  sim::Slab<Sync> syncs_;
  sim::RingQueue<pages::WorkerId> held_back_;  ///< have written while too much was unsynced
  std::uint32_t syncing_ = 0;                  ///< pages sent that are not known to be durable
  bool writing_back_ = false;
};

}  // namespace recirc::model::callosal
