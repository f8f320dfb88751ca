#pragma once

#include <cstdint>
#include <vector>

#include "model/nfs/config.h"
#include "model/nfs/server.h"
#include "model/pages/page_world.h"
#include "sim/component.h"
#include "sim/flat_map.h"

namespace recirc::model::nfs {

/// The NFS client of one node (Linux 4.15: fs/nfs). Reads take the inode's semaphore shared, calls
/// that change a file take it exclusive; pages are read and written in the cache, and go to the
/// server at fsync, truncate and close. Opening a file asks the server whether it has changed, and
/// then drops its pages, unless another thread here still has it open for writing: as long as one
/// has, none is dropped. A file that is open for reading only is asked about when its attributes
/// have grown old.
class Client final : public sim::Component {
 public:
  Client(pages::NodeId id, const pages::PageWorld& world, const NfsSettings& settings,
         Server& server);

  void call(pages::WorkerId worker);
  void handle(const sim::Event& event) override;
  void check_idle() const;

 private:
  enum class Kind : std::uint16_t { locked, at_server, answered, copied };
  /// The request to the server that a worker waits for.
  enum class Rpc : std::uint8_t { read, attributes, write, commit, set_size };

  struct Page {
    pages::Content content;
    std::uint32_t epoch = 0;  ///< in the cache if it is its file's
    bool dirty = false;
    bool fetching = false;
  };
  struct File {
    pages::RwLock semaphore;
    pages::CacheLine semaphore_line;
    std::uint32_t epoch = 1;
    std::uint32_t size = 0;
    std::uint64_t change = 0;  ///< the server's number when this client last heard of it
    std::vector<std::uint32_t> dirty;
    sim::Duration attributes_live{};
    sim::Time attributes_until{};
    std::vector<bool> open;  ///< by thread; empty: none has
    std::uint32_t openers = 0;
    bool revalidating = false;
    std::uint32_t flushes = 0;  ///< under way
    std::vector<pages::WorkerId> flush_waiters;
    std::vector<pages::WorkerId> attribute_waiters;
  };
  struct Moved {
    pages::PageRef page;
    pages::Content content;
  };
  /// A call under way.
  struct Task {
    Rpc rpc = Rpc::read;
    std::uint32_t first = 0;   ///< page of the call
    std::uint32_t index = 0;   ///< of the page at hand
    std::uint32_t epoch = 0;   ///< when the request was sent
    std::uint32_t size = 0;    ///< that the server has told
    std::uint64_t before = 0;  ///< the server's number before the request
    std::uint64_t after = 0;   ///< and after it
    std::uint64_t word = 0;
    std::vector<Moved> moved;  ///< pages of the request
  };
  struct Waiter {
    std::uint64_t page = 0;
    pages::WorkerId worker;
  };

  [[nodiscard]] const pages::PageOp& op(pages::WorkerId worker) const {
    return world_.workers.op(worker);
  }
  [[nodiscard]] Task& task(pages::WorkerId worker) {
    return tasks_[worker.value() - first_worker_];
  }
  [[nodiscard]] File& file(pages::WorkerId worker) { return files_[op(worker).first.file.value()]; }
  [[nodiscard]] pages::PageRef page_at_hand(pages::WorkerId worker) {
    return {op(worker).first.file, task(worker).first + task(worker).index};
  }
  [[nodiscard]] bool opened_to_write(pages::FileId file) const {
    return world_.files[file.value()].written_by(id_.value());
  }
  [[nodiscard]] bool reads(pages::WorkerId worker) const {
    return op(worker).kind == pages::PageOpKind::read;
  }

  void open(pages::WorkerId worker);
  void lock(pages::WorkerId worker);
  void locked(pages::WorkerId worker);
  void visit(pages::WorkerId worker, sim::Time from);
  void fetch(pages::WorkerId worker);
  void fetched(pages::WorkerId worker);
  void copied(pages::WorkerId worker);
  void finish(pages::WorkerId worker);

  void ask_attributes(pages::WorkerId worker);
  void attributes_came(pages::WorkerId worker);
  void note_attributes(pages::WorkerId worker);
  void drop_pages(pages::FileId id);
  void note_own_change(pages::WorkerId worker);

  void flush(pages::WorkerId worker);
  void committed(pages::WorkerId worker);
  void flushed(pages::WorkerId worker);
  void size_set(pages::WorkerId worker);

  /// The server's answer leaves at `at`.
  void wait_for(pages::WorkerId worker, Rpc rpc, sim::Time at);
  [[nodiscard]] sim::Time arrives() const { return world_.scheduler.now() + way_; }
  void at_server(pages::WorkerId worker);
  void answered(pages::WorkerId worker);

  pages::NodeId id_;
  pages::PageWorld world_;
  const NfsSettings& settings_;
  Server& server_;
  sim::Duration way_;
  std::uint32_t first_worker_;
  std::vector<Task> tasks_;
  std::vector<File> files_;
  sim::FlatMap<Page> pages_;
  pages::PageLines page_lines_;
  std::vector<Waiter> waiters_;  ///< for pages that come
};

}  // namespace recirc::model::nfs
