#pragma once

#include <optional>

namespace recirc::model {

struct PageConfig;

/// Operations a second of system callosal by small models of its own, to hold against a simulation:
///
/// - `dwoh`, by renewal: a page goes from node to node, and a cycle is the longer one of two ways,
///   that of the page (sent, granted, installed, written, given up) and that of the next request.
/// - `key_value` with uniform keys, by Markov chains of a page and its region (who has it) and a
///   fixed point of queues: memory blades, handlers of invalidations, locks of the file.
///
/// Nothing for other benchmarks, and for settings that these models know nothing of (skewed keys,
/// caches that overflow, bounded splitting).
std::optional<double> analytic_throughput(const PageConfig& config);

}  // namespace recirc::model
