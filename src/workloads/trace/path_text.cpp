#include "workloads/trace/path_text.h"

#include "workloads/namespace.h"

namespace recirc::workloads::trace {
namespace {

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// What follows the host in "scheme://host/path"; other texts as they are.
std::string_view without_scheme(std::string_view text) {
  std::size_t letters = 0;
  while (letters < text.size() && is_letter(text[letters])) ++letters;
  if (letters == 0 || !text.substr(letters).starts_with("://")) return text;
  const std::size_t slash = text.find('/', letters + 3);
  return slash == std::string_view::npos ? std::string_view{"/"} : text.substr(slash);
}

/// Length of the UTF-8 character at the start of `text`, 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xc2 ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf5 ? 4
                                            : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // Overlong forms, surrogates and values over U+10FFFF are no characters.
  if (first == 0xe0 && byte(1) < 0xa0) return 0;
  if (first == 0xed && byte(1) > 0x9f) return 0;
  if (first == 0xf0 && byte(1) < 0x90) return 0;
  if (first == 0xf4 && byte(1) > 0x8f) return 0;
  return length;
}

}  // namespace

PathCheck normalise(std::string_view text, std::string& out) {
  out.clear();
  if (text.empty() || text == "null") return PathCheck::none;
  text = without_scheme(text);
  if (text.empty() || text.front() != '/') return PathCheck::unusable;
  unsigned depth = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t slash = text.find('/', at);
    const std::string_view part = text.substr(at, slash - at);
    at = slash == std::string_view::npos ? text.size() : slash + 1;
    if (part.empty() || part == ".") continue;
    if (part == "..") return PathCheck::unusable;
    if (part.size() > longest_name) return PathCheck::oversize_name;
    if (++depth > max_depth) return PathCheck::too_deep;
    out.push_back('/');
    out.append(part);
  }
  if (out.empty()) out.push_back('/');
  return PathCheck::fine;
}

std::string printable(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text.front());
    std::size_t length = utf8_length(text);
    if (length == 0 || byte < 0x20 || byte == 0x7f) {
      length = 1;
      out += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace recirc::workloads::trace
