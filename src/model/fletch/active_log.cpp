#include "model/fletch/active_log.h"

#include "model/fletch/log_file.h"
#include "sim/error.h"
#include "sim/flat_map.h"

namespace recirc::model::fletch {

namespace {

using Event = ActiveLog::Event;
using Path = ActiveLog::Path;

std::uint64_t id_of(const CachedCopy& entry) { return copy_id(entry.path, entry.pipe); }

/// Paths in the order in which they came; those that left stay as gaps until the end.
class Paths {
 public:
  Path* find(const CachedCopy& entry) {
    const std::size_t* at = places_.find(id_of(entry));
    return at == nullptr ? nullptr : &paths_[*at].path;
  }
  Path& add(const ActiveLog::Record& record) {
    places_[id_of(record.entry)] = paths_.size();
    return paths_
        .emplace_back(Place{{record.entry, record.version, record.event == Event::admitting}, true})
        .path;
  }
  void remove(const CachedCopy& entry) {
    const std::size_t* at = places_.find(id_of(entry));
    if (at == nullptr) return;
    paths_[*at].there = false;
    places_.erase(id_of(entry));
  }
  [[nodiscard]] std::vector<Path> all() const {
    std::vector<Path> found;
    for (const Place& place : paths_) {
      if (place.there) found.push_back(place.path);
    }
    return found;
  }

 private:
  struct Place {
    Path path;
    bool there = false;
  };
  std::vector<Place> paths_;
  sim::FlatMap<std::size_t> places_;
};

/// Goes through a log record by record.
class Reading {
 public:
  void read(const ActiveLog::Record& record) {
    switch (record.event) {
      case Event::admitting:
        if (cached_.find(record.entry) == nullptr) cached_.add(record);
        return;
      case Event::admitted:
        return admitted(record);
      case Event::evicting:
        if (Path* path = cached_.find(record.entry)) path->in_doubt = true;
        leaving_[id_of(record.entry)] = 1;
        return;
      case Event::released:
        return released(record.entry);
      case Event::switch_empty:
        return lose_all();
      case Event::numbers_agreed:
        numbers_agreed_ = true;
        return;
      case Event::replayed:
        replays_ = false;
        return;
    }
  }
  [[nodiscard]] ActiveLog::Implied implied() const {
    return {cached_.all(), replays_ ? lost_.all() : std::vector<Path>{}, replays_, numbers_agreed_};
  }

 private:
  void admitted(const ActiveLog::Record& record) {
    Path* path = cached_.find(record.entry);
    if (path == nullptr) path = &cached_.add(record);
    path->in_doubt = false;
    path->version = record.version;
    lost_.remove(record.entry);
  }
  /// A path whose replay was cut short, and that was taken out again, is still to be replayed; one
  /// that was found to be gone is not.
  void released(const CachedCopy& entry) {
    cached_.remove(entry);
    if (!leaving_.erase(id_of(entry))) lost_.remove(entry);
  }
  /// What was in the switch came before what still had to be replayed.
  void lose_all() {
    const std::vector<Path> lost = lost_.all();
    lost_ = {};
    for (const Path& path : cached_.all()) {
      if (!path.in_doubt) lost_.add({Event::admitted, path.entry, path.version});
    }
    for (const Path& path : lost) {
      if (lost_.find(path.entry) == nullptr) {
        lost_.add({Event::admitted, path.entry, path.version});
      }
    }
    cached_ = {};
    leaving_ = {};
    replays_ = true;
    numbers_agreed_ = false;
  }

  Paths cached_;
  Paths lost_;
  sim::FlatMap<char> leaving_;  ///< an eviction has begun
  bool replays_ = false;
  bool numbers_agreed_ = false;
};

}  // namespace

ActiveLog::Implied ActiveLog::implied_by(const std::vector<Record>& records) {
  Reading reading;
  for (const Record& record : records) reading.read(record);
  return reading.implied();
}

void ActiveLog::persist_in(LogFile& file) {
  file_ = &file;
  kept_ = true;
}

void ActiveLog::write(Event event, const CachedCopy& entry, Version version) {
  if (!kept_) return;
  records_.push_back({event, entry, version});
  if (file_ != nullptr) file_->append(records_.back());
  if (event == Event::replayed) begin_anew();
}

void ActiveLog::begin_anew() {
  auto marker = records_.end();
  while (marker != records_.begin() && (marker - 1)->event != Event::switch_empty) --marker;
  records_.erase(records_.begin(), marker);
  if (file_ != nullptr) file_->keep_last(records_.size());
}

void ActiveLog::read_tokens(TokenMap& tokens) {
  if (file_ == nullptr) return;
  TokenMap again;
  bool same = true;
  for (const LogFile::Token& read : file_->tokens()) {
    same = same && again.assign(read.path, read.key) == read.token &&
           tokens.of(read.path) == read.token;
  }
  if (!same || again.paths() != tokens.paths() || again.keys() != tokens.keys()) {
    throw sim::InvariantBroken("the maps of tokens in " + file_->name() +
                               " are not what the controller wrote");
  }
  again.tell(file_);
  tokens = std::move(again);
}

ActiveLog::Implied ActiveLog::read() {
  if (file_ != nullptr) {
    std::vector<Record> read = file_->records();
    if (read != records_) {
      throw sim::InvariantBroken("the controller's log in " + file_->name() +
                                 " is not what the controller wrote");
    }
    records_ = std::move(read);
  }
  return implied_by(records_);
}

}  // namespace recirc::model::fletch
