#pragma once

#include <cstdint>
#include <map>

#include "model/op_observer.h"
#include "model/simulation.h"

namespace recirc::model::testing {

/// Holds each answer to a read against the permissions that its path and the directories above had
/// from its issue to its end: it is granted or denied only if it was to be at some time. Reads that
/// were issued while a write waited for its acknowledgement may go either way.
class PermissionCheck final : public OpObserver {
 public:
  explicit PermissionCheck(Simulation& simulation) : simulation_(simulation) {}

  void happened(Moment moment, const Request& request, RequestHandle /*handle*/) override {
    const bool is_read = workloads::is_read(request.operation.kind);
    if (moment == Moment::issued && is_read) {
      Seen& seen = reads_[request.operation.index];
      seen = {request.operation.path, request.user, pending_ != 0, pending_ != 0};
      look(seen);
    } else if (moment == Moment::committed && request.outcome == Outcome::written) {
      ++pending_;
      for (auto& [index, seen] : reads_) look(seen);
    } else if (moment == Moment::completed && is_read) {
      finish(request);
    } else if (moment == Moment::completed && request.outcome == Outcome::written) {
      --pending_;
    }
  }
  unsigned wrong = 0;
  unsigned strict = 0;  ///< reads that could go one way only

 private:
  struct Seen {
    workloads::PathId path;
    UserClass user = UserClass::owner;
    bool granted = false;
    bool denied = false;
  };
  void look(Seen& seen) const {
    const workloads::Namespace& tree = *simulation_.workload().tree;
    bool granted = may(simulation_.state().metadata(seen.path).readable_by, seen.user);
    for (workloads::PathId p = seen.path; tree.depth(p) > 0;) {
      p = tree.parent(p);
      granted = granted && may(simulation_.state().metadata(p).searchable_by, seen.user);
    }
    (granted ? seen.granted : seen.denied) = true;
  }
  void finish(const Request& request) {
    const Seen seen = reads_[request.operation.index];
    reads_.erase(request.operation.index);
    if (request.outcome == Outcome::error) return;
    if (!(request.outcome == Outcome::denied ? seen.denied : seen.granted)) ++wrong;
    if (seen.denied != seen.granted) ++strict;
  }
  Simulation& simulation_;
  std::map<std::uint64_t, Seen> reads_;
  unsigned pending_ = 0;
};

}  // namespace recirc::model::testing
