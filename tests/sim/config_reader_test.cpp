#include "catch.h"
#include "config_fixture.h"

using namespace fixture;
using recirc::sim::BitsPerSecond;
using recirc::sim::Bytes;
using recirc::sim::ConfigError;
using Lines = std::vector<std::string>;

TEST_CASE("An empty object is the default configuration") { CHECK(world_of("{}") == World{}); }

TEST_CASE("Every type of field is read") {
  const World world = world_of(R"({
    // comments are the user's
    "$schema": "recirc.json", "system": "nocache", "verbose": true, "offset": -7, "workers": 16,
    "balance": -9000000000, "seed": 18446744073709551615, "files": "32M", "zipf": 1,
    "store_time": "1.5us", "buffer": "64KB", "rate": "25 Gbps", "loop": "native",
    "law": {"kind": "lognormal", "sigma": 0.5}, "client": {"window": 9},
    "more_clients": [{"in_flight": 1}, {}], "delays": ["1ns", "2ns"], "weights": [1, 0, 0],
    "cap": "3k", "spare": {"timeout": "20 ms"}, "note": "é" /* the end */ })");
  CHECK(world.system == "nocache");
  CHECK(world.verbose);
  CHECK(world.offset == -7);
  CHECK(world.workers == 16);
  CHECK(world.balance == -9'000'000'000);
  CHECK(world.seed == 18'446'744'073'709'551'615U);
  CHECK(world.files == 32'000'000);
  CHECK(world.zipf == 1.0);
  CHECK(world.store_time == recirc::sim::picoseconds(1'500'000));
  CHECK(world.buffer == Bytes{64'000});
  CHECK(world.rate == BitsPerSecond{25'000'000'000});
  CHECK(world.loop == Loop::native);
  CHECK(std::get<Lognormal>(world.law).sigma == 0.5);
  CHECK(world.client.window == 9);
  CHECK(world.client.in_flight == 4);
  REQUIRE(world.more_clients.size() == 2);
  CHECK(world.more_clients[0].in_flight == 1);
  CHECK(world.delays.size() == 2);
  CHECK(world.weights == std::array<double, 3>{1, 0, 0});
  CHECK(world.cap == 3'000U);
  REQUIRE(world.spare.has_value());
  CHECK(world.spare->timeout == recirc::sim::milliseconds(20));
  CHECK(world.note == "é");
}

TEST_CASE("All issues of a file come together, each with its pointer") {
  CHECK(issues_of(R"({"workers": 0, "zipf": "x", "client": {"windw": 1},
                      "delays": ["1us", 7], "workers": 1})") ==
        Lines{"/workers: this key comes twice in its object (keep one)",
              "/workers: must be 1 to 4096, found 0",
              "/zipf: must be a number, found the text \"x\"",
              "/delays/1: must be a duration with its unit, found a bare number (e.g. \"1.5us\")",
              "/client/windw: is an unknown key (did you mean \"window\"?)"});
}

TEST_CASE("Integers are whole, in range and no text, however they are written") {
  CHECK(world_of(R"({"workers": 2.0})").workers == 2);
  CHECK(world_of(R"({"files": 3e6})").files == 3'000'000);
  CHECK(issues_of(R"({"workers": 2.9})") == Lines{"/workers: must be an integer, found 2.9"});
  CHECK(issues_of(R"({"workers": -1})") == Lines{"/workers: must be 1 to 4096, found -1"});
  CHECK(issues_of(R"({"workers": 1e30})") ==
        Lines{"/workers: must be an integer, found 1e+30, which is too large to be exact"});
  CHECK(issues_of(R"({"seed": -1})") ==
        Lines{"/seed: must be 0 to 18446744073709551615, found -1"});
  CHECK(issues_of(R"({"seed": 18446744073709551616})").size() == 1);
  CHECK(issues_of(R"({"offset": 2147483648})") ==
        Lines{"/offset: must be -2147483648 to 2147483647, found 2147483648"});
  CHECK(issues_of(R"({"workers": "16"})") ==
        Lines{"/workers: must be an integer, found the text \"16\""});
  CHECK(issues_of(R"({"workers": true})") == Lines{"/workers: must be an integer, found true"});
  CHECK(issues_of(R"({"files": "1.5"})").size() == 1);
  CHECK(issues_of(R"({"files": "2G"})") ==
        Lines{"/files: must be 1 to 1000000000, found 2000000000"});
  CHECK(issues_of(R"({"files": "1.23456789k"})") ==
        Lines{"/files: must be a count, but \"1.23456789k\" is no whole number (e.g. \"32M\")"});
}

TEST_CASE("A quantity needs its unit, and the message shows an example") {
  CHECK(issues_of(R"({"store_time": 43})") ==
        Lines{"/store_time: must be a duration with its unit, found a bare number (e.g. "
              "\"43us\")"});
  CHECK(issues_of(R"({"buffer": "4"})").size() == 1);
  CHECK(issues_of(R"({"buffer": "-4KB"})").front().rfind("/buffer: must be 0B to ", 0) == 0);
  CHECK(issues_of(R"({"rate": "100Gbit"})") ==
        Lines{"/rate: must be a bit rate, but \"100Gbit\" has an unknown unit, not one of bps, "
              "kbps, Kbps, Mbps, Gbps, Tbps (e.g. \"100Gbps\")"});
  CHECK(issues_of(R"({"store_time": "11s"})") ==
        Lines{"/store_time: must be 1ns to 10s, found 11s"});
  CHECK(issues_of(R"({"store_time": "3000h"})").size() == 1);
  CHECK(issues_of(R"({"buffer": "9999999TiB"})").size() == 1);
}

TEST_CASE("Names that are not known get the nearest one, or all of them") {
  CHECK(issues_of(R"({"loop": "cabel"})") ==
        Lines{"/loop: \"cabel\" is no value of it (did you mean \"cable\"?)"});
  CHECK(issues_of(R"({"loop": "wire"})") ==
        Lines{"/loop: \"wire\" is no value of it (one of cable, native, none)"});
  CHECK(issues_of(R"({"system": "flech"})") ==
        Lines{"/system: \"flech\" is not known here (did you mean \"fletch\"?)"});
  CHECK(issues_of(R"({"law": "logn"})") ==
        Lines{"/law: \"logn\" is no kind of it (did you mean \"lognormal\"?)"});
  CHECK(issues_of(R"({"client": {"rtt": 1}})") ==
        Lines{"/client/rtt: is an unknown key (the keys here are window, in_flight, timeout)"});
}

TEST_CASE("A key in the wrong object is told where it belongs") {
  CHECK(issues_of(R"({"in_flight": 1})") ==
        Lines{"/in_flight: is an unknown key (did you mean /client/in_flight?)"});
}

TEST_CASE("A bare string is short for a choice without members") {
  CHECK(std::holds_alternative<Lognormal>(world_of(R"({"law": "lognormal"})").law));
  CHECK(world_of(R"({"law": "exponential"})") == World{});
  CHECK(issues_of(R"({"law": {"sigma": 1}})") ==
        Lines{"/law: does not say its \"kind\" (one of exponential, lognormal, trace)"});
  CHECK(issues_of(R"({"law": {"kind": 3}})").size() == 1);
  CHECK(issues_of(R"({"law": {"kind": "exponential", "sigma": 1}})").size() == 1);
  CHECK(issues_of(R"({"law": "trace"})") == Lines{"/law/file: is missing"});
}

TEST_CASE("Lists and texts have sizes") {
  CHECK(issues_of(R"({"more_clients": [{}, {}, {}, {}, {}]})") ==
        Lines{"/more_clients: needs 0 to 4 items, found 5"});
  CHECK(issues_of(R"({"weights": [1, 0]})") == Lines{"/weights: needs exactly 3 items, found 2"});
  CHECK(issues_of(R"({"weights": {}})") == Lines{"/weights: must be a list […], found an object"});
  CHECK(issues_of(R"({"law": {"kind": "trace", "file": ""}})") ==
        Lines{"/law/file: must have 1 to 255 bytes, found 0"});
}

TEST_CASE("A field that is null is left out, even when an override says so") {
  CHECK(world_of(R"({"cap": null, "spare": null})") == World{});
  CHECK(world_of(R"({"workers": null, "law": null, "client": null, "weights": null})") == World{});
  CHECK(world_of(R"({"workers": 3})", {"/workers=null"}) == World{});
  CHECK(issues_of(R"({"law": {"kind": "trace", "file": null}})") == Lines{"/law/file: is missing"});
  CHECK(issues_of(R"({"delays": [null]})").size() == 1);
  CHECK(issues_of(R"({"wrokers": null})").size() == 1);
}

TEST_CASE("A field that is null is not given") {
  CHECK(issues_of(R"({"client": {"in_flight": 9, "window": null}})") ==
        Lines{"/client/in_flight: exceeds the default of /window"});
}

TEST_CASE("Contradictions are found where both fields are read well") {
  CHECK(issues_of(R"({"client": {"in_flight": 9}})") ==
        Lines{"/client/in_flight: exceeds the default of /window"});
  CHECK(issues_of(R"({"more_clients": [{}, {"in_flight": 9, "window": 2}]})") ==
        Lines{"/more_clients/1/in_flight: exceeds /window"});
  CHECK(issues_of(R"({"client": {"in_flight": 9, "window": "2"}})").size() == 1);
}

TEST_CASE("$schema is accepted at the top only, and as text") {
  CHECK(issues_of(R"({"$schema": "x"})").empty());
  CHECK(issues_of(R"({"$schema": 1})") == Lines{"/$schema: must be text, found 1"});
  CHECK(issues_of(R"({"client": {"$schema": "x"}})").size() == 1);
}

TEST_CASE("Pointers in messages are escaped as RFC 6901 says") {
  CHECK(issues_of(R"({"a/b~c": 1})").front().rfind("/a~1b~0c: is an unknown key", 0) == 0);
}

TEST_CASE("A file of nothing but mistakes is reported in bounds") {
  std::string text = "{";
  for (int i = 0; i < 5'000; ++i) text += "\"key" + std::to_string(i) + "\": 1,";
  const Lines lines = issues_of(text + "\"x\": 1}");
  CHECK(lines.size() == config::most_issues + 1);
  CHECK(lines.back() == ": 4801 more issues are not listed");
}
