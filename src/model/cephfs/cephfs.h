#pragma once

#include <vector>

#include "model/cephfs/config.h"
#include "model/cephfs/stores.h"
#include "model/pages/contents.h"
#include "model/pages/page_world.h"
#include "model/pages/station.h"

namespace recirc::model::cephfs {

/// CephFS clients and their capabilities (Ceph's locks, Linux 4.15: fs/ceph). A client that is
/// alone with a file caches and buffers it; several that only read may cache. Where several have
/// it open, and any of them for writing, nobody may: every read and write goes to the object store
/// and waits there. What a client wants is told by how it opened the file, not by what it does.
class Cephfs final : public sim::Component, public pages::PageSystem, private Stores::Client {
 public:
  Cephfs(const pages::PageWorld& world, const CephfsSettings& settings);

  void call(pages::WorkerId worker) override;
  void handle(const sim::Event& event) override;
  void report(ReplicationResult& result) const override;
  void check_idle() const override;

 private:
  enum class Kind : std::uint16_t { locked, mds_answered, done, revoked };

  struct File {
    std::uint32_t holders = 0;               ///< bits of the nodes that have it open
    std::uint32_t epoch = 1;                 ///< of cached pages that are still allowed
    std::vector<pages::RwLock> inode_locks;  ///< by node
    std::vector<std::uint32_t> dirty;        ///< pages that a loner has not written yet
    pages::NodeId buffered_by{0};            ///< the loner
    std::uint32_t flushing = 0;              ///< requests to stores
    bool revoking = false;
    std::vector<pages::WorkerId> opening;  ///< wait for the revocation
    std::vector<pages::WorkerId> after_flush;
  };
  struct Page {
    std::uint32_t epoch = 0;  ///< cached if it is its file's
    bool dirty = false;
    bool fetching = false;
  };
  /// A call under way.
  struct Task {
    std::uint32_t first = 0;  ///< page of the call
    std::uint32_t index = 0;  ///< pages behind it that are done
    std::uint32_t run = 0;    ///< pages of the request at a store
    std::uint32_t epoch = 0;  ///< when it was made
    bool fetches = false;     ///< into the cache
    bool locked = false;      ///< has the inode's lock
  };
  struct Waiter {
    std::uint64_t page = 0;
    pages::WorkerId worker;
  };

  [[nodiscard]] const pages::PageOp& op(pages::WorkerId worker) const {
    return world_.workers.op(worker);
  }
  [[nodiscard]] Task& task(pages::WorkerId worker) { return tasks_[worker.value()]; }
  [[nodiscard]] pages::FileId file_id(pages::WorkerId worker) const {
    return op(worker).first.file;
  }
  [[nodiscard]] File& file(pages::WorkerId worker) { return files_[file_id(worker).value()]; }
  [[nodiscard]] pages::PageRef page_of(pages::WorkerId worker, std::uint32_t index) {
    return {file_id(worker), task(worker).first + index};
  }
  [[nodiscard]] Page& cached(pages::WorkerId worker, std::uint32_t index) {
    return caches_[world_.workers.node(worker).value()][pages::number_of(page_of(worker, index))];
  }
  [[nodiscard]] bool reads(pages::WorkerId worker) const {
    return op(worker).kind == pages::PageOpKind::read;
  }
  [[nodiscard]] bool may_cache(pages::FileId id) const;
  void open(pages::WorkerId worker);

  void opened(pages::WorkerId worker);
  void lock(pages::WorkerId worker);
  void locked(pages::WorkerId worker);
  void unlock(pages::WorkerId worker);

  void visit(pages::WorkerId worker);
  void fetch(pages::WorkerId worker, std::uint32_t index);
  void fetched(pages::WorkerId worker);
  void at_store(pages::WorkerId worker);
  void done(pages::WorkerId worker);

  void ask_mds(pages::WorkerId worker, sim::Duration more = {});
  void mds_answered(pages::WorkerId worker);

  /// True if something is to be waited for.
  bool flush(pages::FileId id);
  void flushed(pages::FileId id);
  void after_flush(pages::WorkerId worker);
  void revoked(pages::FileId id);
  void take_rights(pages::FileId id);

  void stored(std::uint64_t job) override;

  pages::PageWorld world_;
  CephfsSettings settings_;
  Stores stores_;
  pages::Station mds_;
  pages::Contents contents_;
  std::vector<File> files_;
  std::vector<Task> tasks_;                   ///< by worker
  std::vector<sim::FlatMap<Page>> caches_;    ///< by node
  std::vector<pages::PageLines> page_lines_;  ///< by node
  std::vector<Waiter> waiters_;               ///< for pages that come
  std::uint64_t at_stores_ = 0;
  std::uint64_t revocations_ = 0;
};

}  // namespace recirc::model::cephfs
