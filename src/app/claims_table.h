#pragma once

#include <string>
#include <vector>

#include "model/claims/evaluate.h"
#include "model/experiment/engine.h"

namespace recirc::app {

/// The claims for people: a line a claim, and one a part where a claim has several.
std::string claims_table(const std::vector<model::claims::ClaimOutcome>& outcomes);

/// The same as JSON: every value with its interval, what is accepted, and the verdict.
model::experiment::Json claims_document(const std::vector<model::claims::ClaimOutcome>& outcomes);

/// The value that the paper gives, as text: "11 %", "5.1 .. 5.3 MOPS", "withheld".
std::string paper_value(const model::claims::Claim& claim);

}  // namespace recirc::app
