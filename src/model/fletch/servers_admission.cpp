#include <algorithm>

#include "model/fletch/control_message.h"
#include "model/fletch/servers.h"

// What the controller's messages do to a path: into the cache, into one more pipe, out of one, out
// of all (decisions 10 and 61).
namespace recirc::model::fletch {

using workloads::PathId;

/// The path is on its way into the cache, or into one more pipe.
void Servers::fetch(Server& server, PathId path, const Header& header) {
  PathState& state = paths_[path.value()];
  if (header.copies == 0 || state.generation == 0) {
    cached_.add(path);
    know(server.id(), path);
    state.generation = ++generations_;
    state.in_store = 0;
    state.gone = false;  // where the message of its eviction was lost
  }
  state.copies = header.copies;
  state.blocked = true;
  server.fetch(path, question_in(header));
}

/// The store has read the record. As long as an answer of an earlier stay in the cache has no
/// acknowledgement, it may come to the switch late, or again, and would replace the new record. So
/// may one from before a crash until the numbers are moved on; then the controller asks again.
void Servers::fetched(Server& server, PathId path, std::uint32_t cookie) {
  if (recovers(server)) return;
  const LateMetadata answer{&server, path, cookie};
  if (channels_.is_open_about(path) && !mutants_.tell_at_once) {
    late_metadata_.push_back(answer);
  } else {
    send_metadata(answer);
  }
}

void Servers::send_late_metadata() {
  std::erase_if(late_metadata_, [this](const LateMetadata& late) {
    if (channels_.is_open_about(late.path)) return false;
    send_metadata(late);
    return true;
  });
}

void Servers::send_metadata(const LateMetadata& answer) {
  Message message = to_controller(*answer.server, Ask::fetched, answer.path);
  auto header = message.header.get<Header>();
  put_question(header, answer.question);
  if (world_.state.exists(answer.path)) {
    header.set(pipeline::programs::fletch::hit);
    put_metadata(header, world_.state.metadata(answer.path));
  }
  message.header.set(header);
  mail_.send(message);
}

/// The path is in these pipes, and on its way into no other.
void Servers::admission_is_over(Server& server, PathId path, std::uint8_t copies) {
  PathState& state = paths_[path.value()];
  know(server.id(), path);
  state.copies = copies;
  state.blocked = false;
  while (!state.parked.empty()) {
    const Link link = take(state.parked);
    if ((link & change_bit) != 0) {
      // Writes that were in the store when it was parked may have been answered since.
      NamespaceState::Applied& applied = changes_.at(link & ~change_bit).applied;
      applied.changed = applied.changed && world_.state.exists(path);
      applied.metadata = world_.state.metadata(path);
      append(state.kept, link);
      continue;
    }
    let_in(state, link);
    server.proceed(link);
  }
  if (!state.unacknowledged && !state.kept.empty()) send_next(state);
}

void Servers::left_a_pipe(Server& server, PathId path, std::uint8_t copies) {
  PathState* state = paths_.find(path.value());
  if (state == nullptr || copies == 0) return forget(server, path);
  if (state->blocked) return admission_is_over(server, path, copies);  // it came to nothing
  state->copies = copies;
}

/// The path is not in the cache: nothing of it waits for the switch or the controller any more.
void Servers::forget(Server& server, PathId path) {
  const PathState* found = paths_.find(path.value());
  if (found == nullptr) return;
  PathState state = *found;
  paths_.erase(path.value());
  cached_.remove(path);
  if (!known_.empty()) known_[world_.ring.owner(keys_.whole_key(path)).value()].erase(path.value());
  while (!state.kept.empty()) send_next(state);
  while (!state.parked.empty()) {
    const Link link = take(state.parked);
    if ((link & change_bit) != 0) {
      change_is_over(link);
    } else {
      server.proceed(link);
    }
  }
}

}  // namespace recirc::model::fletch
