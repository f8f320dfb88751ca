#include "app/page_model.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "model/page_config.h"
#include "model/page_simulation.h"
#include "pipeline/diagnostics.h"
#include "sim/config.h"

namespace recirc::app {
namespace {

using model::experiment::Json;

class PreparedPages final : public model::experiment::PreparedRun {
 public:
  PreparedPages(model::PageConfig config, model::PageInputs inputs)
      : config_(std::move(config)),
        inputs_(std::move(inputs)),
        effective_(sim::config::effective(config_)),
        provenance_(Json::object()) {
    for (const auto& [pointer, text] : sim::config::provenances(config_)) {
      provenance_[pointer] = text;
    }
  }

  [[nodiscard]] const Json& effective() const override { return effective_; }
  [[nodiscard]] const Json& provenance() const override { return provenance_; }
  [[nodiscard]] std::vector<sim::config::VariedField> varied() const override {
    return sim::config::varied_fields(config_);
  }
  [[nodiscard]] std::string system() const override { return config_.system; }
  [[nodiscard]] std::uint64_t seed() const override { return config_.run.seed; }
  [[nodiscard]] std::uint64_t replications() const override { return config_.run.replications; }
  [[nodiscard]] std::uint64_t operations() const override {
    return config_.workload.duration
               ? 0
               : workloads::operations_of(config_.workload, inputs_.trace.get());
  }
  [[nodiscard]] const char* requests_pointer() const override { return "/workload/operations"; }
  [[nodiscard]] Json program_report() const override {
    const auto make_program = model::find_page_system(config_.system)->make_program;
    if (make_program == nullptr) return Json::object();
    const auto program = make_program(config_);
    const pipeline::Program* const one = program.get();
    const pipeline::ChipSpec& chip = pipeline::chip_of(config_.rmt_switch.chip);
    return Json(pipeline::to_json(pipeline::report(chip, {&one, 1})));
  }
  void build() const override { const model::PageSimulation built(config_, 0, inputs_); }
  model::ReplicationResult run(std::uint64_t replication, model::RunControl& control,
                               const std::string& /*log_file*/) const override {
    return model::run_pages(config_, replication, control, inputs_);
  }

 private:
  model::PageConfig config_;
  model::PageInputs inputs_;
  Json effective_;
  Json provenance_;
};

}  // namespace

std::shared_ptr<const model::experiment::PreparedRun> prepare_pages(
    const sim::config::Document& user) {
  model::PageConfig config = model::read_page_config(user);
  model::PageInputs inputs =
      model::load_page_inputs(config, user.folder_of(model::page_trace_pointer));
  return std::make_shared<PreparedPages>(std::move(config), std::move(inputs));
}

}  // namespace recirc::app
