#include "model/request_memory.h"

namespace recirc::model {

RequestMemory::Verdict RequestMemory::arrived(std::uint32_t session, std::uint64_t number) {
  if (!dedupe_) return Verdict::fresh;
  if (session >= sessions_.size()) sessions_.resize(std::size_t{session} + 1);
  Session& last = sessions_[session];
  if (number > last.number) {
    last.number = number;
    last.done = false;
    return Verdict::fresh;
  }
  ++counters_.repeated;
  if (number < last.number) {
    ++counters_.old;
    return Verdict::old;
  }
  return last.done ? Verdict::answered : Verdict::waiting;
}

void RequestMemory::carried_out(std::uint32_t session, std::uint64_t number, Version before,
                                const NamespaceState::Applied& applied) {
  if (dedupe_) {
    Session& last = sessions_[session];
    if (last.number != number) return;  // the client has given it up, and gone on
    last.done = true;
    last.applied = applied;
    return;
  }
  if (const Done* first = done_.find(number)) {
    if (applied.changed) ++counters_.applied_again;
    if (applied.changed && before != first->version) ++counters_.undone;
    if (first->outcome == Outcome::written && applied.outcome != Outcome::written) {
      ++counters_.refused_again;
    }
    return;
  }
  done_[number] = {applied.outcome, applied.metadata.version};
}

void RequestMemory::turned_away(std::uint32_t session, std::uint64_t number) {
  if (!dedupe_ || sessions_[session].number != number) return;
  sessions_[session].number = number - 1;
  sessions_[session].done = true;
}

void RequestMemory::forget_waiting() {
  for (Session& last : sessions_) {
    if (last.done) continue;
    --last.number;
    last.done = true;
  }
}

}  // namespace recirc::model
