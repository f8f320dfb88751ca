#include "sim/config/suggestion.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace recirc::sim::config {
namespace {

constexpr std::size_t longest_word = 64;
constexpr std::size_t most_listed = 40;

/// Edits between two words: optimal string alignment, on three rows.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

}  // namespace

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.empty() || word.size() > longest_word) return {};
  const std::size_t tolerated = std::clamp<std::size_t>(word.size() / 3, 1, 4);
  std::size_t best = tolerated + 1;
  std::string_view found;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > word.size() + tolerated) continue;
    if (candidate.size() + tolerated < word.size()) continue;
    if (const std::size_t edits = distance(word, candidate); edits < best) {
      best = edits;
      found = candidate;
    }
  }
  if (!found.empty() || word.size() < 3) return found;
  for (const std::string_view candidate : candidates) {
    if (!candidate.starts_with(word)) continue;
    if (!found.empty()) return {};
    found = candidate;
  }
  return found;
}

std::string suggest(std::string_view word, std::span<const std::string_view> candidates,
                    std::string_view lead) {
  if (const std::string_view found = nearest(word, candidates); !found.empty()) {
    return fmt::format("did you mean \"{}\"?", found);
  }
  if (candidates.empty()) return {};
  std::string text(lead);
  std::size_t listed = 0;
  for (const std::string_view candidate : candidates) {
    if (listed == most_listed) return text + fmt::format(", … ({} in all)", candidates.size());
    text += (listed++ == 0 ? " " : ", ") + std::string(candidate);
  }
  return text;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string out = "\"";
  std::size_t end = std::min(text.size(), longest);
  // Never cut inside a character.
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
    --end;
  }
  for (const char c : text.substr(0, end)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += '\\';
    if (byte < 0x20 || byte == 0x7F) {
      out += fmt::format("\\u{:04x}", byte);
    } else {
      out += c;
    }
  }
  return out + (end < text.size() ? "…\"" : "\"");
}

std::size_t first_invalid_utf8(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  for (std::size_t i = 0; i < text.size();) {
    const unsigned char lead = byte(i);
    std::size_t more = 0;
    unsigned char low = 0x80;
    unsigned char high = 0xBF;
    if (lead >= 0xC2 && lead <= 0xDF) more = 1;
    if (lead >= 0xE0 && lead <= 0xEF) more = 2;
    if (lead >= 0xF0 && lead <= 0xF4) more = 3;
    if (lead >= 0x80 && more == 0) return i;
    // Overlong forms, surrogates and what lies beyond U+10FFFF show in the second byte.
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
    if (i + more >= text.size()) return i;
    for (std::size_t k = 1; k <= more; ++k) {
      if (byte(i + k) < low || byte(i + k) > high) return i;
      low = 0x80;
      high = 0xBF;
    }
    i += 1 + more;
  }
  return std::string_view::npos;
}

}  // namespace recirc::sim::config
