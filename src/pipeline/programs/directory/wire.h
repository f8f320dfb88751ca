#pragma once

#include <cstdint>
#include <type_traits>

#include "pipeline/packet.h"
#include "pipeline/programs/addresses.h"

namespace recirc::pipeline::programs::directory {

/// Nodes are bits of a list of sharers: endpoints 0 to 15.
inline constexpr unsigned most_nodes = 16;

/// | message | from | to | says | beside `page` |
/// |---|---|---|---|---|
/// | read_request, write_request | node | directory | `requester` wants `page` | node, requester |
/// | grant | directory | node | all others have given up what they had to | region_bits |
/// | nack | directory | node | ask again later | |
/// | invalidation | directory | node | give up region `page >> region_bits` | flags, requester,
/// region_bits | | data | node | requester, and a copy to memory | the page that was wanted | node,
/// requester | | dummy | node | directory | the same, but it is not here: memory is asked | node,
/// requester | | passthrough | node | memory | another page of the region | node | | fin_ack | node
/// | directory | the region is given up, as the invalidation said | node, requester | | evict |
/// node | directory | the same, without being told | node, requester, region_bits | | evicted |
/// directory | node | the directory has taken note of it | | | sync | node | memory | what has come
/// of the page's file is to be durable | requester, entry: the node's number for it | | synced |
/// memory | node | it is | destination, entry | | fetch | directory | memory |
/// `requester` wants `page` | requester | | page | memory | requester | here it is | destination |
///
/// `node` is the sender's bit. `requester` is the endpoint that wants the page: of requests and
/// evictions the sender itself, of answers to an invalidation what the invalidation said.
///
/// What a node owes. To an invalidation, in this order: each page of the region that it has changed
/// as `passthrough`, but `page`, if `data_wanted`, as `data` (or `dummy` when it does not have it);
/// then one `fin_ack`. With `give_up_copies` it keeps nothing, without it may read on. It owes
/// `dummy` and `fin_ack` also for a region of which it has nothing: the list may name more nodes
/// than have pages. Before `evict` it sends what it has changed as `passthrough`; `region_bits`
/// says how much it has given up. Until `evicted` comes it asks for no page of that region: the
/// eviction may be overtaken in the switch, and would take the node from the list that it has just
/// been put on. A request ends with a grant and a page (or data), or with a nack alone.
///
/// `ask` is of the request, and comes with everything that it causes. `round` is the region's: the
/// control plane gives it another one when it takes the region from all nodes. Grants and
/// invalidations say it, nodes repeat it, and what is of an old round is dropped, but evictions are
/// acknowledged.
enum class Kind : std::uint8_t {
  read_request,
  write_request,
  grant,
  nack,
  invalidation,
  data,
  dummy,
  passthrough,
  fin_ack,
  evict,
  fetch,
  page,
  evicted,
  sync,
  synced,
};

/// Bits of Header::flags.
enum Flag : std::uint8_t {
  second_pass = 1,     ///< the entry is claimed, and the rest of the header says what becomes of it
  give_up_copies = 2,  ///< of an invalidation: not only the right to write
  data_wanted = 4,     ///< of an invalidation: the requester waits for the page from here
  for_memory = 8,      ///< translated next
  waits = 16,          ///< of a request: it looks, and does not claim
};

/// The wire header, and behind `entry` what the first pass leaves for the second one.
struct Header {
  Addresses addresses;
  Kind kind = Kind::read_request;
  std::uint8_t flags = 0;
  std::uint8_t region_bits = 0;  ///< a region has 2^region_bits pages
  std::uint8_t node = 0;         ///< bit of the sender
  std::uint8_t round = 0;        ///< of the region
  std::uint16_t ask = 0;         ///< the requester's number of its request
  std::uint16_t requester = 0;   ///< endpoint
  std::uint16_t entry = 0;
  std::uint64_t page = 0;     ///< number in the shared address space
  std::uint16_t sharers = 0;  ///< that the entry will have
  std::uint16_t targets = 0;  ///< who must give something up
  std::uint8_t next = 0;      ///< State
  std::uint16_t actions = 0;  ///< Action

  [[nodiscard]] bool has(Flag flag) const { return (flags & flag) != 0; }
  void set(Flag flag) { flags = static_cast<std::uint8_t>(flags | flag); }
  void clear(Flag flag) { flags = static_cast<std::uint8_t>(flags & ~flag); }
};
static_assert(std::is_trivially_copyable_v<Header> && sizeof(Header) <= Packet::header_bytes);

/// What the lookup tables return.
struct Entry {
  std::uint16_t number = 0;
  std::uint8_t region_bits = 0;
  std::uint8_t round = 0;
  bool locked = false;  ///< the control plane is changing it: requests are refused, others go round
};

}  // namespace recirc::pipeline::programs::directory
