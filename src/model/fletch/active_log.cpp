#include "model/fletch/active_log.h"

#include "sim/flat_map.h"

namespace recirc::model::fletch {

std::vector<ActiveLog::Path> ActiveLog::implied() const {
  std::vector<Path> paths;
  std::vector<char> there;
  sim::FlatMap<std::size_t> places;
  for (const Record& record : records_) {
    const std::uint64_t key = std::uint64_t{record.entry.pipe} << 32U | record.entry.path.value();
    if (record.event == Event::admitting ||
        (record.event == Event::admitted && places.find(key) == nullptr)) {
      places[key] = paths.size();
      paths.push_back({record.entry, record.version, true});
      there.push_back(1);
    }
    const std::size_t* place = places.find(key);
    if (place == nullptr) continue;
    Path& path = paths[*place];
    path.in_doubt = record.event != Event::admitted;
    if (record.event == Event::admitted) path.version = record.version;
    if (record.event == Event::released) {
      there[*place] = 0;
      places.erase(key);
    }
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (there[i] != 0) paths[kept++] = paths[i];
  }
  paths.resize(kept);
  return paths;
}

}  // namespace recirc::model::fletch
