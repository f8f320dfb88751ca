#pragma once

#include <memory>
#include <vector>

#include "model/nfs/client.h"
#include "model/nfs/config.h"
#include "model/nfs/server.h"

namespace recirc::model::nfs {

/// A client of one NFS server on each node, with close-to-open consistency: fxmark and the
/// key-value store open everything for writing and never again, and so read what was current when
/// they first read it.
class Nfs final : public pages::PageSystem {
 public:
  Nfs(const pages::PageWorld& world, const NfsSettings& settings);

  void call(pages::WorkerId worker) override;
  void report(ReplicationResult& result) const override;
  void check_idle() const override;

 private:
  pages::PageWorld world_;
  NfsSettings settings_;
  Server server_;
  std::vector<std::unique_ptr<Client>> clients_;
};

}  // namespace recirc::model::nfs
