#include <filesystem>
#include <fstream>
#include <random>

#include "catch.h"
#include "config_fixture.h"

using namespace fixture;
using recirc::sim::ConfigError;
using recirc::sim::InputOutputError;
using Lines = std::vector<std::string>;

namespace {

std::string refusal(const std::string& text) {
  const Lines lines = issues_of(text);
  REQUIRE(lines.size() == 1);
  return lines.front();
}

bool has(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("A syntax error is reported with line and column") {
  CHECK(has(refusal("{\"a\": [\n  1,}"), "test.json, line 2, column 5: unexpected '}'"));
  CHECK(has(refusal("{\"é\": NaN}"), "line 1, column 7: invalid literal"));
  CHECK(has(refusal("{\"a\": 1} x"), "line 1, column 10"));
  CHECK(has(refusal("{\"a\": 1e400}"), "number overflow"));
  CHECK(has(refusal("{\"a\""), "unexpected end of input"));
  CHECK(has(refusal("{} /* open"), "missing closing"));
  CHECK(has(refusal("{\"a\": Infinity}"), "invalid literal"));
}

TEST_CASE("What is no UTF-8 text is refused by name") {
  CHECK(has(refusal(""), "is empty"));
  CHECK(has(refusal(" \n"), "is empty"));
  CHECK(has(refusal("\xEF\xBB\xBF{}"), "byte order mark"));
  CHECK(has(refusal(std::string("\xFF\xFE{\0", 4)), "UTF-16"));
  CHECK(has(refusal("{\"note\": \"\xC3\x28\"}"), "column 11: the byte 0xC3 is no UTF-8"));
  CHECK(has(refusal("{\"note\": \"\xED\xA0\x80\"}"), "0xED"));
  CHECK(has(refusal("{\"note\": \"\xF5\x80\x80\x80\"}"), "0xF5"));
  CHECK(has(refusal("{\"note\": \"\xC0\x80\"}"), "0xC0"));
  CHECK(has(refusal("{\"note\": \"\xE2\x82"), "0xE2"));
  CHECK(issues_of("{\"note\": \"€ 😀 é\"}").empty());
}

TEST_CASE("Another document than an object is refused") {
  CHECK(refusal("[]") == ": must be an object {…}, found a list");
  CHECK(refusal("3") == ": must be an object {…}, found 3");
}

TEST_CASE("Deep nesting is refused without using the stack") {
  const std::string deep(1'000'000, '[');
  CHECK(has(refusal("{\"note\": " + deep), "nests deeper than 64 levels"));
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  CHECK(has(refusal(objects), "nests deeper than 64 levels"));
}

TEST_CASE("Duplicate keys are found at every depth, in lists and below duplicates") {
  CHECK(issues_of(R"({"client": {"window": 1, "window": 2}})").front() ==
        "/client/window: this key comes twice in its object (keep one)");
  CHECK(issues_of(R"({"more_clients": [{}, {"window": 9, "window": 9}]})").front() ==
        "/more_clients/1/window: this key comes twice in its object (keep one)");
  CHECK(issues_of(R"({"client": {}, "client": {"window": 1, "window": 2}})").size() == 2);
}

TEST_CASE("Files that cannot be read are input errors, and their content a config error") {
  using config::Document;
  const auto folder = std::filesystem::temp_directory_path() /
                      ("recirc_config_" + std::to_string(std::random_device{}()));
  std::filesystem::create_directory(folder);
  CHECK_THROWS_AS(Document::load(folder), InputOutputError);
  CHECK_THROWS_AS(Document::load(folder / "none.json"), InputOutputError);
  std::ofstream(folder / "good.json") << R"({"workers": 3})";
  CHECK(config::read<World>(Document::load(folder / "good.json")).workers == 3);
  std::ofstream(folder / "bad.json") << "{";
  CHECK_THROWS_AS(Document::load(folder / "bad.json"), ConfigError);
  std::ofstream(folder / "large.json") << std::string(config::most_document_bytes + 5, ' ') << "{}";
  CHECK_THROWS_AS(Document::load(folder / "large.json"), ConfigError);
  std::filesystem::remove_all(folder);
}

TEST_CASE("The text at a pointer is known before any struct is read") {
  const auto document =
      config::Document::parse(R"({"system": "fletch", "n": 3, "a": {"b": "c"}})", "test");
  CHECK(document.text_at("/system") == "fletch");
  CHECK(document.text_at("/a/b") == "c");
  CHECK(document.text_at("/n").empty());
  CHECK(document.text_at("/none/x").empty());
  CHECK(document.text_at("broken").empty());
}

TEST_CASE("Garbage is refused or read, but never more than that") {
  std::mt19937 random(7);
  const std::string seed =
      R"({"workers": 2.5, "law": {"kind": "lognormal", "sigma": 1e9}, "client": {"timeout": "3s"},
         "delays": ["1us", null], "note": "\u00e9", "seed": 99999999999999999999} // x)";
  const std::string alphabet = "{}[]\",:0123456789.eE+-truefalsn/*\\u\xC3\xA9\xFF \n";
  for (int round = 0; round < 20'000; ++round) {
    std::string text = round % 4 == 0 ? std::string{} : seed;
    const std::size_t edits = 1 + random() % 12;
    for (std::size_t i = 0; i < edits; ++i) {
      const std::size_t at = random() % (text.size() + 1);
      const char c = alphabet[random() % alphabet.size()];
      if (random() % 3 == 0 && at < text.size()) {
        text.erase(at, 1 + random() % 5);
      } else if (random() % 2 == 0 && at < text.size()) {
        text[at] = c;
      } else {
        text.insert(at, 1 + random() % 3, c);
      }
    }
    // Anything but ConfigError ends the test; messages must be text that JSON output can hold.
    for (const std::string& line : issues_of(text)) {
      CHECK_NOTHROW(nlohmann::json(line).dump());
    }
  }
}
