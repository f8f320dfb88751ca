#pragma once

#include "model/fletch/clients.h"
#include "model/fletch/desk.h"
#include "model/result.h"

namespace recirc::model::fletch {

/// How many paths share keys, and what the tokens take in each component (decision 51).
void report_tokens(const Desk& desk, const Clients& clients, ReplicationResult& result);

}  // namespace recirc::model::fletch
