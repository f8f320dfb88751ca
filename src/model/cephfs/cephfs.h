#pragma once

#include <vector>

#include "model/cephfs/config.h"
#include "model/pages/page_world.h"
#include "model/pages/station.h"

namespace recirc::model::cephfs {

/// CephFS clients and their capabilities (Ceph's locks, Linux 4.15: fs/ceph). A client that is
/// alone with a file caches and buffers it. Where several have it open, and any of them for
/// writing, nobody may: every read and write goes to the object store and waits there behind others
/// of its object. What a client wants is told by how it opened the file, not by what it does.
class Cephfs final : public sim::Component, public pages::PageSystem {
 public:
  Cephfs(const pages::PageWorld& world, const CephfsSettings& settings);

  void call(pages::WorkerId worker) override;
  void handle(const sim::Event& event) override;
  void report(ReplicationResult& result) const override;
  void check_idle() const override;

 private:
  enum class Kind : std::uint16_t { opened, locked, done };
  struct File {
    std::uint32_t holders = 0;               ///< bits of the nodes that have it open
    sim::Time rights_at{};                   ///< when the last of these have been given
    std::vector<pages::RwLock> inode_locks;  ///< by node
  };
  struct Content {
    std::uint64_t version = 0;
    std::uint64_t word = 0;
  };

  [[nodiscard]] const pages::PageOp& op(pages::WorkerId worker) const {
    return world_.workers.op(worker);
  }
  [[nodiscard]] File& file(pages::WorkerId worker) { return files_[op(worker).first.file.value()]; }
  [[nodiscard]] bool may_cache(const File& file, pages::FileId id) const;
  void opened(pages::WorkerId worker);
  void locked(pages::WorkerId worker);
  void at_store(pages::WorkerId worker);
  void done(pages::WorkerId worker);

  pages::PageWorld world_;
  CephfsSettings settings_;
  std::vector<File> files_;
  std::vector<bool> holds_lock_;  ///< by worker
  pages::PageLines page_lines_;
  sim::FlatMap<Content> contents_;
  sim::FlatMap<sim::Time> objects_;  ///< when the last call for each is over
  std::vector<pages::Station> stores_;
  std::uint64_t at_stores_ = 0;
  std::uint64_t revocations_ = 0;
};

}  // namespace recirc::model::cephfs
