#pragma once

#include <memory>
#include <vector>

#include "model/local_fs/config.h"
#include "model/pages/contents.h"
#include "model/pages/page_world.h"

namespace recirc::model::local_fs {

/// ext4 or tmpfs on one node, all pages in its page cache (Linux 4.15: mm/filemap.c). Reads of ext4
/// take no lock; those of tmpfs take the page's lock for the lookup, so all readers of a page write
/// one cache line more. Writes hold the inode's semaphore for the whole call.
class LocalFs final : public sim::Component, public pages::PageSystem {
 public:
  LocalFs(const pages::PageWorld& world, const LocalFsSettings& settings);

  void call(pages::WorkerId worker) override;
  void handle(const sim::Event& event) override;
  void check_idle() const override;

 private:
  enum class Kind : std::uint16_t { release };

  void read(pages::WorkerId worker);
  [[nodiscard]] sim::Duration time_of(const pages::PageOp& op) const;
  void hold(pages::WorkerId worker, sim::Duration before);

  pages::PageWorld world_;
  LocalFsSettings settings_;
  std::vector<pages::RwLock> inode_locks_;  ///< by file
  pages::PageLines page_lines_;             ///< reference counts
  pages::Contents contents_;
};

}  // namespace recirc::model::local_fs
