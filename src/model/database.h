#pragma once

#include <cstdint>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace recirc::model {

/// An SQLite file that a run writes, or that was written by one. Whatever fails throws
/// sim::InputOutputError with the file's name. Nothing that is simulated depends on its speed.
class Database {
 public:
  enum class Mode : std::uint8_t {
    create,   ///< made if it is not there
    replace,  ///< must be there; to look whether it may be replaced
    read,
  };

  Database(const std::string& file, Mode mode);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void execute(const char* sql);
  /// The first column of the first row.
  [[nodiscard]] std::int64_t number(const char* sql);
  /// False if another process is writing the file; true and nothing changed otherwise.
  [[nodiscard]] bool is_free_to_write();
  [[nodiscard]] const std::string& file() const { return file_; }

 private:
  friend class Statement;
  [[noreturn]] void fail() const;

  std::string file_;
  sqlite3* handle_ = nullptr;
};

/// A prepared statement. Its parameters are bound in their order.
class Statement {
 public:
  Statement(Database& database, const char* sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(std::int64_t value);
  Statement& bind(std::string_view value);
  /// To the next row; false when there is none, and the statement may be bound again.
  bool step();
  /// For statements without rows.
  void run();
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] std::string text(int column) const;

 private:
  void check(int code) const;

  Database& database_;
  sqlite3_stmt* handle_ = nullptr;
  int bound_ = 0;
};

}  // namespace recirc::model
