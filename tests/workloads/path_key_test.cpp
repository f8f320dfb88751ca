#include "workloads/path_key.h"

#include <string>

#include "catch.h"

using namespace recirc::workloads;

TEST_CASE("a key is the first half of the MD5, first byte most significant") {
  // RFC 1321, appendix A.5
  CHECK(key_of("") == 0xd41d8cd98f00b204U);
  CHECK(key_of("abc") == 0x900150983cd24fb0U);
  CHECK(key_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") ==
        0xd174ab98d277d9f5U);
  CHECK(key_of("1234567890123456789012345678901234567890123456789012345678901234567890123456789"
               "0") == 0x57edf4a22be3c955U);
}

TEST_CASE("a key that goes on from a prefix is the key of the whole, at any cut") {
  std::string text;
  for (int i = 0; i < 300; ++i) text += static_cast<char>('a' + i % 26);
  for (std::size_t length : {0U, 1U, 55U, 56U, 63U, 64U, 65U, 119U, 120U, 128U, 198U, 300U}) {
    const std::string whole = text.substr(0, length);
    const Key wanted = key_of(whole);
    for (std::size_t cut = 0; cut <= length; ++cut) {
      KeyPrefix prefix;
      prefix.append(whole.substr(0, cut));
      REQUIRE(finish_key(prefix.state(), prefix.hashed(), prefix.tail(), whole.substr(cut)) ==
              wanted);
    }
  }
}
