#include "app/model_engine.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "app/version.h"
#include "model/config.h"
#include "model/page_config.h"
#include "model/page_simulation.h"
#include "model/page_systems.h"
#include "model/program_report.h"
#include "model/rotation/rotation.h"
#include "model/systems.h"
#include "model/workload.h"
#include "sim/config.h"

namespace recirc::app {
namespace {

using model::experiment::Json;

/// A checked configuration with what it reads from files: what is the same for every kind of
/// system. `Config` is described (sim/config.h) and has `system` and `run`.
template <typename Config, typename Inputs>
class Prepared : public model::experiment::PreparedRun {
 public:
  Prepared(Config config, Inputs inputs, std::string file_read)
      : config_(std::move(config)),
        inputs_(std::move(inputs)),
        file_read_(std::move(file_read)),
        effective_(sim::config::effective(config_)),
        provenance_(Json::object()) {
    for (const auto& [pointer, text] : sim::config::provenances(config_)) {
      provenance_[pointer] = text;
    }
  }

  [[nodiscard]] const Json& effective() const final { return effective_; }
  [[nodiscard]] const Json& provenance() const final { return provenance_; }
  [[nodiscard]] std::vector<sim::config::VariedField> varied() const final {
    return sim::config::varied_fields(config_);
  }
  [[nodiscard]] std::string system() const final { return config_.system; }
  [[nodiscard]] std::string file_read() const final { return file_read_; }
  [[nodiscard]] std::uint64_t seed() const final { return config_.run.seed; }
  [[nodiscard]] std::uint64_t replications() const final { return config_.run.replications; }

 protected:
  [[nodiscard]] const Config& config() const { return config_; }
  [[nodiscard]] const Inputs& inputs() const { return inputs_; }

 private:
  Config config_;
  Inputs inputs_;
  std::string file_read_;
  Json effective_;
  Json provenance_;
};

class PreparedModel final : public Prepared<model::Config, model::Inputs> {
 public:
  using Prepared::Prepared;

  [[nodiscard]] std::uint64_t operations() const override {
    return model::rotation::about_operations(config(), requests());
  }
  [[nodiscard]] std::uint64_t requests() const override {
    return model::operations_of(config().workload, inputs());
  }
  [[nodiscard]] Json program_report() const override {
    return Json(pipeline::to_json(model::program_report(config())));
  }
  [[nodiscard]] bool has_log() const override {
    const model::System* const system = model::find_system(config().system);
    return system != nullptr && system->has_log;
  }
  [[nodiscard]] bool persists() const override { return has_log() && config().controller.persist; }
  void build() const override { model::build(config(), inputs()); }
  model::ReplicationResult run(std::uint64_t replication, model::RunControl& control,
                               const std::string& log_file) const override {
    return model::run(config(), inputs(), replication, control, log_file);
  }
};

class PreparedPages final : public Prepared<model::PageConfig, model::PageInputs> {
 public:
  using Prepared::Prepared;

  [[nodiscard]] std::uint64_t operations() const override {
    return config().workload.duration
               ? 0
               : workloads::operations_of(config().workload, inputs().trace.get());
  }
  [[nodiscard]] const char* requests_pointer() const override { return "/workload/operations"; }
  [[nodiscard]] Json program_report() const override {
    const auto report = model::program_report(config());
    return report ? Json(pipeline::to_json(*report)) : Json::object();
  }
  void build() const override { const model::PageSimulation built(config(), 0, inputs()); }
  model::ReplicationResult run(std::uint64_t replication, model::RunControl& control,
                               const std::string& /*log_file*/) const override {
    return model::run_pages(config(), replication, control, inputs());
  }
};

/// The file that the setting `pointer` names, "" if it names none.
std::string file_named_by(const sim::config::Document& user, const char* pointer) {
  const std::string file = user.text_at(pointer);
  if (file.empty()) return file;
  return model::find_log(file, user.folder_of(pointer), pointer).string();
}

std::shared_ptr<const model::experiment::PreparedRun> prepare_pages(
    const sim::config::Document& user) {
  model::PageConfig config = model::read_page_config(user);
  model::PageInputs inputs =
      model::load_page_inputs(config, user.folder_of(model::page_trace_pointer));
  return std::make_shared<PreparedPages>(std::move(config), std::move(inputs),
                                         file_named_by(user, model::page_trace_pointer));
}

}  // namespace

model::Inputs ModelEngine::inputs_of(const model::Config& config,
                                     const std::filesystem::path& folder) const {
  const auto& trace = config.workload.trace;
  if (!trace) return model::load_inputs(config.workload);
  // Points of a sweep that replay one log share it: it may be larger than everything else.
  const TraceKey key{model::find_log(trace->file, folder).string(), static_cast<int>(trace->format),
                     trace->strict};
  const std::lock_guard lock(mutex_);
  auto& known = traces_[key];
  model::Inputs inputs{known.lock()};
  if (inputs.trace == nullptr) {
    inputs = model::load_inputs(config.workload, folder);
    known = inputs.trace;
  }
  return inputs;
}

std::shared_ptr<const model::experiment::PreparedRun> ModelEngine::prepare(
    const sim::config::Document& user) const {
  if (model::find_page_system(user.text_at("/system")) != nullptr) return prepare_pages(user);
  auto config = model::read_config(user);
  model::Inputs inputs = inputs_of(config, user.folder_of(model::log_pointer));
  return std::make_shared<PreparedModel>(std::move(config), std::move(inputs),
                                         file_named_by(user, model::log_pointer));
}

Json ModelEngine::schema() const {
  const auto part = [](Json schema) {
    schema.erase("$schema");
    return schema;
  };
  const auto pages = model::page_system_names();
  const Json caches_pages = {
      {"properties",
       {{"system", {{"enum", std::vector<std::string>(pages.begin(), pages.end())}}}}},
      {"required", {"system"}}};
  return {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
          {"title", "A configuration of recirc"},
          {"type", "object"},
          {"if", caches_pages},
          {"then", part(sim::config::schema<model::PageConfig>("A file system with a page cache"))},
          {"else", part(sim::config::schema<model::Config>("A metadata service"))}};
}

std::string ModelEngine::reference() const {
  return sim::config::reference<model::Config>("Configuration of metadata services") + "\n" +
         sim::config::reference<model::PageConfig>(
             "Configuration of file systems with page caches");
}

std::string ModelEngine::revision() const { return std::string(app::revision()); }

}  // namespace recirc::app
