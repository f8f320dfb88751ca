#pragma once

#include <string>
#include <string_view>

#include "model/callosal/callosal.h"
#include "model/figure.h"
#include "model/page_simulation.h"
#include "page_system_under_test.h"
#include "sim/config.h"
#include "sim/error.h"

namespace recirc::model {

inline PageConfig callosal_config(const std::string& benchmark, std::uint64_t operations) {
  PageConfig config = read_page_config(sim::config::Document::parse(
      R"({"system": "callosal", "workload": {"benchmark": )" + benchmark + "}}", "test"));
  config.workload.operations = operations;
  config.cluster.nodes = 4;
  config.cluster.threads = 2;
  return config;
}

/// Random pages of one file.
inline PageConfig callosal_pages(std::uint32_t pages, double writes, std::uint64_t operations) {
  return callosal_config(R"({"kind": "shared_pages", "pages": )" + std::to_string(pages) +
                             R"(, "write_ratio": )" + std::to_string(writes) + "}",
                         operations);
}

inline ReplicationResult run_callosal(const PageConfig& config, std::uint64_t replication = 0) {
  RunControl control;
  return run_pages(config, replication, control);
}

struct CallosalSetup {
  callosal::CallosalSettings callosal;
  SwitchSettings rmt_switch;

  CallosalSetup() { rmt_switch.max_recirculations = 1'000'000; }
};

class CallosalOf final : public pages::PageSystem {
 public:
  CallosalOf(const pages::PageWorld& world, const CallosalSetup& setup)
      : callosal_(world, setup.callosal, setup.rmt_switch) {}
  void call(pages::WorkerId worker) override { callosal_.call(worker); }
  void report(ReplicationResult& result) const override { callosal_.report(result); }
  void check_idle() const override { callosal_.check_idle(); }

 private:
  callosal::Callosal callosal_;
};

/// Threads that make the calls of a script.
using ScriptedCallosal = ScriptedRun<CallosalOf, CallosalSetup>;

}  // namespace recirc::model
