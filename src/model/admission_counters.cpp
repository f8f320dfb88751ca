#include "model/admission_counters.h"

#include <algorithm>

namespace recirc::model {

void report_admissions(const AdmissionCounters& counted, ReplicationResult& result) {
  const auto add = [&result](const char* name, std::uint64_t value) {
    result.summary.push_back(count_figure(name, value));
  };
  add("controller/admissions", counted.admissions);
  const auto admitted = static_cast<double>(std::max<std::uint64_t>(counted.admissions, 1));
  result.summary.push_back(
      {"controller/admission_mean_us", sim::as_microseconds(counted.admission_time) / admitted});
  add("controller/evictions", counted.evictions);
  add("controller/evictions_of_gone", counted.evictions_of_gone);
  add("controller/reports", counted.reports);
  add("controller/repeated_reports", counted.repeated_reports);
  add("controller/dropped_reports", counted.dropped_reports);
  add("controller/missing_paths", counted.missing_paths);
  add("controller/colder_newcomers", counted.colder_newcomers);
}

}  // namespace recirc::model
