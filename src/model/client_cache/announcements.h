#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/client_cache/exchange.h"
#include "model/server.h"
#include "sim/flat_map.h"

namespace recirc::model::client_cache {

/// An answer that waits, with what it answers.
struct LateAnswer {
  RequestHandle handle = no_request;
  NamespaceState::Applied applied;
};

/// A write to a directory that is carried out, and whose answer waits.
struct Announcement {
  std::uint32_t ticket = 0;
  std::uint64_t operation = 0;  ///< its index
  Server* writer = nullptr;
  /// The write's own, and of copies that came when it had been carried out.
  std::vector<LateAnswer> answers;
  std::array<Told, 2> replaced;  ///< the directories with the versions that clients may go by
  unsigned directories = 0;
  std::vector<bool> heard;         ///< by ServerId: the message has come, its work is on its way
  std::vector<bool> told;          ///< by ServerId: that work is done
  std::vector<bool> acknowledged;  ///< by ServerId: its writer knows that it was told
  std::uint32_t missing = 0;       ///< servers that have not acknowledged it
  bool below = false;              ///< it changes directories below as well
  bool is_timed = false;           ///< a look whether it has to be told again is on its way
  bool ready = false;              ///< all have acknowledged it, and no lease is left
};

/// The writes to directories that not all servers know of, or whose leases have not ended, in the
/// order in which they were carried out.
class Announcements {
 public:
  /// The announcement is valid until the next one is opened or closed.
  Announcement& open(Server& writer, RequestHandle handle, const NamespaceState::Applied& applied,
                     std::uint32_t servers);
  /// Notes a directory that it replaces.
  void replaces(Announcement& announcement, const Told& replaced);
  [[nodiscard]] Announcement* find(std::uint32_t ticket);
  [[nodiscard]] Announcement* find_operation(std::uint64_t index);
  /// A ready one that no earlier one about the same directory holds up; nullptr if there is none.
  [[nodiscard]] Announcement* next_ready();
  Announcement close(std::uint32_t ticket);
  /// The writer has crashed: it does not know any more who has acknowledged what, and the requests
  /// that waited for answers are gone. These are returned.
  std::vector<LateAnswer> forget(ServerId writer);
  /// A server has crashed, and with it the work that it had been told to do.
  void unhear(ServerId server);
  /// The tickets of a server's announcements, in their order.
  [[nodiscard]] std::vector<std::uint32_t> of(ServerId writer) const;

  /// The version of a directory that a server knows of, where the truth is `version`.
  [[nodiscard]] Version known_to(ServerId server, workloads::PathId directory,
                                 Version version) const;
  [[nodiscard]] std::size_t size() const { return open_.size(); }

 private:
  [[nodiscard]] bool is_held_up(std::size_t position) const;

  std::vector<Announcement> open_;
  sim::FlatMap<std::uint32_t> changing_;  ///< open announcements by directory
  std::uint32_t tickets_ = 0;
};

}  // namespace recirc::model::client_cache
