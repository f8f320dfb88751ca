#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <tuple>

#include "app/session.h"
#include "app/sweep_result.h"
#include "app/usage_error.h"
#include "app/verbs.h"
#include "model/experiment/point_file.h"

namespace recirc::app {
namespace {

using model::experiment::Json;
using namespace nlohmann::literals;
using model::experiment::PointFile;
using model::experiment::PointRecord;

/// The lines of several point files, each replication once.
class Merge {
 public:
  void add(const std::string& path, std::ostream& notes) {
    const PointFile file = model::experiment::read_point_file(path);
    if (file.header.empty()) {
      throw sim::ConfigError({sim::Issue{path, "holds no sweep", ""}});
    }
    if (header_.empty()) header_ = file.header;
    if (!model::experiment::same_grid(header_, file.header)) {
      throw sim::ConfigError(
          {sim::Issue{path, "holds the points of another grid than the first file", ""}});
    }
    if (file.torn) notes << "note: " << path << " ends with a torn line; left out\n";
    for (const PointRecord& record : file.records) take(record, path);
  }

  [[nodiscard]] std::string text() const {
    std::string text = header_ + "\n";
    for (const auto& [key, record] : records_) text += line_of(record);
    return text;
  }

  [[nodiscard]] SweepResult result() const {
    SweepResult result;
    result.sweep = Json::parse(header_).at("sweep").dump();
    result.build = build_;
    std::map<std::string, std::size_t> index_of;
    std::vector<std::uint64_t> wanted;  // replications of each point
    for (const auto& [key, record] : records_) {
      const auto [at, fresh] = index_of.emplace(std::get<1>(key), result.points.size());
      if (fresh) {
        result.points.push_back({record.parameters, record.config, record.seed, {}, {}});
        wanted.push_back(0);
      }
      result.points[at->second].replications.push_back(record.result);
      wanted[at->second] = std::max(wanted[at->second], replications_of(record));
    }
    const auto sweep = model::experiment::read_sweep(
        sim::config::Document::parse(result.sweep, "the first line"), {}, {});
    result.complete = result.points.size() == model::experiment::points_in(sweep);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (result.points[i].replications.size() < wanted[i]) result.complete = false;
    }
    compare_with_baseline(result);
    return result;
  }

 private:
  /// Points in the order of the grid, whatever the order they were finished in.
  using Key = std::tuple<std::vector<std::size_t>, std::string, std::uint64_t, std::uint64_t>;

  [[nodiscard]] Key key_of(const PointRecord& record) const {
    std::vector<std::size_t> choice;
    const Json parameters = Json::parse(record.parameters);
    const Json grid = Json::parse(header_).at("sweep").at("grid");
    for (const auto& [pointer, values] : grid.items()) {
      std::size_t index = 0;
      while (index < values.size() && parameters.contains(pointer) &&
             values[index] != parameters[pointer]) {
        ++index;
      }
      choice.push_back(index);
    }
    return {choice, model::experiment::identity_of(record.config), record.seed,
            record.result.replication};
  }

  static std::uint64_t replications_of(const PointRecord& record) {
    return Json::parse(record.config).value("/run/replications"_json_pointer, std::uint64_t{0});
  }

  /// What a record says, however many replications its point was to have.
  static std::string line_for_comparison(PointRecord record) {
    record.config = model::experiment::identity_of(record.config);
    return line_of(record);
  }

  void take(const PointRecord& record, const std::string& path) {
    if (build_.empty()) build_ = record.build;
    if (build_ != record.build) {
      throw sim::ConfigError({sim::Issue{
          path, "has points of build " + record.build + ", others are of " + build_, ""}});
    }
    const auto [at, fresh] = records_.emplace(key_of(record), record);
    if (!fresh && line_for_comparison(at->second) != line_for_comparison(record)) {
      throw sim::InputOutputError(path + ": replication " +
                                  std::to_string(record.result.replication) + " of " +
                                  record.parameters + " contradicts an earlier line");
    }
  }

  std::string header_;
  std::string build_;
  std::map<Key, PointRecord> records_;
};

}  // namespace

Options merge_options() {
  return Options("merge",
                 "Joins the point files of one grid, from several machines perhaps.\n"
                 "It checks that a point that stands in two of them says the same, and shows the\n"
                 "table. --out writes the joined point file; sweep --resume can go on with it.")
      .arguments("FILE...", 1, 10'000)
      .common()
      .value("csv", "FILE", "also write a table: a line a point and figure");
}

sim::ExitCode merge_verb(const Parsed& parsed, Environment& environment) {
  refuse_overrides(parsed, "merge");
  const auto out = open_file(parsed, "out");
  const auto csv = open_file(parsed, "csv");
  Merge merge;
  for (const std::string& path : parsed.all(arguments_name)) merge.add(path, environment.err);
  if (out) out->commit(merge.text());
  const SweepResult result = merge.result();
  if (csv) csv->commit(csv_of(result));
  if (parsed.has("json")) {
    environment.out << model::experiment::document_text(document_of(result));
  } else {
    environment.out << table_of(result);
  }
  return sim::ExitCode::fine;
}

}  // namespace recirc::app
