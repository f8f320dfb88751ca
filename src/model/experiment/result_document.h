#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/experiment/engine.h"
#include "model/experiment/reduce.h"

namespace recirc::model::experiment {

/// Of every JSON file this program writes; a change that a reader would notice raises it.
inline constexpr int schema_version = 1;

/// The finished replications of one configuration, in their order.
struct RunResult {
  std::shared_ptr<const PreparedRun> run;
  std::vector<ReplicationResult> replications;
};

/// The result file of a run: configuration with provenance, means, 95 % half-widths, every
/// replication, phases, histograms merged over replications, series.
Json result_document(const RunResult& result, const std::string& revision);

/// The text of a JSON file this program writes, whichever way it is asked to.
std::string document_text(const Json& document);

/// Figures as an object; '/' in a name nests. Throws InvariantBroken when one name is a part of
/// another.
Json figures_document(std::span<const Figure> figures);
/// The reverse of figures_document: an integer is a count, true or false a flag.
std::vector<Figure> figures_of(const Json& document);

/// Means, and half-widths (null for a single replication), under the names of the figures.
Json means_document(std::span<const Estimate> estimates);
Json half_widths_document(std::span<const Estimate> estimates);
Json gains_document(std::span<const Gain> gains);
/// By name: unit, window and the values of each replication; null where there is none.
Json series_document(std::span<const ReplicationResult> replications);

/// The configuration in what a user gave: a configuration itself, or a result file's. Throws like
/// Document::load.
sim::config::Document load_config(const std::filesystem::path& path);

}  // namespace recirc::model::experiment
