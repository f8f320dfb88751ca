#include "sim/config/field_info.h"

namespace recirc::sim::config {

std::string to_text(const Provenance& provenance) {
  const std::string text(provenance.text);
  switch (provenance.kind) {
    case Provenance::Kind::control:
      return {};
    case Provenance::Kind::paper:
      return "paper: " + text;
    case Provenance::Kind::measured:
      return "measured: " + text;
    case Provenance::Kind::derived:
      return "derived: " + text;
    case Provenance::Kind::assumed:
      return "assumed (" + std::string(provenance.range) + "): " + text;
    case Provenance::Kind::fitted:
      return (provenance.range.empty() ? "fitted: "
                                       : "fitted (" + std::string(provenance.range) + "): ") +
             text;
  }
  return {};
}

}  // namespace recirc::sim::config
