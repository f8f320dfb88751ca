#pragma once

#include <map>
#include <string>

#include "model/claims/evaluate.h"

namespace recirc::model::claims {

/// From an operand to the configuration that has to be run for it.
class Evaluation::Resolver {
 public:
  Resolver(const Bindings& bindings, const experiment::Engine& engine,
           const experiment::Scale& scale, std::vector<std::string> overrides,
           const Alternative* alternative)
      : bindings_(bindings),
        engine_(engine),
        scale_(scale),
        overrides_(std::move(overrides)),
        alternative_(alternative) {}

  struct Resolved {
    Needed needed;
    std::string why_not;  ///< not empty: it cannot be run, and why
    bool later = false;   ///< `needed` has to be finished first
  };
  Resolved resolve(const Operand& operand, const Variation& variation, const Finished& finished);

 private:
  struct Base {
    sim::config::Document document;
    std::vector<std::string> axes;  ///< of a sweep: settings that an operand has to choose
    std::string why_not;
  };
  const Base& base_of(const RunBinding& run);
  sim::config::Document document_of(const Base& base, const RunBinding& run, const Operand& operand,
                                    const Variation& variation) const;
  Resolved saturated(const sim::config::Document& document, const Operand& operand,
                     const Variation& variation, const Finished& finished);
  Needed prepare(sim::config::Document document, const RunBinding& binding) const;

  const Bindings& bindings_;
  const experiment::Engine& engine_;
  const experiment::Scale& scale_;
  std::vector<std::string> overrides_;
  const Alternative* alternative_;
  std::map<std::string, Base> bases_;
  std::map<std::string, Resolved> known_;
};

}  // namespace recirc::model::claims
