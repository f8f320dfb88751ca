#include "model/database.h"

#include <sqlite3.h>

#include "sim/error.h"

namespace recirc::model {

namespace {

int flags_of(Database::Mode mode) {
  switch (mode) {
    case Database::Mode::create:
      return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    case Database::Mode::replace:
      return SQLITE_OPEN_READWRITE;
    case Database::Mode::read:
      break;
  }
  return SQLITE_OPEN_READONLY;
}

}  // namespace

Database::Database(const std::string& file, Mode mode) : file_(file) {
  // One thread at a time uses it: its own simulation's.
  const int code =
      sqlite3_open_v2(file.c_str(), &handle_, flags_of(mode) | SQLITE_OPEN_NOMUTEX, nullptr);
  if (code == SQLITE_OK) return;
  const std::string why = handle_ == nullptr ? "out of memory" : sqlite3_errmsg(handle_);
  sqlite3_close(handle_);
  throw sim::InputOutputError("cannot open " + file + ": " + why);
}

Database::~Database() { sqlite3_close(handle_); }

void Database::fail() const {
  throw sim::InputOutputError("cannot use " + file_ + ": " + sqlite3_errmsg(handle_));
}

void Database::execute(const char* sql) {
  if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

std::int64_t Database::number(const char* sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.integer(0) : 0;
}

bool Database::is_free_to_write() {
  const int code = sqlite3_exec(handle_, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr);
  if (code == SQLITE_BUSY || code == SQLITE_LOCKED) return false;
  if (code != SQLITE_OK) fail();
  execute("ROLLBACK");
  return true;
}

Statement::Statement(Database& database, const char* sql) : database_(database) {
  check(sqlite3_prepare_v2(database.handle_, sql, -1, &handle_, nullptr));
}

Statement::~Statement() { sqlite3_finalize(handle_); }

void Statement::check(int code) const {
  if (code != SQLITE_OK) database_.fail();
}

Statement& Statement::bind(std::int64_t value) {
  check(sqlite3_bind_int64(handle_, ++bound_, value));
  return *this;
}

Statement& Statement::bind(std::string_view value) {
  check(sqlite3_bind_text(handle_, ++bound_, value.data(), static_cast<int>(value.size()),
                          SQLITE_TRANSIENT));
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  bound_ = 0;
  check(sqlite3_reset(handle_));
  if (code != SQLITE_DONE) database_.fail();
  return false;
}

void Statement::run() {
  while (step()) {
  }
}

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(handle_, column); }

std::string Statement::text(int column) const {
  const unsigned char* const text = sqlite3_column_text(handle_, column);
  if (text == nullptr) return {};
  return {reinterpret_cast<const char*>(text),
          static_cast<std::size_t>(sqlite3_column_bytes(handle_, column))};
}

}  // namespace recirc::model
