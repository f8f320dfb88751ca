#pragma once

#include <string>
#include <vector>

#include "model/claims/evaluate.h"
#include "model/experiment/engine.h"

namespace recirc::app {

/// What came of all claims under other settings.
struct AlternativeOutcomes {
  const model::claims::Alternative* settings = nullptr;
  std::vector<model::claims::ClaimOutcome> outcomes;  ///< of the same claims
};

/// The claims for people: a line a claim, and one a part where a claim has several. A column an
/// alternative, in which "=" stands for a value that it does not change.
std::string claims_table(const std::vector<model::claims::ClaimOutcome>& outcomes,
                         const std::vector<AlternativeOutcomes>& alternatives);

/// The same as JSON: every value with its interval, what is accepted, and the verdict.
model::experiment::Json claims_document(const std::vector<model::claims::ClaimOutcome>& outcomes);

/// The value that the paper gives, as text: "11 %", "5.1 .. 5.3 MOPS", "withheld".
std::string paper_value(const model::claims::Claim& claim);

}  // namespace recirc::app
