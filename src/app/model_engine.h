#pragma once

#include "model/experiment/engine.h"

namespace recirc::app {

/// The model this program is built with, as experiments see it.
class ModelEngine final : public model::experiment::Engine {
 public:
  [[nodiscard]] std::shared_ptr<const model::experiment::PreparedRun> prepare(
      const sim::config::Document& user) const override;
  [[nodiscard]] model::experiment::Json schema() const override;
  [[nodiscard]] std::string revision() const override;
};

}  // namespace recirc::app
