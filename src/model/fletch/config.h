#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/config.h"
#include "sim/time.h"

namespace recirc::model::fletch {

/// Where the program's tables and register arrays stand in the pipeline.
enum class LayoutChoice : std::uint8_t { paper, prototype };
std::span<const sim::config::EnumName> names_of(LayoutChoice choice);

/// When a walking read gives its lock counters back.
enum class ReleaseChoice : std::uint8_t { per_level, at_end };
std::span<const sim::config::EnumName> names_of(ReleaseChoice choice);

/// Whom the lock counters favour.
enum class LockChoice : std::uint8_t { reader_preferring, write_pending };
std::span<const sim::config::EnumName> names_of(LockChoice choice);

/// When a write of a cached path is acknowledged.
enum class WriteChoice : std::uint8_t { through, back };
std::span<const sim::config::EnumName> names_of(WriteChoice choice);

/// Who gives back the counters of a read that has found a flag at zero.
enum class InvalidReads : std::uint8_t { release_on_response, release_in_switch };
std::span<const sim::config::EnumName> names_of(InvalidReads choice);

/// What indexes the lock counters of system single_lock.
enum class SingleLockKey : std::uint8_t { full_path, level_1 };
std::span<const sim::config::EnumName> names_of(SingleLockKey choice);
/// Who numbers the answers that change counters or records.
enum class Sequence : std::uint8_t { when_needed, off, per_worker, per_server };
std::span<const sim::config::EnumName> names_of(Sequence sequence);
enum class SequenceCompare : std::uint8_t { equality, strict };
std::span<const sim::config::EnumName> names_of(SequenceCompare compare);

/// What a client sends for a path whose token it does not know.
enum class UnknownToken : std::uint8_t { first, none };
std::span<const sim::config::EnumName> names_of(UnknownToken choice);

/// What clients know of tokens (decision 51).
struct TokenSettings {
  UnknownToken unknown = UnknownToken::first;
  sim::Duration expiry = sim::seconds(3600);
  std::uint32_t clients = 0;
};

/// `/cache`: the metadata cache in the switch.
struct CacheSettings {
  std::uint32_t files = 5'000;
  std::optional<double> share;
  std::uint32_t rows = 10'000;
  LayoutChoice layout = LayoutChoice::paper;
  std::uint32_t threshold = 10;
  std::uint32_t key_bits = 64;
  std::vector<std::uint32_t> lock_groups{1, 2, 3, 4, 5, 6, 7, 8};
  WriteChoice write = WriteChoice::through;
  LockChoice lock = LockChoice::reader_preferring;
  SingleLockKey single_lock_key = SingleLockKey::full_path;
  ReleaseChoice release = ReleaseChoice::per_level;
  InvalidReads invalid_reads = InvalidReads::release_on_response;
  Sequence sequence = Sequence::when_needed;
  SequenceCompare sequence_compare = SequenceCompare::equality;
};

enum class AdmissionPolicy : std::uint8_t { off, on };
std::span<const sim::config::EnumName> names_of(AdmissionPolicy policy);

enum class SweepPolicy : std::uint8_t { when_needed, off, on };
std::span<const sim::config::EnumName> names_of(SweepPolicy policy);

/// `/controller/sweep`
struct SweepSettings {
  SweepPolicy policy = SweepPolicy::when_needed;
  sim::Duration interval = sim::milliseconds(500);
  sim::Duration timeout = sim::seconds(1);
};

/// `/controller`: what fills and empties the cache while the run goes on.
struct ControllerSettings {
  AdmissionPolicy admission = AdmissionPolicy::off;
  sim::Duration reset_interval = sim::seconds(2);
  sim::Duration path_time = sim::microseconds(1'350);
  std::uint32_t waiting_reports = 1'024;
  double candidates = 2.0;
  sim::Duration grace = sim::milliseconds(1);
  std::uint32_t lock_reads = 100;
  sim::Duration message_timeout = sim::milliseconds(500);
  SweepSettings sweep;
  sim::Duration record_time = sim::microseconds(70);
  sim::Duration log_read_time = sim::microseconds(2);
  bool persist = false;
};

/// What a run does about messages that may be lost; nothing where none is.
struct Protection {
  Sequence sequence = Sequence::off;
  std::uint32_t workers = 20;  ///< of a server
  sim::Duration ack_timeout = sim::milliseconds(10);
  bool reliable_messages = false;  ///< between controller and servers
  bool sweep = false;

  [[nodiscard]] std::uint32_t channels_per_server() const {
    if (sequence == Sequence::per_worker) return workers;
    return sequence == Sequence::per_server ? 1 : 0;
  }
};
Protection protection_of(const CacheSettings& cache, const ControllerSettings& controller,
                         bool faults, std::uint32_t workers, sim::Duration ack_timeout);

void describe(sim::config::Visitor& v, CacheSettings& c);
void validate(const CacheSettings& c, sim::config::Issues& issues);
void describe(sim::config::Visitor& v, SweepSettings& c);
void describe(sim::config::Visitor& v, ControllerSettings& c);

/// Protocol rules that tests switch off one at a time, to see that an oracle notices. No user's
/// configuration can.
struct Mutants {
  bool parent_first = false;            ///< multi-path writes are answered before descendants
  bool admit_without_blocking = false;  ///< writes go on while the controller admits their path
  bool unordered_writes = false;        ///< servers keep no order and no memory between writes
  bool release_shared_twice = false;    ///< levels 8 and 9 both lower the counter that they share
  bool forget_a_copy = false;           ///< writes reach one copy of a record only
  bool free_copies = false;             ///< further copies of a path count for nothing
  // Of recoveries (docs/decisions/0031).
  bool replay_backwards = false;   ///< the switch has its cache again in another order
  bool ignore_numbers = false;     ///< a new switch does not learn the servers' numbers
  bool skip_reconciling = false;   ///< what the log leaves in doubt stays in the cache
  bool answer_frozen = false;      ///< servers send numbered answers while they are told
  bool keep_numbers = false;       ///< a server's numbers go on where the switch's stand
  bool trust_records = false;      ///< what was written since its admission is not written anew
  bool trust_replaced = false;     ///< nor is what is gone, or was, taken out
  bool trust_crashed = false;      ///< a change by others goes by what a crashed server had told
  bool hide_admission = false;     ///< a server is not told that a path is just being admitted
  bool forget_changes = false;     ///< changes that its crash has cut short are not sent anew
  bool mix_recoveries = false;     ///< a server takes what was told for an earlier recovery
  bool leave_blocked = false;      ///< a server does not ask what became of an admission
  bool keep_wishes = false;        ///< servers do not ask again for what a controller forgot
  bool mix_admissions = false;     ///< the controller takes metadata that was asked for before
  bool refresh_early = false;      ///< a server writes records anew before it is recovered
  bool overtake_crashed = false;   ///< what waits for a crashed server's answer goes on too early
  bool skip_evicting = false;      ///< the log does not say that an eviction begins
  bool keep_in_store = false;      ///< what a crash has taken out of the store counts on
  bool tell_at_once = false;       ///< metadata is told while older answers are on their way
};

}  // namespace recirc::model::fletch
