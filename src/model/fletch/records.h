#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "model/fletch/cache_directory.h"
#include "model/metadata.h"
#include "pipeline/control_port.h"
#include "pipeline/programs/fletch/lock_plan.h"

namespace recirc::model::fletch {

/// The program's place in its switch.
inline constexpr pipeline::ProtocolTag protocol{0};

/// What the control plane writes to bring a record into the switch, and to take it out. A record is
/// written before its lookup entries: whoever finds it finds it whole.
void append_record(std::vector<pipeline::ControlOperation>& operations, pipeline::PipeId pipe,
                   const CacheEntry& entry, const Metadata& metadata);
/// `copies`: the pipes that hold the path with this one, or without the one that is removed.
void append_lookups(std::vector<pipeline::ControlOperation>& operations, const CacheEntry& entry,
                    std::uint8_t copies);
/// The last-key entry goes first: no read starts to walk to the path any more.
void append_removal(std::vector<pipeline::ControlOperation>& operations, const CacheEntry& entry,
                    std::uint8_t copies);

/// Reads of the hit counters, and of the lock counters, of these entries.
pipeline::ControlOperation read_frequency(pipeline::PipeId pipe, const CacheEntry& entry);
pipeline::ControlOperation read_lock(pipeline::PipeId pipe,
                                     const pipeline::programs::fletch::LockPlan& locks,
                                     const workloads::Namespace& tree, const CachedCopy& entry);

/// The sketch and all hit counters become zero.
void append_reset(std::vector<pipeline::ControlOperation>& operations, pipeline::PipeId pipe);

}  // namespace recirc::model::fletch
