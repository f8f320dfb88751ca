#include <random>

#include "catch.h"
#include "config_fixture.h"

using namespace fixture;
using Lines = std::vector<std::string>;

TEST_CASE("An override replaces a value or makes it, JSON first, else text") {
  const World world =
      world_of(R"({"workers": 3})", {"/workers=4", "/store_time=20us", "/files=32M", "/zipf=0.99",
                                     "/client/window=9", "/verbose=true", "/note=a=b", "/cap=null",
                                     R"(/delays=["1us"])", "/system=nocache"});
  CHECK(world.workers == 4);
  CHECK(world.store_time == recirc::sim::microseconds(20));
  CHECK(world.files == 32'000'000);
  CHECK(world.zipf == 0.99);
  CHECK(world.client.window == 9);
  CHECK(world.verbose);
  CHECK(world.note == "a=b");
  CHECK(world.delays.size() == 1);
  CHECK(world.system == "nocache");
}

TEST_CASE("An unknown place is reported as an unknown key is") {
  CHECK(issues_of("{}", {"/wokers=4"}) ==
        Lines{"/wokers: is an unknown key (did you mean \"workers\"?)"});
  CHECK(issues_of("{}", {"/client/windw=4"}) ==
        Lines{"/client/windw: is an unknown key (did you mean \"window\"?)"});
  CHECK(issues_of("{}", {"/workers/x=4"}) ==
        Lines{"/workers: must be an integer, found an object"});
  CHECK(issues_of(R"({"workers": 3})", {"/workers/x=4"}) ==
        Lines{"/workers/x: --set: '/workers' is 3, which has no members"});
}

TEST_CASE("A member of a choice written short expands the choice") {
  const auto sigma = [](const World& world) { return std::get<Lognormal>(world.law).sigma; };
  CHECK(sigma(world_of(R"({"law": "lognormal"})", {"/law/sigma=0.7"})) == 0.7);
  CHECK(sigma(world_of("{}", {"/law=lognormal", "/law/sigma=0.7"})) == 0.7);
  CHECK(sigma(world_of("{}", {"/law/kind=lognormal", "/law/sigma=0.7"})) == 0.7);
  CHECK(sigma(world_of("{}", {"/law/sigma=0.7", "/law/kind=lognormal"})) == 0.7);
}

TEST_CASE("A member alone keeps the kind that the default has") {
  World defaults;
  defaults.law = Lognormal{0.2};
  config::Document document;
  document.set("/law/sigma=0.7");
  CHECK(std::get<Lognormal>(config::read<World>(document, defaults).law).sigma == 0.7);
  CHECK(issues_of("{}", {"/law/sigma=0.7"}) ==
        Lines{"/law/sigma: is an unknown key (the keys here are kind)"});
  // A later override of the whole takes the licence back.
  CHECK(issues_of("{}", {"/law/sigma=0.7", R"(/law={"sigma": 1})"}).size() == 1);
}

TEST_CASE("Items of lists are set by index and added by '-'") {
  const World world = world_of(R"({"more_clients": [{"window": 5}]})",
                               {"/more_clients/0/window=6", "/more_clients/-/window=7"});
  REQUIRE(world.more_clients.size() == 2);
  CHECK(world.more_clients[0].window == 6);
  CHECK(world.more_clients[1].window == 7);
  CHECK(world_of("{}", {"/delays/-=3us"}).delays.size() == 1);
  CHECK(issues_of(R"({"delays": []})", {"/delays/0=3us"}) ==
        Lines{"/delays/0: --set: '/delays' is a list of 0: \"0\" is no index of it"});
}

TEST_CASE("What is no assignment is an issue beside all others") {
  CHECK(issues_of(R"({"x": 1})", {"zipf"}).size() == 2);
  CHECK(issues_of("{}", {"zipf=1"}).front().find("is no JSON pointer") != std::string::npos);
  CHECK(issues_of("{}", {"=1"}).size() == 1);
  CHECK(issues_of("{}", {"/a~2=1"}).size() == 1);
  CHECK(issues_of("{}", {"/delays=[1"}).front().rfind("/delays: --set: ", 0) == 0);
  CHECK(issues_of("{}", {R"(/client={"window": 1, "window": 2})"}).front() ==
        "/client/window: --set: this key comes twice in its object (keep one)");
  CHECK(issues_of("{}", {"/note=\xFF"}).size() == 1);
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "/a";
  CHECK(issues_of("{}", {deep + "=1"}).size() == 1);
}

TEST_CASE("Any sequence of overrides is read or refused, but never more than that") {
  std::mt19937 random(11);
  const std::vector<std::string> keys = {"law", "kind",    "sigma",   "client", "window", "delays",
                                         "0",   "-",       "weights", "spare",  "a~1b",   "",
                                         "cap", "workers", "~",       "note",   "99",     "file"};
  const std::vector<std::string> values = {"1",   "lognormal",  "{}",     "[]",   "null",
                                           "2us", "{\"x\": 1}", "[1, 2]", "true", "\"trace\""};
  for (int round = 0; round < 2'000; ++round) {
    std::vector<std::string> overrides;
    for (std::size_t i = 1 + random() % 5; i > 0; --i) {
      std::string pointer;
      for (std::size_t k = 1 + random() % 3; k > 0; --k) {
        pointer += '/' + keys[random() % keys.size()];
      }
      overrides.push_back(pointer + '=' + values[random() % values.size()]);
    }
    for (const std::string& line : issues_of("{}", overrides)) {
      CHECK_NOTHROW(nlohmann::json(line).dump());
    }
  }
}
