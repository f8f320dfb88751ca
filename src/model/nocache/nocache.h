#pragma once

#include <memory>

#include "model/scheme.h"

namespace recirc::model::nocache {

/// No cache anywhere: the switch forwards, the servers answer everything (Fletch §IX-A, NoCache).
std::unique_ptr<Scheme> make_nocache(const Topology& topology);

}  // namespace recirc::model::nocache
