#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include "sim/config.h"
#include "sim/time.h"
#include "sim/units.h"

namespace recirc::model::client_cache {

/// Every request tells which versions of its path's directories its client goes by. A server that
/// knows of a newer one does not carry the request out.
struct Validation {
  static constexpr std::string_view kind = "validation";
  static constexpr std::string_view kind_doc =
      "the server compares the versions that a request was resolved with; an old one costs a retry";
  double stale_cost = 0.5;
};

/// Entries are good for a term. A write to a directory is answered when no lease of what it
/// replaced is left.
struct Leases {
  static constexpr std::string_view kind = "leases";
  static constexpr std::string_view kind_doc =
      "entries expire; the answer to a write of a directory waits for the leases on it";
  sim::Duration term = sim::milliseconds(200);
};

/// The server of the requested path resolves what the client has not got.
struct AtServer {
  static constexpr std::string_view kind = "at_server";
  static constexpr std::string_view kind_doc =
      "the path's own server reads the uncached directories and returns their permissions";
  double cost = 0.4;
};

/// The client asks each uncached directory's server, from the top down, before it sends the
/// request.
struct RoundTrips {
  static constexpr std::string_view kind = "round_trips";
  static constexpr std::string_view kind_doc =
      "the client asks each uncached directory's own server first, one after another";
};

using Consistency = std::variant<Validation, Leases>;
using Resolution = std::variant<AtServer, RoundTrips>;

/// `/client_cache`: the clients' caches of directory permissions.
struct ClientCacheSettings {
  sim::Bytes size = sim::Bytes{4 * 1024 * 1024};
  sim::Bytes entry_overhead{40};
  Consistency consistency;
  Resolution misses;
  double announcement_cost = 0.5;
  sim::Duration announce_again = sim::milliseconds(10);
  std::uint32_t warm_up = 0;
};

void describe(sim::config::Visitor& v, Validation& c);
void describe(sim::config::Visitor& v, Leases& c);
void describe(sim::config::Visitor& v, AtServer& c);
void describe(sim::config::Visitor& v, RoundTrips& c);
void describe(sim::config::Visitor& v, ClientCacheSettings& c);

/// Protocol rules that tests switch off one at a time, to see that an oracle notices. No user's
/// configuration can.
struct Mutants {
  bool accept_old_versions = false;  ///< servers compare nothing
  bool answer_unannounced = false;   ///< the writer hears of its write before other servers do
  bool ignore_leases = false;        ///< a write's answer waits for no lease
};

}  // namespace recirc::model::client_cache
