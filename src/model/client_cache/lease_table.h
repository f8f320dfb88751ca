#pragma once

#include <algorithm>

#include "model/request.h"
#include "sim/flat_map.h"
#include "sim/time.h"

namespace recirc::model::client_cache {

/// When the leases that servers have granted on directories end. Only the latest end is kept, as in
/// IndexFS: no server knows who holds a lease.
class LeaseTable {
 public:
  void grant(workloads::PathId directory, Version version, sim::Time until) {
    Record& record = records_[directory.value()];
    if (version > record.version) {
      record.older = std::max(record.older, record.latest);
      record.version = version;
      record.latest = until;
    } else {
      // A server that has not heard of the newest version grants leases on the one before.
      sim::Time& end = version == record.version ? record.latest : record.older;
      end = std::max(end, until);
    }
  }
  /// When the last lease on this version, or an older one, ends.
  [[nodiscard]] sim::Time end(workloads::PathId directory, Version version) const {
    const Record* record = records_.find(directory.value());
    if (record == nullptr) return {};
    return record->version <= version ? std::max(record->older, record->latest) : record->older;
  }

 private:
  struct Record {
    Version version = 0;
    sim::Time latest{};  ///< of leases on that version
    sim::Time older{};   ///< of leases on older ones
  };
  sim::FlatMap<Record> records_;
};

}  // namespace recirc::model::client_cache
