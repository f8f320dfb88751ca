#include "model/fletch/log_file.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "sim/error.h"

namespace recirc::model::fletch {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t format = 1;
constexpr std::int64_t application = 0x72636c67;  // "rclg"

struct EventName {
  ActiveLog::Event event;
  const char* name;
};
constexpr std::array event_names{EventName{ActiveLog::Event::admitting, "admitting"},
                                 EventName{ActiveLog::Event::admitted, "admitted"},
                                 EventName{ActiveLog::Event::evicting, "evicting"},
                                 EventName{ActiveLog::Event::released, "released"},
                                 EventName{ActiveLog::Event::switch_empty, "switch_empty"},
                                 EventName{ActiveLog::Event::numbers_agreed, "numbers_agreed"},
                                 EventName{ActiveLog::Event::replayed, "replayed"}};

constexpr const char* tables = R"(
CREATE TABLE run (system TEXT, seed INTEGER, replication INTEGER, state TEXT, first INTEGER);
CREATE TABLE records (number INTEGER PRIMARY KEY, time_ps INTEGER, event TEXT, path INTEGER,
                  key INTEGER, token INTEGER, depth INTEGER, small INTEGER, counter INTEGER,
                  row INTEGER, slots INTEGER, version INTEGER, pipe INTEGER,
                  last_small INTEGER);
CREATE TABLE path_tokens (path INTEGER PRIMARY KEY, name TEXT, key INTEGER, token INTEGER,
                          number INTEGER);
CREATE TABLE hash_tokens (key INTEGER PRIMARY KEY, tokens INTEGER);
)";

/// The columns that a record is read from.
constexpr const char* record_columns =
    "event, path, key, token, depth, small, counter, row, slots, version, number, time_ps, "
    "pipe, last_small";

ActiveLog::Record record_in(const Statement& row, const std::string& file) {
  ActiveLog::Record record;
  const std::string event = row.text(0);
  const auto* const known = std::find_if(event_names.begin(), event_names.end(),
                                         [&](const EventName& e) { return e.name == event; });
  if (known == event_names.end()) {
    throw sim::InputOutputError(file + " has a record of an unknown event '" + event + "'");
  }
  record.event = known->event;
  CachedCopy& entry = record.entry;
  entry.path = workloads::PathId{static_cast<workloads::PathId::rep>(row.integer(1))};
  entry.key = static_cast<workloads::Key>(row.integer(2));
  entry.token = static_cast<std::uint8_t>(row.integer(3));
  entry.depth = static_cast<std::uint8_t>(row.integer(4));
  entry.in_small_table = row.integer(5) != 0;
  entry.location.counter = static_cast<std::uint16_t>(row.integer(6));
  entry.location.row = static_cast<std::uint16_t>(row.integer(7));
  entry.location.slots = static_cast<std::uint16_t>(row.integer(8));
  record.version = static_cast<Version>(row.integer(9));
  entry.pipe = static_cast<std::uint8_t>(row.integer(12));
  entry.last_in_small_table = row.integer(13) != 0;
  return record;
}

constexpr const char* token_columns = "path, key, token";

LogFile::Token token_in(const Statement& row) {
  return {workloads::PathId{static_cast<workloads::PathId::rep>(row.integer(0))},
          static_cast<workloads::Key>(row.integer(1)), static_cast<std::uint8_t>(row.integer(2))};
}

/// What SQLite keeps beside a file while it is written.
constexpr std::array companions{"-wal", "-shm", "-journal"};

std::unique_ptr<Database> make(const LogPlace& place) {
  LogFile::check_place(place.file);
  std::error_code error;  // what cannot be removed cannot be opened either
  fs::remove(place.file, error);
  for (const char* companion : companions) fs::remove(place.file + companion, error);
  auto database = std::make_unique<Database>(place.file, Database::Mode::create);
  // First, so that a file that is cut short is known as ours.
  database->execute(("PRAGMA application_id = " + std::to_string(application)).c_str());
  database->execute(("PRAGMA user_version = " + std::to_string(format)).c_str());
  // What was handed to the system survives a kill of the process; no need to wait for the disk.
  database->execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; BEGIN IMMEDIATE");
  database->execute(tables);
  Statement(*database, "INSERT INTO run VALUES (?, ?, ?, 'running', 1)")
      .bind(place.system)
      .bind(static_cast<std::int64_t>(place.seed))
      .bind(static_cast<std::int64_t>(place.replication))
      .run();
  // It stays open for writing, so that nobody else begins to write.
  database->execute("COMMIT; BEGIN IMMEDIATE");
  return database;
}

}  // namespace

const char* name_of(ActiveLog::Event event) {
  return event_names[static_cast<std::size_t>(event)].name;
}

LogFile::LogFile(const LogPlace& place, const workloads::Namespace& tree,
                 const sim::Scheduler& scheduler)
    : tree_(tree),
      scheduler_(scheduler),
      database_(make(place)),
      insert_record_(*database_,
                     "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      insert_path_(*database_, "INSERT INTO path_tokens VALUES (?, ?, ?, ?, ?)"),
      insert_key_(*database_,
                  "INSERT INTO hash_tokens VALUES (?, ?) "
                  "ON CONFLICT (key) DO UPDATE SET tokens = excluded.tokens") {}

LogFile::~LogFile() {
  if (finished_) return;
  try {
    end_as("interrupted");
  } catch (const sim::InputOutputError&) {
    // The disk is full, say: the error that ended the run has been told, what is committed stays.
    finished_ = true;
  }
}

void LogFile::check_place(const std::string& file) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(file, error);
  if (!fs::exists(status)) return;
  const auto refuse = [&file](const std::string& why) {
    throw sim::InputOutputError("cannot write a controller's log to " + file + ": " + why);
  };
  const std::string foreign = "there is something else of that name, and it is left as it is";
  if (!fs::is_regular_file(status)) refuse(foreign);
  if (fs::file_size(file, error) == 0 && !error) return;
  bool ours = false;
  bool free = false;
  try {
    Database there(file, Database::Mode::replace);
    ours = there.number("PRAGMA application_id") == application;
    free = ours && there.is_free_to_write();
  } catch (const sim::InputOutputError&) {
    refuse(foreign);
  }
  if (!ours) refuse(foreign);
  if (!free) refuse("another run is writing it");
}

void LogFile::append(const ActiveLog::Record& record) {
  const CachedCopy& entry = record.entry;
  insert_record_.bind(static_cast<std::int64_t>(next_++))
      .bind((scheduler_.now() - sim::Time{}).count())
      .bind(name_of(record.event))
      .bind(entry.path.value())
      .bind(static_cast<std::int64_t>(entry.key))
      .bind(entry.token)
      .bind(entry.depth)
      .bind(entry.in_small_table ? 1 : 0)
      .bind(entry.location.counter)
      .bind(entry.location.row)
      .bind(entry.location.slots)
      .bind(record.version)
      .bind(entry.pipe)
      .bind(entry.last_in_small_table ? 1 : 0)
      .run();
  wrote();
}

void LogFile::assigned(workloads::PathId path, workloads::Key key, std::uint8_t token) {
  insert_path_.bind(path.value())
      .bind(tree_.path(path))
      .bind(static_cast<std::int64_t>(key))
      .bind(token)
      .bind(static_cast<std::int64_t>(next_))
      .run();
  insert_key_.bind(static_cast<std::int64_t>(key)).bind(token).run();
  wrote();
}

void LogFile::wrote() {
  if (++uncommitted_ >= most_uncommitted) commit();
}

void LogFile::keep_last(std::uint64_t records) {
  Statement(*database_, "UPDATE run SET first = ?")
      .bind(static_cast<std::int64_t>(next_ - records))
      .run();
  wrote();
}

void LogFile::commit() {
  if (uncommitted_ == 0) return;
  database_->execute("COMMIT; BEGIN IMMEDIATE");
  uncommitted_ = 0;
}

void LogFile::finish() {
  if (!finished_) end_as("finished");
}

void LogFile::end_as(const char* state) {
  Statement(*database_, "UPDATE run SET state = ?").bind(std::string_view(state)).run();
  database_->execute("COMMIT");
  finished_ = true;
  // One plain file, without companions, if nobody reads it now.
  try {
    database_->execute("PRAGMA journal_mode = DELETE");
  } catch (const sim::InputOutputError&) {
    return;
  }
}

std::vector<ActiveLog::Record> LogFile::records() {
  Statement rows(*database_,
                 (std::string("SELECT ") + record_columns +
                  " FROM records WHERE number >= (SELECT first FROM run) ORDER BY number")
                     .c_str());
  std::vector<ActiveLog::Record> records;
  while (rows.step()) records.push_back(record_in(rows, name()));
  return records;
}

std::vector<LogFile::Token> LogFile::tokens() {
  Statement rows(*database_, (std::string("SELECT ") + token_columns +
                              " FROM path_tokens ORDER BY number, token")
                                 .c_str());
  std::vector<Token> tokens;
  while (rows.step()) tokens.push_back(token_in(rows));
  return tokens;
}

// -------------------------------------------------------------------------------- a saved log ----

ActiveLog::Implied SavedLog::implied() const {
  std::vector<ActiveLog::Record> counting;
  for (const Record& record : records) {
    if (record.counts) counting.push_back(record.what);
  }
  return ActiveLog::implied_by(counting);
}

std::string SavedLog::name_of(workloads::PathId path) const {
  const auto found = std::lower_bound(
      paths.begin(), paths.end(), path,
      [](const Path& known, workloads::PathId wanted) { return known.token.path < wanted; });
  if (found == paths.end() || found->token.path != path) return "?";
  return found->name;
}

SavedLog read_log(const std::string& file) {
  Database database(file, Database::Mode::read);
  SavedLog log;
  if (database.number("PRAGMA application_id") != application) {
    throw sim::InputOutputError(file + " is not the log of a controller");
  }
  if (database.number("PRAGMA user_version") != format) {
    throw sim::InputOutputError(file + " is a log that another version of recirc has written");
  }
  // Of one instant, also while it is written.
  database.execute("BEGIN");
  Statement run(database, "SELECT system, seed, replication, state, first FROM run");
  if (!run.step()) throw sim::InputOutputError(file + " was cut short before anything was written");
  log.system = run.text(0);
  log.seed = static_cast<std::uint64_t>(run.integer(1));
  log.replication = static_cast<std::uint64_t>(run.integer(2));
  log.state = run.text(3);
  const auto first = static_cast<std::uint64_t>(run.integer(4));
  Statement rows(
      database,
      (std::string("SELECT ") + record_columns + " FROM records ORDER BY number").c_str());
  while (rows.step()) {
    const auto number = static_cast<std::uint64_t>(rows.integer(10));
    log.records.push_back({number, sim::Time{sim::Duration{rows.integer(11)}},
                           record_in(rows, file), number >= first});
  }
  Statement paths(
      database,
      (std::string("SELECT ") + token_columns + ", name FROM path_tokens ORDER BY path").c_str());
  while (paths.step()) log.paths.push_back({token_in(paths), paths.text(3)});
  return log;
}

}  // namespace recirc::model::fletch
