#pragma once

#include <memory>
#include <vector>

#include "sim/rng.h"
#include "workloads/namespace.h"
#include "workloads/op_source.h"

namespace recirc::workloads {

/// The operations of another source on other paths: those at one depth that a cache of the hottest
/// files holds, files and directories alike, each as likely as any other. The switch's peak is
/// measured with reads of such paths (Fletch §IX-B: a random cached path at a depth).
///
/// A stat of a directory becomes a statdir. Nothing else of an operation changes.
class CachedPathsSource final : public OpSource {
 public:
  /// The paths at `depth` among the `files` hottest files of `whole` and their ancestors. Throws
  /// ConfigError when there is none. `tree` must outlive it.
  CachedPathsSource(std::shared_ptr<const OpSource> whole, const Namespace& tree, unsigned depth,
                    std::uint64_t files, const sim::RngFactory& rng);

  [[nodiscard]] std::uint64_t size() const override { return whole_->size(); }
  [[nodiscard]] Operation at(std::uint64_t i) const override;
  [[nodiscard]] std::vector<Phase> phases() const override { return whole_->phases(); }
  [[nodiscard]] std::vector<PathId> hottest(std::uint64_t n) const override {
    return whole_->hottest(n);
  }

 private:
  std::shared_ptr<const OpSource> whole_;
  const Namespace& tree_;
  sim::CounterRng rng_;
  std::vector<PathId> paths_;
};

}  // namespace recirc::workloads
