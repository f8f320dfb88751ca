#include "sim/error.h"

#include <utility>

namespace recirc::sim {
namespace {

std::string text_of(const std::vector<Issue>& issues) {
  std::string text;
  for (const Issue& issue : issues) {
    if (!text.empty()) text += '\n';
    if (!issue.pointer.empty()) text += issue.pointer + ": ";
    text += issue.message;
    if (!issue.suggestion.empty()) text += " (" + issue.suggestion + ")";
  }
  return text;
}

std::string text_of(const ConstraintViolation::Where& where, const std::string& what) {
  std::string text = "program '" + where.program + "'";
  if (!where.array.empty()) text += ", '" + where.array + "'";
  if (where.stage >= 0) text += ", stage " + std::to_string(where.stage);
  return text + ", pass " + std::to_string(where.pass) + " of packet " +
         std::to_string(where.packet) + ": " + what;
}

}  // namespace

ConfigError::ConfigError(std::vector<Issue> issues)
    : std::runtime_error(text_of(issues)), issues_(std::move(issues)) {}

ConfigError::ConfigError(std::string pointer, std::string message, std::string suggestion)
    : ConfigError({Issue{std::move(pointer), std::move(message), std::move(suggestion)}}) {}

ConstraintViolation::ConstraintViolation(Where where, const std::string& what_happened)
    : std::runtime_error(text_of(where, what_happened)), where_(std::move(where)) {}

ConstraintViolation::ConstraintViolation(const ConstraintViolation& other,
                                         const std::string& remark)
    : std::runtime_error(other.what() + remark), where_(other.where_) {}

}  // namespace recirc::sim
