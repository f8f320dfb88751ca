#include "sim/config/document.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/config/json_text.h"

namespace recirc::sim::config {

using Json = nlohmann::ordered_json;

Document::Document() : root_(std::make_unique<Json>(Json::object())), name_("configuration") {}
Document::Document(const Document& other)
    : root_(std::make_unique<Json>(*other.root_)),
      name_(other.name_),
      issues_(other.issues_),
      begun_(other.begun_),
      folder_(other.folder_),
      overridden_(other.overridden_),
      effective_(other.effective_) {}
Document& Document::operator=(const Document& other) { return *this = Document(other); }
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;
Document::~Document() = default;

Document Document::parse(std::string_view text, const std::string& name) {
  Document document;
  document.name_ = name;
  *document.root_ = parse_json(text, name, document.issues_);
  return document;
}

Document Document::load(const std::filesystem::path& path) {
  const std::string name = path.string();
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown)) {
    throw InputOutputError("cannot read '" + name + "': it is a directory");
  }
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputOutputError("cannot read '" + name + "': " + std::strerror(errno));
  // One byte more than allowed shows that a file is too large, whatever its size claims to be.
  std::string text(most_document_bytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad()) throw InputOutputError("cannot read '" + name + "': reading failed");
  text.resize(static_cast<std::size_t>(in.gcount()));
  Document document = parse(text, name);
  document.folder_ = path.parent_path();
  return document;
}

std::string Document::text_at(std::string_view pointer) const {
  try {
    const Json::json_pointer at{std::string(pointer)};
    if (!root_->contains(at)) return {};
    const Json& value = root_->at(at);
    return value.is_string() ? value.get<std::string>() : std::string{};
  } catch (const Json::exception&) {
    return {};
  }
}

std::filesystem::path Document::folder_of(std::string_view pointer) const {
  while (!pointer.empty()) {
    const auto found = overridden_.find(std::string(pointer));
    if (found != overridden_.end()) return found->second;
    pointer = pointer.substr(0, pointer.rfind('/'));
  }
  return folder_;
}

bool Document::begun_by_override(const std::string& pointer) const {
  return begun_.count(pointer) != 0;
}

std::string escape_pointer(std::string_view key) {
  std::string out;
  for (const char c : key) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace recirc::sim::config
