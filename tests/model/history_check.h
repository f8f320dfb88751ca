#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/op_observer.h"
#include "model/simulation.h"

namespace recirc::model::testing {

/// Keeps every state that every path of a small world was in, and holds each answer to a read
/// against them: it must tell of a state that was the last one acknowledged when the read was
/// issued, or a later one. Unlike VersionFloor it sees directories that a create makes, what is
/// gone taken for what is there, and answers from the future.
class HistoryCheck final : public OpObserver {
 public:
  explicit HistoryCheck(Simulation& simulation) : simulation_(simulation) {
    const auto& tree = *simulation_.workload().tree;
    for (std::uint32_t i = 0; i < tree.size(); ++i) {
      const workloads::PathId path{i};
      histories_.push_back({state_of(path, sim::Time{})});
    }
    simulation_.observe(this);
  }

  void happened(Moment moment, const Request& request, RequestHandle /*handle*/) override {
    if (moment == Moment::committed && request.outcome == Outcome::written) note_commit(request);
    if (moment != Moment::completed) return;
    const auto superseding = changed_by_.find(request.operation.index);
    if (superseding != changed_by_.end()) {
      for (const Place& place : superseding->second) supersede(place);
    }
    if (workloads::is_read(request.operation.kind)) check(request);
  }

  /// What was wrong, one line an answer.
  std::vector<std::string> complaints;

 private:
  static constexpr sim::Time never{sim::Duration::max()};
  struct State {
    sim::Time since;
    bool exists = false;
    Version version = 0;
    sim::Time superseded = never;  ///< when the operation that ended it was acknowledged
  };
  struct Place {
    std::uint32_t path;
    std::size_t state;
  };

  State state_of(workloads::PathId path, sim::Time since) {
    return {since, simulation_.state().exists(path), simulation_.state().metadata(path).version};
  }

  static bool makes(workloads::OpKind kind) {
    return kind == workloads::OpKind::create || kind == workloads::OpKind::mkdir;
  }

  /// One operation may change many paths: those below a deleted directory are gone with it.
  void note_commit(const Request& request) {
    for (std::uint32_t i = 0; i < histories_.size(); ++i) {
      const State now = state_of(workloads::PathId{i}, simulation_.scheduler().now());
      const State& last = histories_[i].back();
      if (now.exists == last.exists && now.version == last.version) continue;
      const bool implied = i != request.operation.path.value() && makes(request.operation.kind);
      if (!implied) changed_by_[request.operation.index].push_back({i, histories_[i].size() - 1});
      histories_[i].push_back(now);
    }
  }

  /// Those before it, whose ends nobody has heard of, have ended as well.
  void supersede(const Place& place) {
    for (std::size_t i = 0; i <= place.state; ++i) {
      State& state = histories_[place.path][i];
      state.superseded = std::min(state.superseded, simulation_.scheduler().now());
    }
  }

  void check(const Request& request) {
    if (request.outcome == Outcome::denied) return;
    const bool found = request.outcome != Outcome::error;
    for (const State& state : histories_[request.operation.path.value()]) {
      if (state.superseded < request.issued) continue;
      if (state.exists == found && (!found || state.version == request.version)) return;
    }
    complaints.push_back("operation " + std::to_string(request.operation.index) + " on " +
                         simulation_.workload().tree->path(request.operation.path) + ": " +
                         model::name_of(request.outcome) + ", version " +
                         std::to_string(request.version) + ", issued at " +
                         std::to_string(sim::as_microseconds(request.issued - sim::Time{})) +
                         " us; was:" + text_of(histories_[request.operation.path.value()]));
  }

  static std::string text_of(const std::vector<State>& history) {
    std::string text;
    for (const State& state : history) {
      text += " " + std::to_string(state.version) + (state.exists ? "" : " gone") + " since " +
              std::to_string(sim::as_microseconds(state.since - sim::Time{}));
      if (state.superseded != never) {
        text += " until " + std::to_string(sim::as_microseconds(state.superseded - sim::Time{}));
      }
      text += ";";
    }
    return text;
  }

  Simulation& simulation_;
  std::vector<std::vector<State>> histories_;  ///< by path
  std::map<std::uint64_t, std::vector<Place>> changed_by_;
};

}  // namespace recirc::model::testing
