#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "workloads/op_source.h"

namespace recirc::workloads {

/// Some of the operations of another source, in its order: what a part of a rotation replays.
///
/// Operations keep their number in the whole workload, and phases are those of the whole workload:
/// an operation is the same whichever part it is replayed in.
class SelectedSource : public OpSource {
 public:
  /// `chosen`: indices of `whole`, ascending.
  SelectedSource(std::shared_ptr<const OpSource> whole, std::vector<std::uint64_t> chosen)
      : whole_(std::move(whole)), chosen_(std::move(chosen)) {}

  [[nodiscard]] std::uint64_t size() const override { return chosen_.size(); }
  [[nodiscard]] Operation at(std::uint64_t i) const override { return whole_->at(chosen_[i]); }
  [[nodiscard]] Operation issued(std::uint64_t i, sim::Time now) const override {
    return whole_->issued(chosen_[i], now);
  }
  [[nodiscard]] std::vector<Phase> phases() const override { return whole_->phases(); }
  [[nodiscard]] std::optional<sim::Duration> recorded_time(std::uint64_t i) const override {
    return whole_->recorded_time(chosen_[i]);
  }
  [[nodiscard]] std::vector<PathId> hottest(std::uint64_t n) const override {
    return whole_->hottest(n);
  }
  [[nodiscard]] PathId earlier(std::uint64_t i) const override { return whole_->earlier(i); }
  [[nodiscard]] bool reaches_below() const override { return whole_->reaches_below(); }

 protected:
  [[nodiscard]] const OpSource& whole() const { return *whole_; }

 private:
  std::shared_ptr<const OpSource> whole_;
  std::vector<std::uint64_t> chosen_;
};

}  // namespace recirc::workloads
