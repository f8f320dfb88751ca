#pragma once

#include <cstdint>
#include <vector>

#include "model/pages/cache_line.h"
#include "model/pages/config.h"
#include "model/pages/rw_lock.h"
#include "model/pages/workers.h"
#include "sim/flat_map.h"
#include "sim/rng.h"

namespace recirc::model::pages {

/// What a file system for pages finds around it.
struct PageWorld {
  sim::Scheduler& scheduler;
  const sim::RngFactory& rng;
  const NodesSettings& nodes;
  const NodeSettings& node;
  const std::vector<workloads::PageFile>& files;
  Workers& workers;
};

/// Cache lines of the pages of one node, such as their reference counts.
class PageLines {
 public:
  CacheLine& operator[](PageRef page) { return lines_[number_of(page)]; }

 private:
  sim::FlatMap<CacheLine> lines_;
};

}  // namespace recirc::model::pages
