#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/callosal/config.h"
#include "model/cephfs/config.h"
#include "model/local_fs/config.h"
#include "model/nfs/config.h"
#include "model/pages/config.h"
#include "model/switch_config.h"
#include "model/verify/config.h"
#include "sim/config.h"
#include "workloads/page_workload.h"

namespace recirc::model {

/// `/run` of the systems that cache pages.
struct PageRunSettings {
  std::uint64_t seed = 1;
  std::uint32_t replications = 5;
};

/// A whole configuration of a file system that caches pages: what a run is a function of.
struct PageConfig {
  std::string system;
  workloads::PageWorkload workload;
  pages::NodesSettings cluster;
  pages::NodeSettings node;
  callosal::CallosalSettings callosal;
  SwitchSettings rmt_switch;
  nfs::NfsSettings nfs;
  cephfs::CephfsSettings cephfs;
  local_fs::LocalFsSettings local_fs;
  verify::PageVerifySettings verify;
  PageRunSettings run;
};

void describe(sim::config::Visitor& v, PageRunSettings& c);
void describe(sim::config::Visitor& v, PageConfig& c);
void validate(const PageConfig& c, sim::config::Issues& issues);

/// Reads a configuration over the defaults of its system. Throws ConfigError with every issue of
/// the document.
PageConfig read_page_config(const sim::config::Document& document);

}  // namespace recirc::model
