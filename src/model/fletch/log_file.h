#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/database.h"
#include "model/fletch/active_log.h"
#include "model/fletch/token_map.h"
#include "model/log_place.h"
#include "sim/scheduler.h"

namespace recirc::model::fletch {

const char* name_of(ActiveLog::Event event);

/// The controller's log and maps of tokens in an SQLite file: an output of a run, and what the
/// controller's recovery reads. docs/models/fletch.md has its tables.
///
/// Records are written in transactions of many. What was committed stays readable whatever becomes
/// of the process.
class LogFile final : public TokenSink {
 public:
  /// A path with the token that was given to it.
  struct Token {
    workloads::PathId path;
    workloads::Key key = 0;
    std::uint8_t token = 0;
  };

  /// Replaces an earlier log at that place. Throws InputOutputError.
  LogFile(const LogPlace& place, const workloads::Namespace& tree, const sim::Scheduler& scheduler);
  /// Commits what there is; the file says that the run was cut short unless finish() was called.
  ~LogFile() override;
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  /// Throws InputOutputError when a log cannot be written there: the place is another kind of
  /// file's, or another run is writing it.
  static void check_place(const std::string& file);

  void append(const ActiveLog::Record& record);
  void assigned(workloads::PathId path, workloads::Key key, std::uint8_t token) override;
  /// Only the last `records` count from now on; earlier ones are history.
  void keep_last(std::uint64_t records);
  void commit();
  /// The run is over.
  void finish();

  /// The records that count.
  [[nodiscard]] std::vector<ActiveLog::Record> records();
  /// In the order in which tokens were given.
  [[nodiscard]] std::vector<Token> tokens();
  [[nodiscard]] const std::string& name() const { return database_->file(); }

 private:
  /// Bounds what a kill may lose where the run itself does not commit.
  static constexpr std::uint32_t most_uncommitted = 4096;

  void wrote();
  void end_as(const char* state);

  const workloads::Namespace& tree_;
  const sim::Scheduler& scheduler_;
  std::unique_ptr<Database> database_;
  Statement insert_record_;
  Statement insert_path_;
  Statement insert_key_;
  std::uint64_t next_ = 1;  ///< number of the next record
  std::uint32_t uncommitted_ = 0;
  bool finished_ = false;
};

/// A log that some run has written, or is writing.
struct SavedLog {
  struct Record {
    std::uint64_t number = 0;
    sim::Time at{};
    ActiveLog::Record what;
    bool counts = false;  ///< no history: recoveries go by it
  };
  struct Path {
    LogFile::Token token;
    std::string name;
  };
  std::string system;
  std::uint64_t seed = 0;
  std::uint64_t replication = 0;
  std::string state;  ///< running (or killed), interrupted, finished
  std::vector<Record> records;
  std::vector<Path> paths;  ///< all that ever had a token, by PathId

  [[nodiscard]] ActiveLog::Implied implied() const;
  /// The path's name.
  [[nodiscard]] std::string name_of(workloads::PathId path) const;
};

/// Throws InputOutputError when the file is none.
SavedLog read_log(const std::string& file);

}  // namespace recirc::model::fletch
