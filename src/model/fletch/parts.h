#pragma once

#include <memory>

#include "model/fletch/active_log.h"
#include "model/fletch/cache_directory.h"
#include "model/fletch/clients.h"
#include "model/fletch/controller_seat.h"
#include "model/fletch/desk.h"
#include "model/fletch/leaves.h"
#include "model/fletch/log_file.h"
#include "model/fletch/mail.h"
#include "model/fletch/narrow_tree.h"
#include "model/fletch/preload.h"
#include "model/fletch/servers.h"
#include "model/fletch/writes_at_risk.h"
#include "model/log_place.h"

namespace recirc::model::fletch {

/// What there is of a Fletch run beside its program, once the world around the scheme stands.
struct Parts {
  Parts(const World& outside, const CacheSettings& cache, const ControllerSettings& settings,
        const NetworkSettings& network, const pipeline::programs::fletch::LockPlan& locks,
        const Mutants& mutants, const Protection& protection, const TokenSettings& token_settings,
        const LogPlace& log);
  Parts(const Parts&) = delete;  // they refer to one another
  Parts& operator=(const Parts&) = delete;

  NarrowTree keys;
  World world;
  WritesAtRisk at_risk;
  Mail mail;
  ActiveLog history;
  CacheDirectory directory;
  std::unique_ptr<LogFile> log_file;  ///< null: the log stays in memory
  Leaves leaves;
  Desk desk;
  Clients clients;
  Servers servers;
  ControllerSeat controller;
  Preloaded preloaded;

 private:
  std::unique_ptr<LogFile> file_of(const LogPlace& log);
  WritesAtRisk* risk_of(const CacheSettings& cache);
};

}  // namespace recirc::model::fletch
