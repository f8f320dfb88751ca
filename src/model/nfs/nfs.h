#pragma once

#include <vector>

#include "model/nfs/config.h"
#include "model/pages/page_world.h"
#include "model/pages/station.h"

namespace recirc::model::nfs {

/// NFS clients with close-to-open consistency (Linux 4.15: fs/nfs). A page that is in a client's
/// cache is read and written there, under the inode's semaphore of that client, and the server
/// hears of it when the file is closed. As long as a client has the file open for writing it drops
/// no page, whatever others have written: fxmark and the key-value store open everything so, and
/// read what was current when they first read it.
class Nfs final : public sim::Component, public pages::PageSystem {
 public:
  Nfs(const pages::PageWorld& world, const NfsSettings& settings);

  void call(pages::WorkerId worker) override;
  void handle(const sim::Event& event) override;
  void report(ReplicationResult& result) const override;
  void check_idle() const override;

 private:
  enum class Kind : std::uint16_t { locked, answered, copied };
  struct Content {
    std::uint64_t version = 0;
    std::uint64_t word = 0;
    bool cached = false;
    sim::Time comes{};  ///< from the server; readers wait for it
  };
  struct Client {
    std::vector<pages::RwLock> inode_locks;  ///< by file
    std::vector<pages::CacheLine> inode_lines;
    pages::PageLines page_lines;
    sim::FlatMap<Content> pages;
  };

  [[nodiscard]] Client& client(pages::WorkerId worker) {
    return clients_[world_.workers.node(worker).value()];
  }
  [[nodiscard]] const pages::PageOp& op(pages::WorkerId worker) const {
    return world_.workers.op(worker);
  }
  void locked(pages::WorkerId worker);
  void visit(pages::WorkerId worker);
  void copied(pages::WorkerId worker);

  pages::PageWorld world_;
  NfsSettings settings_;
  std::vector<Client> clients_;
  std::vector<std::uint32_t> index_;  ///< by worker: the page at hand of its call
  pages::Station server_;
};

}  // namespace recirc::model::nfs
