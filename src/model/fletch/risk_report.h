#pragma once

#include "model/fletch/writes_at_risk.h"
#include "model/result.h"
#include "model/scheme.h"

namespace recirc::model::fletch {

/// What write-back's acknowledgements put at risk (docs/decisions/0043).
void report_risk(const WritesAtRisk& at_risk, const World& world, ReplicationResult& result);

}  // namespace recirc::model::fletch
