#include "model/fletch/risk_report.h"

namespace recirc::model::fletch {

void report_risk(const WritesAtRisk& at_risk, const World& world, ReplicationResult& result) {
  const auto add = [&result](const char* name, auto value) {
    result.summary.push_back(count_figure(name, static_cast<std::uint64_t>(value)));
  };
  add("writes_acknowledged_early", at_risk.early());
  add("writes_refused_late", at_risk.refused());
  add("writes_lost", at_risk.now());
  add("writes_at_risk_max", at_risk.most());
  result.summary.push_back({"writes_at_risk_mean", at_risk.mean(world.scheduler.now())});
}

}  // namespace recirc::model::fletch
