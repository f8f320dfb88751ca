#pragma once

#include <string_view>

#include "catch.h"
#include "model/result.h"

namespace recirc::model {

/// A figure of a run's summary; fails the test when there is none of that name.
inline double figure(const ReplicationResult& result, std::string_view name) {
  for (const Figure& figure : result.summary) {
    if (figure.name == name) return figure.value;
  }
  FAIL("no figure " << name);
  return 0;
}

}  // namespace recirc::model
