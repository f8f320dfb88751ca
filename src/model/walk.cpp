#include "model/walk.h"

#include <fmt/format.h>

#include <utility>

#include "model/op_tracker.h"

namespace recirc::model {
namespace {

using pipeline::Gress;
using pipeline::PassEvent;
using pipeline::Verdict;
using pipeline::Visit;

const char* name_of(Gress gress) { return gress == Gress::ingress ? "ingress" : "egress"; }

std::string verdict_text(const PassEvent& event) {
  switch (event.verdict) {
    case Verdict::forward:
      return fmt::format("forward to port {}", event.target);
    case Verdict::recirculate:
      return fmt::format("recirculate by port {}", event.target);
    case Verdict::cable:
      return fmt::format("cross to pipe {}", event.target);
    case Verdict::multicast:
      return fmt::format("multicast to group {}", event.target);
    case Verdict::drop:
      return "drop";
    case Verdict::none:
      break;
  }
  return "go on";
}

std::string words_text(const pipeline::Words& words) {
  return words.high == 0 ? fmt::format("{}", words.low)
                         : fmt::format("({}, {})", words.low, words.high);
}

std::string visit_text(const pipeline::Layout& layout, const PassEvent& event) {
  switch (event.visit) {
    case Visit::lookup: {
      const std::string& table = layout.tables[event.index_of_object].name;
      return event.hit ? fmt::format("{}: match, result {:#x}", table, event.result)
                       : fmt::format("{}: no match", table);
    }
    case Visit::execute: {
      const pipeline::ArraySpec& array = layout.arrays[event.index_of_object];
      const std::string entry = fmt::format("{}[{}] {}", array.name, event.entry,
                                            array.actions[event.action.value()].name);
      const std::string before = words_text(event.before);
      const std::string after = words_text(event.after);
      if (before == after) return fmt::format("{}: is {}, returns {}", entry, before, event.result);
      return fmt::format("{}: {} -> {}, returns {}", entry, before, after, event.result);
    }
    case Visit::verdict:
      return verdict_text(event);
    case Visit::mirror:
      return fmt::format("mirror to session {}", event.target);
    case Visit::digest:
      return "digest to the control plane";
  }
  return {};
}

std::string moment_text(Moment moment, const Request& request, const workloads::Namespace& tree) {
  switch (moment) {
    case Moment::issued:
      return fmt::format("client {} issues {} {}", request.client.value(),
                         workloads::name_of(request.operation.kind),
                         tree.path(request.operation.path));
    case Moment::sent_again:
      return "the client sends it again";
    case Moment::asked_again:
      return "the client asks again";
    case Moment::at_server:
      return fmt::format("at server {}", request.server.value());
    case Moment::parked:
      return "kept back by the server before the store";
    case Moment::in_store:
      return "queues for the store";
    case Moment::committed:
      return fmt::format("the store has carried it out: {}, version {}",
                         model::name_of(request.outcome), request.version);
    case Moment::turned_away:
      return "the server does not carry it out: the client must ask again";
    case Moment::answer_kept_back:
      return "the server keeps the answer back";
    case Moment::completed:
      return fmt::format("completed: {}, version {}", model::name_of(request.outcome),
                         request.version);
    case Moment::gave_up:
      return "the client gives up";
  }
  return {};
}

}  // namespace

Walk::Walk(const sim::Scheduler& scheduler, const workloads::Namespace& tree,
           const std::vector<std::uint64_t>& operations)
    : scheduler_(scheduler), tree_(tree) {
  for (const std::uint64_t operation : operations) wanted_[operation] = true;
  open_ = wanted_.size();
}

void Walk::happened(Moment moment, const Request& request, RequestHandle handle) {
  const std::uint64_t operation = request.operation.index;
  if (wanted_.find(operation) == nullptr) return;
  const bool leaves_client =
      moment == Moment::issued || moment == Moment::sent_again || moment == Moment::asked_again;
  if (leaves_client) by_payload_[handle] = operation;
  add(operation, 0, moment_text(moment, request, tree_));
  if (moment == Moment::completed || moment == Moment::gave_up) {
    by_payload_.erase(handle);
    --open_;
  }
}

void Walk::entered(const pipeline::Packet& packet, const pipeline::Layout& /*layout*/, Gress gress,
                   sim::Time /*at*/) {
  const std::uint64_t operation = operation_of(packet);
  if (operation == nobody) return;
  add(operation, 1,
      fmt::format("{} of pipe {}, pass {}, {} recirculations, {} bytes{}", name_of(gress),
                  packet.pipe.value(), packet.passes, packet.recirculations, packet.length.count(),
                  packet.origin == pipeline::Origin::port ? "" : ", mirrored copy"));
}

void Walk::visited(const pipeline::Packet& packet, const pipeline::Layout& layout,
                   const PassEvent& event) {
  const std::uint64_t operation = operation_of(packet);
  if (operation == nobody) return;
  add(operation, 2, fmt::format("stage {:>2}  {}", event.stage, visit_text(layout, event)));
}

std::uint64_t Walk::operation_of(const pipeline::Packet& packet) {
  if (!packet.payload.is_none()) {
    if (const std::uint64_t* operation = by_payload_.find(packet.payload.value())) {
      // The copies and the passes after the answer have no payload any more: the packet's number
      // tells whose they are.
      by_original_[packet.original] = *operation;
      return *operation;
    }
  }
  const std::uint64_t* operation = by_original_.find(packet.original);
  return operation == nullptr ? nobody : *operation;
}

void Walk::add(std::uint64_t operation, unsigned indent, std::string text) {
  steps_.push_back({scheduler_.now(), operation, indent, std::move(text)});
}

std::string text_of(const std::vector<WalkStep>& steps) {
  sim::FlatMap<sim::Time> issued;
  std::string text;
  for (const WalkStep& step : steps) {
    if (issued.find(step.operation) == nullptr) issued[step.operation] = step.at;
    text += fmt::format("{:>12.6f} us  operation {}  {:{}}{}\n",
                        sim::as_microseconds(step.at - issued[step.operation]), step.operation, "",
                        step.indent * 2, step.text);
  }
  return text;
}

}  // namespace recirc::model
