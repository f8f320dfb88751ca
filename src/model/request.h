#pragma once

#include <cstdint>

#include "model/metadata.h"
#include "sim/ids.h"
#include "sim/time.h"
#include "workloads/namespace.h"
#include "workloads/operation.h"
#include "workloads/ring.h"

namespace recirc::model {

using ClientId = sim::Id<struct ClientTag>;
using ServerId = workloads::ServerId;
using RequestHandle = std::uint32_t;
inline constexpr RequestHandle no_request = ~RequestHandle{0};

/// How an operation ended.
enum class Outcome : std::uint8_t {
  hit,      ///< a read answered from the switch's cache
  miss,     ///< a read of an uncached path, answered by the server
  invalid,  ///< a read of a cached path that was being written, answered by the server
  written,  ///< a write that the server carried out
  denied,   ///< permission check failed, in the switch or at the server
  error,    ///< the server refused: missing, existing or not empty
};
inline constexpr std::size_t outcome_count = 6;

/// Where an operation's time went; the parts add up to its latency.
struct TimeParts {
  sim::Duration queues{};         ///< waiting for a port, a worker or the store
  sim::Duration recirculation{};  ///< extra passes through the switch, lock waits apart
  sim::Duration lock_wait{};      ///< passes a write made because its counter was not zero
  sim::Duration service{};        ///< the store's work
  sim::Duration resending{};      ///< from the first transmission to the one that was answered

  TimeParts& operator+=(const TimeParts& other) {
    queues += other.queues;
    recirculation += other.recirculation;
    lock_wait += other.lock_wait;
    service += other.service;
    resending += other.resending;
    return *this;
  }
};

/// A request from its issue to its answer: the payload that packets refer to by handle.
struct Request {
  workloads::Operation operation;
  workloads::Key key = 0;
  ClientId client;
  ServerId server;
  UserClass user = UserClass::owner;
  bool abandoned = false;  ///< the client gave up; only the late answer still refers to it
  bool lost = false;       ///< the fabric dropped it
  bool answered_by_switch = false;
  bool below = false;        ///< a write that has changed all that is below its path
  bool turned_away = false;  ///< its server does not carry it out; the client must ask again
  Outcome outcome = Outcome::miss;
  Version floor = 0;                ///< a read must return at least this version
  Version refused = 0;              ///< of a directory above that must keep a read's user out
  Version version = 0;              ///< the version read or committed
  Version destination_version = 0;  ///< likewise, of what a rename has overwritten or made
  sim::Time issued{};
  sim::Time waits_since{};  ///< at its server: since its arrival, then since its commit
  TimeParts parts;
  // Where messages may be lost, doubled or sent again, each carries a copy of the request that its
  // client waits for.
  bool replayed = false;      ///< carried out when an earlier copy came: only to be answered
  std::uint32_t session = 0;  ///< one request at a time: a client, or one of a pool
  bool pending = false;       ///< a client waits for it
  std::uint32_t tries = 1;    ///< how often its client has sent it
  std::uint32_t visits = 0;   ///< answers that did not end it
  RequestHandle original = no_request;  ///< of a copy: what the client waits for, if it still does
  std::uint64_t identity = 0;           ///< of the message that carries it
  sim::Time sent{};                     ///< when its client sent it last
  sim::Time asked{};                    ///< when its client sent this visit first
  RequestHandle earlier = no_request;   ///< the list of those that a client waits for,
  RequestHandle later = no_request;     ///< in the order of issue
};

}  // namespace recirc::model
