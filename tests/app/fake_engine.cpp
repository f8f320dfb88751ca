#include "fake_engine.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sim/config.h"
#include "sim/error.h"

namespace recirc::app {

using model::experiment::Json;

namespace fake {

struct Run {
  std::uint64_t seed = 1;
  std::uint64_t replications = 3;
};

struct Workload {
  std::uint64_t requests = 1000;
  std::optional<std::string> duration;
};

struct Settings {
  std::string system;
  std::uint64_t servers = 16;
  double zipf = 0.9;
  Workload workload;
  Run run;
};

void describe(sim::config::Visitor& v, Run& r) {
  v.field("seed", r.seed, {.doc = "Seed."});
  v.field("replications", r.replications, {.doc = "Repetitions.", .min = 1, .max = 100});
}

void describe(sim::config::Visitor& v, Workload& w) {
  v.field("requests", w.requests, {.doc = "Requests."});
  v.field("duration", w.duration, {.doc = "Duration."});
}

void describe(sim::config::Visitor& v, Settings& s) {
  v.field("system", s.system, {.doc = "Scheme.", .required = true});
  v.field(
      "servers", s.servers,
      {.doc = "Servers.", .from = sim::config::assumed("a guess", "8..64"), .min = 1, .max = 1000});
  v.field("zipf", s.zipf,
          {.doc = "Skew.", .from = sim::config::assumed("a guess", "any"), .min = 0, .max = 2});
  v.group("workload", s.workload, "Workload.");
  v.group("run", s.run, "Run.");
}

class Prepared final : public model::experiment::PreparedRun {
 public:
  Prepared(Settings settings, std::atomic<int>& runs)
      : settings_(std::move(settings)),
        effective_(sim::config::effective(settings_)),
        runs_(runs) {}
  const Json& effective() const override { return effective_; }
  const Json& provenance() const override { return provenance_; }
  Json program_report() const override { return {}; }
  std::vector<sim::config::VariedField> varied() const override {
    return sim::config::varied_fields(settings_);
  }
  std::string system() const override { return settings_.system; }
  std::uint64_t seed() const override { return settings_.run.seed; }
  std::uint64_t replications() const override { return settings_.run.replications; }
  std::uint64_t operations() const override { return settings_.workload.requests; }

  model::ReplicationResult run(std::uint64_t replication, model::RunControl& control,
                               const std::string& /*log_file*/) const override {
    ++runs_;
    if (settings_.system == "violating") {
      throw sim::ConstraintViolation({"fake", "values", 3, 1, 7}, "was read twice");
    }
    if (settings_.system == "broken") throw sim::InvariantBroken("one operation too many");
    if (settings_.system == "starving") throw std::bad_alloc();
    if (settings_.system == "interrupting" && replication == 1) control.interrupt = true;
    if (control.interrupt) throw sim::Interrupted("");
    control.operations += 1000;
    const double noise = static_cast<double>(replication) / 7;
    const double speed = settings_.system == "fast" ? 2 : 1;
    const double throughput = speed * (static_cast<double>(settings_.servers) + noise) * 1000;
    using Kind = model::Figure::Kind;
    model::ReplicationResult result;
    result.replication = replication;
    result.summary = {
        {"throughput_ops_per_s", throughput, Kind::real},
        {"latency_mean_us", 100 / speed + noise, Kind::real},
        {"ops_completed", 1000, Kind::count},
        {"ops_failed", replication == 2 ? 1.0 : 0.0, Kind::count},
        {"client_limited", 0, Kind::flag},
        {"operations/stat/count", 600 + static_cast<double>(replication), Kind::count}};
    result.phases = {{"steady", {{"throughput_ops_per_s", throughput * 1.1, Kind::real}}}};
    sim::Histogram latency;
    latency.record(100 + static_cast<std::int64_t>(replication));
    result.histograms = {{"latency", "ps", latency}};
    result.series = {{"completions", "1", 0.1, {1.0 / 3, noise}}};
    return result;
  }

 private:
  Settings settings_;
  Json effective_;
  Json provenance_ = {{"/zipf", "paper: fake"}};
  std::atomic<int>& runs_;
};

}  // namespace fake

std::shared_ptr<const model::experiment::PreparedRun> FakeEngine::prepare(
    const sim::config::Document& user) const {
  return std::make_shared<fake::Prepared>(sim::config::read<fake::Settings>(user), runs);
}

Json FakeEngine::schema() const { return {{"type", "object"}}; }

sim::ExitCode Shell::operator()(const std::vector<std::string>& words) {
  std::ostringstream out_stream;
  std::ostringstream err_stream;
  model::RunControl control;
  Environment environment{out_stream, err_stream, engine, false, false, control};
  const sim::ExitCode code = run_command_line(words, environment);
  out = out_stream.str();
  err = err_stream.str();
  return code;
}

Scratch::Scratch() {
  std::string name = (std::filesystem::temp_directory_path() / "recirc-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary directory");
  folder_ = name;
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string Scratch::file(const std::string& name, const std::string& text) const {
  std::ofstream(path(name), std::ios::binary) << text;
  return path(name);
}

std::vector<std::string> Scratch::names() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace recirc::app
