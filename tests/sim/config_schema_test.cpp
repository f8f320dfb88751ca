#include <regex>

#include "catch.h"
#include "config_fixture.h"

using namespace fixture;

TEST_CASE("The schema states type, range, default and description of a field") {
  const auto schema = config::schema<World>("A world");
  CHECK(schema["$schema"] == "https://json-schema.org/draft/2020-12/schema");
  CHECK(schema["additionalProperties"] == false);
  const auto& workers = schema["properties"]["workers"];
  CHECK(workers["type"] == "integer");
  CHECK(workers["minimum"] == 1);
  CHECK(workers["maximum"] == 4096);
  CHECK(workers["default"] == 20);
  CHECK(workers["$comment"] == "paper: §2");
  CHECK(schema["properties"]["seed"]["maximum"] == 18'446'744'073'709'551'615U);
  CHECK(schema["properties"]["loop"]["enum"].dump() == R"(["cable","native","none"])");
  CHECK(schema["properties"]["system"]["enum"].size() == 2);
  CHECK(schema["properties"]["client"]["additionalProperties"] == false);
  CHECK(schema["properties"]["weights"]["minItems"] == 3);
  CHECK(schema["properties"]["store_time"]["description"] ==
        "Time of one operation. Range: 1ns to 10s.");
}

TEST_CASE("A choice in the schema is a bare name or an object of its kind") {
  const auto choice = config::schema<World>("A world")["properties"]["law"];
  CHECK(choice["default"].dump() == R"({"kind":"exponential"})");
  REQUIRE(choice["oneOf"].size() == 4);
  CHECK(choice["oneOf"][0]["enum"].dump() == R"(["exponential","lognormal"])");
  CHECK(choice["oneOf"][3]["properties"]["kind"]["const"] == "trace");
  CHECK(choice["oneOf"][3]["required"].dump() == R"(["kind","file"])");
}

TEST_CASE("The defaults of a choice's kind survive the look at the other kinds") {
  World world;
  world.law = Lognormal{1.25};
  const auto choice = config::schema<World>("A world", world)["properties"]["law"];
  CHECK(choice["oneOf"][1]["properties"]["sigma"]["default"] == 1.25);
  const std::string reference = config::reference<World>("A world", world);
  CHECK(reference.find("| `/law/sigma` | number | `1.25` | 0 to 3 |") != std::string::npos);
}

TEST_CASE("The pattern of a quantity accepts what the reader accepts") {
  const auto schema = config::schema<World>("A world");
  const auto accepts = [&schema](const char* field, const std::string& text) {
    const std::string pattern = schema["properties"][field]["pattern"];
    const bool matches = std::regex_search(text, std::regex(pattern));
    const bool read = issues_of("{\"" + std::string(field) + "\": \"" + text + "\"}").empty();
    CHECK(matches == read);
    return matches;
  };
  CHECK(accepts("store_time", "1.5us"));
  CHECK(accepts("store_time", "2 ms"));
  CHECK_FALSE(accepts("store_time", "2"));
  CHECK_FALSE(accepts("store_time", "2e3us"));
  CHECK_FALSE(accepts("store_time", "-2us"));
  CHECK(accepts("buffer", "4MiB"));
  CHECK_FALSE(accepts("buffer", "4mb"));
  CHECK(accepts("rate", "100Gbps"));
}

TEST_CASE("The reference has one line a field and says what limits do") {
  const std::string reference = config::reference<World>("All fields");
  const auto has = [&reference](const std::string& part) {
    INFO(part);
    return reference.find(part) != std::string::npos;
  };
  CHECK(has("# All fields\n"));
  CHECK(has("| `/workers` | integer | `20` | 1 to 4096 | paper: §2 | Front-end \\| threads. |"));
  CHECK(has("## `/client`\n\nA client.\n"));
  CHECK(has("Most requests in flight. Limit (metric): reaching it is counted."));
  CHECK(has("Limit (error): reaching it ends the run."));
  CHECK(has("| `/more_clients` | list: object | `[]` |"));
  CHECK(has("## `/more_clients/N`"));
  CHECK(has("### `/law`, kind `lognormal`\n\nHeavy-tailed.\n"));
  CHECK(has("assumed (0.1..1): the paper is silent"));
  CHECK(has("| `/law/file` | text | required |"));
  CHECK(has("| `/cap` | count, or null | `null` |"));
  CHECK(has("| `/weights` | list of 3: number |"));
  CHECK(has("`cable`: a real cable."));
}
