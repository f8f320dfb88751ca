#include "pipeline/pass_context.h"

#include <fmt/format.h>

#include <algorithm>

#include "pipeline/layout.h"
#include "sim/error.h"

namespace recirc::pipeline {
namespace {

const char* name_of(Gress gress) { return gress == Gress::ingress ? "ingress" : "egress"; }

Gress gress_of(std::uint16_t position) {
  return position < 0x100U ? Gress::ingress : Gress::egress;
}

/// Why an object pinned to `pinned` cannot be used from `here`.
std::string misplaced(std::uint16_t pinned, std::uint16_t here) {
  if (gress_of(pinned) != gress_of(here)) {
    return fmt::format("is used in {} but lies in {}", name_of(gress_of(here)),
                       name_of(gress_of(pinned)));
  }
  const unsigned stage = pinned & 0xffU;
  const unsigned at = here & 0xffU;
  return fmt::format("lies in stage {}, {} stage {} where it is used", stage,
                     stage < at ? "before" : "after", at);
}

}  // namespace

void PassContext::refuse(const char* what) const { refuse_at("", what); }

void PassContext::refuse_at(const std::string& array, const std::string& what) const {
  throw sim::ConstraintViolation(
      {env_.layout->program, array, static_cast<int>(stage()), packet_.passes, packet_.id}, what);
}

void PassContext::refuse_table(TableId id) const {
  const TableSpec& spec = env_.layout->tables[id.value()];
  if (env_.tables[id.value()].position != position_) {
    refuse_at(spec.name, misplaced(env_.tables[id.value()].position, position_));
  }
  refuse_at(spec.name, "is applied a second time in one pass");
}

void PassContext::refuse_array(ArrayId id, ActionId action, std::uint32_t index) const {
  const ArraySpec& spec = env_.layout->arrays[id.value()];
  const ArrayState& array = env_.arrays[id.value()];
  if (array.position != position_) refuse_at(spec.name, misplaced(array.position, position_));
  if (array.last_pass == stamp_) {
    refuse_at(spec.name, "is accessed a second time in one pass");
  }
  if (index >= array.entries) {
    refuse_at(spec.name, fmt::format("has {} entries, not one at {}", array.entries, index));
  }
  refuse_at(spec.name, fmt::format("declares {} register actions, not one of number {}",
                                   array.action_count, action.value()));
}

void PassContext::refuse_verdict(bool out_of_range) const {
  if (gress() == Gress::egress && packet_.pass.verdict == Verdict::none) {
    refuse("egress chooses an output, which only ingress can");
  }
  if (packet_.pass.verdict != Verdict::none) refuse("more than one verdict in a gress");
  refuse(out_of_range ? "names an output that the switch does not have" : "has no such verdict");
}

PassSide& PassContext::side() {
  if (packet_.pass.side == ~0U) packet_.pass.side = env_.sides->take();
  return (*env_.sides)[packet_.pass.side];
}

void PassContext::wait_for(PortId loop, ArrayId id, ActionId action, std::uint32_t index) {
  recirculate(loop, true);
  if (id.value() >= env_.array_count) refuse("waits for an array it did not declare");
  ArrayState& array = env_.arrays[id.value()];
  if (action.value() >= array.action_count || index >= array.entries) {
    refuse_array(id, action, index);
  }
  if (!array.actions[action.value()].only_looks()) refuse("waits by an action that writes");
  packet_.pass.waits = true;
  packet_.watch = {&array, index, array.execute(action, index, 0, 0), action};
}

void PassContext::mirror(SessionId session, MirrorOptions options) {
  PassState& pass = packet_.pass;
  if (pass.mirrored) refuse("mirrors twice in a gress");
  if (session.value() >= env_.session_count) refuse("mirrors to a session that is not set up");
  if (gress() == Gress::ingress && !env_.layout->ingress_mirror) {
    refuse("mirrors in ingress, which its layout does not declare");
  }
  pass.mirrored = true;
  pass.mirror_session = session.value();
  pass.mirror_truncate = options.truncate_to;
  pass.mirror_payload = options.payload;
  if (env_.observer != nullptr) {
    PassEvent event = here(Visit::mirror);
    event.target = session.value();
    env_.observer->visited(packet_, *env_.layout, event);
  }
}

void PassContext::digest(std::span<const std::byte> bytes) {
  if (gress() != Gress::ingress) refuse("sends a digest in egress");
  if (packet_.pass.digest_bytes != 0) refuse("sends two digests in one pass");
  if (bytes.empty() || bytes.size() > Digest::max_bytes) {
    refuse("sends a digest that is empty or longer than 47 bytes");
  }
  Digest& digest = side().digest;
  std::copy(bytes.begin(), bytes.end(), digest.data.begin());
  digest.bytes = static_cast<std::uint8_t>(bytes.size());
  packet_.pass.digest_bytes = digest.bytes;
  if (env_.observer != nullptr) {
    env_.observer->visited(packet_, *env_.layout, here(Visit::digest));
  }
}

PassEvent PassContext::here(Visit visit) const {
  PassEvent event;
  event.visit = visit;
  event.gress = gress();
  event.stage = stage();
  return event;
}

void PassContext::observe_lookup(TableId id, MatchKey key, const Match& match) const {
  PassEvent event = here(Visit::lookup);
  event.index_of_object = id.value();
  event.key = key;
  event.hit = match.hit;
  event.result = match.result;
  env_.observer->visited(packet_, *env_.layout, event);
}

std::uint32_t PassContext::observe_execute(ArrayId id, ActionId action, std::uint32_t index,
                                           std::uint32_t a, std::uint32_t b) {
  ArrayState& array = env_.arrays[id.value()];
  PassEvent event = here(Visit::execute);
  event.index_of_object = id.value();
  event.entry = index;
  event.action = action;
  event.before = array.load(index);
  const std::uint32_t output = array.execute(action, index, a, b);
  event.after = array.load(index);
  event.result = output;
  env_.observer->visited(packet_, *env_.layout, event);
  return output;
}

void PassContext::observe_verdict() const {
  PassEvent event = here(Visit::verdict);
  event.verdict = packet_.pass.verdict;
  event.target = packet_.pass.target;
  env_.observer->visited(packet_, *env_.layout, event);
}

}  // namespace recirc::pipeline
