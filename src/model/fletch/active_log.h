#pragma once

#include <cstdint>
#include <vector>

#include "model/fletch/cache_directory.h"
#include "model/metadata.h"

namespace recirc::model::fletch {

class LogFile;

/// The controller's log, written ahead of what it does to the switch (docs/decisions/0031). It
/// survives the controller.
class ActiveLog {
 public:
  enum class Event : std::uint8_t {
    admitting,  ///< a path is about to be brought into the switch
    admitted,
    evicting,        ///< its lookup entries are about to be removed
    released,        ///< its room is free
    switch_empty,    ///< the switch has lost all: what was in it is to be replayed
    numbers_agreed,  ///< switch and servers have the same sequence numbers
    replayed,        ///< all is back
  };
  struct Record {
    Event event = Event::admitting;
    CachedCopy entry;     ///< of no path in the last three
    Version version = 0;  ///< of the metadata, when admitted
    bool operator==(const Record&) const = default;
  };
  /// A path that the log says is in the switch.
  struct Path {
    CachedCopy entry;
    Version version = 0;
    bool in_doubt = false;  ///< its admission or eviction had begun and not ended
  };
  /// What records imply.
  struct Implied {
    std::vector<Path> paths;      ///< in the order of admission: ancestors before descendants
    std::vector<Path> to_replay;  ///< were in the switch before it lost all; likewise
    bool replays = false;         ///< the switch has lost all, and not all of it is back
    bool numbers_agreed = false;  ///< since then
  };
  static Implied implied_by(const std::vector<Record>& records);

  explicit ActiveLog(bool kept) : kept_(kept) {}

  /// From now on each record also goes to a file, and recoveries read it there.
  void persist_in(LogFile& file);

  void write(Event event, const CachedCopy& entry, Version version = 0);
  /// One of the events that are about the switch as a whole. When all is replayed, the log begins
  /// anew: with the first record after the loss.
  void write(Event event) { write(event, CachedCopy{}); }

  [[nodiscard]] const std::vector<Record>& records() const { return records_; }
  /// Reads the log. Throws InvariantBroken if the file does not say what was written.
  [[nodiscard]] Implied read();
  /// Makes the maps of tokens anew from the file, if there is one. Throws as read().
  void read_tokens(TokenMap& tokens);

 private:
  void begin_anew();

  bool kept_;
  LogFile* file_ = nullptr;
  std::vector<Record> records_;
};

}  // namespace recirc::model::fletch
