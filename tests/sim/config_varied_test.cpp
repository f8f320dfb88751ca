#include <map>

#include "catch.h"
#include "sim/config.h"
#include "sim/config/varied.h"

namespace recirc::sim::config {
namespace varied_test {

enum class Law : std::uint8_t { one, other };
constexpr EnumName law_names[] = {{"one", Law::one, ""}, {"other", Law::other, ""}};
std::span<const EnumName> names_of(Law) { return law_names; }

struct Inner {
  double share = 0.5;
};
void describe(Visitor& v, Inner& c) {
  v.field("share", c.share, {.doc = "A share.", .from = assumed("why not", "0.1..0.9")});
}

struct Settings {
  Duration delay = microseconds(7);
  std::uint32_t cycles = 30;
  Law law = Law::one;
  std::optional<std::uint32_t> clients;
  double fitted_cost = 2;
  double only_fitted = 5;
  double published = 3;
  std::uint64_t seed = 1;
  Inner inner;
  std::vector<Inner> many{{0.5}, {0.1}};
};
void describe(Visitor& v, Settings& c) {
  v.field("delay", c.delay, {.doc = "Delay.", .from = assumed("a guess", "3us..10us")});
  v.field("cycles", c.cycles, {.doc = "Cycles.", .from = assumed("a guess", "30..80")});
  v.field("law", c.law, {.doc = "Law.", .from = assumed("a guess", "one or other")});
  v.field("clients", c.clients, {.doc = "Clients.", .from = assumed("a guess", "8..64 a server")});
  Provenance cost = fitted("some.claim");
  cost.range = "1..4";
  v.field("fitted_cost", c.fitted_cost, {.doc = "Cost.", .from = cost});
  v.field("only_fitted", c.only_fitted, {.doc = "Cost.", .from = fitted("some.claim")});
  v.field("published", c.published, {.doc = "Published.", .from = paper("section 1")});
  v.field("seed", c.seed, {.doc = "Seed.", .from = assumed("a guess", "any")});
  v.group("inner", c.inner, "Inner.");
  v.field("many", c.many, {.doc = "More of them."});
}

}  // namespace varied_test

TEST_CASE("assumed and fitted fields are listed with the ends of their ranges as values") {
  std::map<std::string, VariedField> found;
  for (VariedField& field : varied_fields(varied_test::Settings{})) {
    const std::string pointer = field.pointer;
    found.emplace(pointer, std::move(field));
  }
  using Values = std::vector<std::string>;
  CHECK(found.at("/delay").values == Values{"\"3us\"", "\"10us\""});
  CHECK(found.at("/delay").value == "\"7us\"");
  CHECK(found.at("/fitted_cost").values == Values{"1.0", "4.0"});
  CHECK(found.at("/inner/share").values == Values{"0.1", "0.9"});
  CHECK(found.at("/many/0/share").values == Values{"0.1", "0.9"});
  CHECK(found.at("/many/1/share").values == Values{"0.9"});
  CHECK(found.at("/only_fitted").values.empty());
  CHECK(found.count("/published") == 0);
}

TEST_CASE("an end where the value stands already is not tried again") {
  for (const VariedField& field : varied_fields(varied_test::Settings{})) {
    if (field.pointer == "/cycles") CHECK(field.values == std::vector<std::string>{"80"});
    if (field.pointer == "/law") CHECK(field.values == std::vector<std::string>{"\"other\""});
  }
}

TEST_CASE("a range that is no two values of the field is listed without any") {
  for (const VariedField& field : varied_fields(varied_test::Settings{})) {
    if (field.pointer == "/clients" || field.pointer == "/seed") CHECK(field.values.empty());
  }
}

}  // namespace recirc::sim::config
