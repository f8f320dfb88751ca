#include "model/fletch/control_message.h"
#include "model/fletch/servers.h"
#include "model/frames.h"

// Multi-path writes (Fletch §V ii, decision 50): what a write does to cached paths beside its own.
namespace recirc::model::fletch {

namespace program = pipeline::programs::fletch;
using workloads::OpKind;
using workloads::PathId;

/// The write has been carried out. What it changes below its path, or at its destination, takes its
/// place among the writes of those paths now, so that all paths see commits in the same order.
void Servers::imply_changes(RequestHandle handle) {
  const Seen& seen = seen_[handle];
  const Request& request = world_.requests[handle];
  const workloads::Operation& operation = request.operation;
  const bool done =
      seen.applied.changed || (request.replayed && seen.applied.outcome == Outcome::written);
  const std::uint64_t before = changes_begun_;
  if (seen.applied.below && done) {
    for (const PathId path : cached_.below(operation.path)) imply_change(handle, path, true);
  } else if (operation.kind == OpKind::rename && !operation.destination.is_none() &&
             operation.destination != operation.path) {
    // A rename that was refused has locked its destination all the same.
    imply_change(handle, operation.destination, done);
  }
  if (changes_begun_ != before) ++multi_path_writes_;
}

void Servers::imply_change(RequestHandle handle, PathId path, bool changed) {
  add_change(*seen_[handle].server, mutants_.parent_first ? nobody : handle, path, changed);
}

/// `write` waits for it, or nobody does.
void Servers::add_change(Server& server, RequestHandle write, PathId path, bool changed,
                         bool replaced) {
  PathState* state = paths_.find(path.value());
  if (state == nullptr) return;
  // What follows a retraction that a recovery has sent waits for it.
  if (state->gone && (known_.empty() || !state->unacknowledged)) return;
  const Link number = next_change_;
  next_change_ = (next_change_ + 1) & ~change_bit;
  if (((next_change_ | change_bit) == nobody)) next_change_ = 0;
  Change& change = changes_[number];
  change.path = path;
  change.server = &server;
  change.write = write;
  // A path that is not there any more waits for the write that took it away, whose answer a crash
  // of its server may have cut short: it must not be readable even so.
  const bool exists = world_.state.exists(path);
  change.applied.path_is_gone = replaced || (!known_.empty() && !exists);
  change.applied.changed = changed && exists && !replaced;
  change.applied.metadata = world_.state.metadata(path);
  ++changes_begun_;
  if (write != nobody) ++seen_[write].open_changes;
  const Link link = number | change_bit;
  if (state->copies == 0) return append(state->parked, link);
  append(state->kept, link);
  if (!state->unacknowledged && may_send(*state)) send_next(*state);
}

/// While a path's own server, which is not the sender, is down or recovers, it has perhaps not told
/// the switch that the path was gone in between, and what the cache has below it is then of what
/// was there before.
bool Servers::is_unsure_of(PathId path, ServerId sender) const {
  if (not_serving_.empty() || mutants_.trust_crashed) return false;
  const ServerId owner = world_.ring.owner(keys_.whole_key(path));
  return owner != sender && not_serving_.count(owner.value()) != 0;
}

void Servers::send_change(Link link) {
  Change change = changes_.at(link & ~change_bit);
  PathState* state = paths_.find(change.path.value());
  if (state == nullptr) return change_is_over(link);
  if (is_unsure_of(change.path, change.server->id())) change.applied.path_is_gone = true;
  const EndpointId sender = world_.topology.server(change.server->id());
  Message message = control_message(sender, sender, Ask::refresh, change.path, world_.tree);
  auto header = message.header.get<Header>();
  header.kind = program::Kind::cached_answer;
  header.tokens[0] = tokens_.of(change.path);
  if (change.applied.path_is_gone && !state->gone) say(*change.server, Ask::evict, change.path);
  header.effect = effect_of(*state, change.applied);
  header.set_change(link);
  header.copies = copies_to_reach(*change.server, *state);
  unsigned slots = 0;
  if (header.effect == Effect::update || header.effect == Effect::store) {
    put_metadata(header, change.applied.metadata);
    slots = change.applied.metadata.slots();
    ++record_updates_;
  }
  message.header.set(header);
  message.length = frames::answer(1, slots);
  state->unacknowledged = true;
  state->sender = change.server->id().value();
  if (channels_.are_used()) return channels_.send(change.server->id(), message, false);
  world_.fabric.send(message);
}

/// The switch has it, or the path is not cached any more. The last one lets its write be answered.
void Servers::change_is_over(Link link) {
  const auto found = changes_.find(link & ~change_bit);
  if (found == changes_.end()) return;  // acknowledged twice
  const RequestHandle handle = found->second.write;
  changes_.erase(found);
  if (handle == nobody) return;
  Seen& seen = seen_[handle];
  if (--seen.open_changes != 0 || !seen.is_due) return;
  seen.is_due = false;
  if (send_answer(*seen.server, handle, seen.applied)) seen.server->release_worker();
}

}  // namespace recirc::model::fletch
