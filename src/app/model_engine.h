#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>

#include "model/experiment/engine.h"
#include "model/workload.h"

namespace recirc::model {
struct Config;
}

namespace recirc::app {

/// The model this program is built with, as experiments see it. Threads may share it.
class ModelEngine final : public model::experiment::Engine {
 public:
  /// Throws InputOutputError too, when a file that the configuration names cannot be read.
  [[nodiscard]] std::shared_ptr<const model::experiment::PreparedRun> prepare(
      const sim::config::Document& user) const override;
  [[nodiscard]] model::experiment::Json schema() const override;
  [[nodiscard]] std::string reference() const override;
  [[nodiscard]] std::string revision() const override;

 private:
  using TraceKey = std::tuple<std::string, int, bool>;
  [[nodiscard]] model::Inputs inputs_of(const model::Config& config,
                                        const std::filesystem::path& folder) const;

  mutable std::mutex mutex_;
  mutable std::map<TraceKey, std::weak_ptr<const workloads::trace::Trace>> traces_;
};

}  // namespace recirc::app
