#include <filesystem>
#include <fstream>
#include <sstream>

#include "catch.h"
#include "pipeline/chip.h"
#include "pipeline/diagnostics.h"
#include "sim/config.h"

namespace recirc::pipeline {
namespace {

std::string shipped(const std::string& name) {
  const std::filesystem::path folder = std::filesystem::path(RECIRC_ROOT) / "configs" / "chips";
  std::ifstream in(folder / (name + ".json"));
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string text_of(const ChipFile& file) {
  std::string text = sim::config::effective_text(file);
  text.push_back('\n');
  return text;
}

TEST_CASE("The shipped chip files say what the compiled-in chips are", "[chip]") {
  CHECK(shipped("tofino1") == text_of(ChipFile{Tofino1{}}));
  CHECK(shipped("tofino2") == text_of(ChipFile{Tofino2{}}));
  CHECK(shipped("rmt2013") == text_of(ChipFile{Rmt2013{}}));
}

TEST_CASE("A configuration names a chip in short or changes single figures", "[chip]") {
  const auto read = [](const char* text) {
    return sim::config::read<ChipFile>(sim::config::Document::parse(text, "test"));
  };
  CHECK(chip_of(read("{}").chip).name == "tofino1");
  CHECK(chip_of(read(R"({"chip": "tofino2"})").chip).stages == 20);
  const ChipFile changed = read(R"({"chip": {"kind": "tofino1", "stages": 10}})");
  CHECK(chip_of(changed.chip).stages == 10);
  CHECK_THROWS_AS(read(R"({"chip": {"kind": "tofino1", "stage": 10}})"), sim::ConfigError);
}

TEST_CASE("Every figure of a chip says where it comes from", "[chip]") {
  ChipFile file;
  std::size_t fields = sim::config::flat(file).size();
  CHECK(sim::config::provenances(file).size() == fields - 2);  // all but kind and name
}

}  // namespace
}  // namespace recirc::pipeline
