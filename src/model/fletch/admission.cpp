#include "model/fletch/admission.h"

#include <algorithm>

#include "model/fletch/records.h"
#include "sim/error.h"

namespace recirc::model::fletch {

void Admission::begin(workloads::PathId path, std::uint8_t pipe) {
  const workloads::Namespace& tree = desk_.world.tree;
  chain_.clear();
  ancestors_.clear();
  next_ = 0;
  rounds_ = 0;
  pipe_ = pipe;
  for (workloads::PathId p = path; !desk_.directory.contains(p, pipe); p = tree.parent(p)) {
    chain_.push_back(p);
    if (tree.depth(p) == 0) break;  // after a crash of the switch
  }
  std::reverse(chain_.begin(), chain_.end());
  for (workloads::PathId p = path; tree.depth(p) > 0;) {
    p = tree.parent(p);
    ancestors_.push_back(p);
  }
  admit_next();
}

void Admission::admit_next() {
  if (next_ == chain_.size()) return over();
  const workloads::PathId path = chain_[next_];
  const unsigned slots =
      desk_.world.tree.is_directory(path) ? Metadata::directory_slots : Metadata::file_slots;
  switch (desk_.directory.add(path, pipe_, slots, entry_)) {
    case CacheDirectory::Failure::none:
      begun_ = desk_.world.scheduler.now();
      desk_.log.write(ActiveLog::Event::admitting, desk_.directory[entry_]);
      return ask_for_metadata();
    case CacheDirectory::Failure::no_token:
      ++desk_.counters.token_overflows;
      return over();
    case CacheDirectory::Failure::no_entry:
      return make_room(false);
    case CacheDirectory::Failure::no_row:
      return make_room(true);
  }
}

void Admission::ask_for_metadata() {
  constexpr std::uint32_t numbers = std::uint32_t{1} << 31U;  // servers keep it in a cookie
  waits_for_metadata_ = true;
  question_ = ++desk_.questions % numbers;
  const workloads::PathId path = chain_[next_];
  Message message = desk_.message_to(desk_.world.topology.server(desk_.owner(path)), Ask::fetch,
                                     path, pipe_bit());
  auto header = message.header.get<ControlHeader>();
  put_question(header, question_);
  message.header.set(header);
  desk_.mail.send(message);
}

/// Nothing is on its way into the cache any more: a server that asks is told so.
void Admission::over() {
  chain_.clear();
  next_ = 0;
  listener_.admission_over();
}

// ------------------------------------------------------------------------------ making room ----

void Admission::make_room(bool in_this_pipe) {
  if (rounds_++ == most_rounds) {
    ++desk_.counters.no_room;
    return over();
  }
  const auto needed = static_cast<double>(chain_.size() - next_);
  const auto most = static_cast<std::size_t>(needed * desk_.settings.candidates + 0.5);
  candidates_ = desk_.leaves.coldest(
      most, ancestors_, in_this_pipe ? std::optional<std::uint8_t>(pipe_) : std::nullopt);
  if (candidates_.empty()) {
    ++desk_.counters.no_room;
    return over();
  }
  operations_.clear();
  for (const CacheEntry::Index index : candidates_) {
    const CacheEntry& entry = desk_.directory[index];
    operations_.push_back(read_frequency(desk_.pipe_of(entry), entry));
  }
  ++desk_.counters.selections;
  desk_.counters.frequency_reads += operations_.size();
  batch_ = desk_.world.control.submit(operations_, *this, Kind::frequencies_read);
}

void Admission::choose_victims() {
  const auto hits = desk_.world.control.values(batch_);
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    desk_.leaves.set_frequency(candidates_[i], hits[i].low);
  }
  desk_.world.control.release(batch_);
  const CacheDirectory& directory = desk_.directory;
  std::stable_sort(candidates_.begin(), candidates_.end(),
                   [&](CacheEntry::Index a, CacheEntry::Index b) {
                     return directory[a].frequency < directory[b].frequency;
                   });
  std::vector<CacheEntry::Index> victims;
  const std::size_t needed = chain_.size() - next_;
  const auto spared = [&](CacheEntry::Index index) {
    const auto end = ancestors_.end();
    return directory[index].parent == CacheEntry::none ||
           std::find(ancestors_.begin(), end, directory[index].path) != end;
  };
  for (const CacheEntry::Index candidate : candidates_) {
    if (victims.size() >= needed || directory[candidate].frequency > desk_.threshold) break;
    victims.push_back(candidate);
    // Ancestors that have no other cached child go with it.
    for (CacheEntry::Index i = candidate;;) {
      const bool only =
          directory[i].next == CacheEntry::none && directory[i].previous == CacheEntry::none;
      i = directory[i].parent;
      if (!only || spared(i)) break;
      victims.push_back(i);
    }
  }
  if (victims.empty()) {
    ++desk_.counters.colder_newcomers;
    return over();
  }
  eviction_.begin(victims, *this);
}

void Admission::released() { admit_next(); }

// ------------------------------------------------------------------------------- installing ----

void Admission::fetched(const ControlHeader& header) {
  const bool is_answer = question_in(header) == question_ || desk_.mutants.mix_admissions;
  const bool expected = waits_for_metadata_ && is_answer && next_ < chain_.size() &&
                        chain_[next_].value() == header.path;
  if (!expected) {
    if (desk_.mail.is_reliable()) return;  // asked for before a crash
    throw sim::InvariantBroken("the controller got metadata that it had not asked for");
  }
  waits_for_metadata_ = false;
  if (!header.has(pipeline::programs::fletch::hit)) {
    ++desk_.counters.missing_paths;
    desk_.log.write(ActiveLog::Event::released, desk_.directory[entry_]);
    desk_.directory.release(desk_.directory.remove(entry_));
    desk_.tell_owner(Ask::uncached, chain_[next_]);
    return over();
  }
  metadata_ = metadata_in(header);
  desk_.world.scheduler.after(desk_.settings.path_time, *this, Kind::worked);
}

void Admission::ask_again(ServerId server) {
  if (waits_for_metadata_ && desk_.owner(chain_[next_]) == server) ask_for_metadata();
}

void Admission::handle(const sim::Event& event) {
  if (life_ != desk_.life) return;
  switch (static_cast<Kind>(event.kind)) {
    case Kind::worked:
      return write_record();
    case Kind::record_written:
      return insert_lookups();
    case Kind::lookups_inserted:
      return path_is_cached();
    case Kind::frequencies_read:
      return choose_victims();
  }
}

void Admission::write_record() {
  operations_.clear();
  const CacheEntry& entry = desk_.directory[entry_];
  append_record(operations_, desk_.pipe_of(entry), entry, metadata_);
  batch_ = desk_.world.control.submit(operations_, *this, Kind::record_written);
}

void Admission::insert_lookups() {
  desk_.world.control.release(batch_);
  operations_.clear();
  const CacheEntry& entry = desk_.directory[entry_];
  append_lookups(operations_, entry, desk_.directory.copies(entry.path));
  batch_ = desk_.world.control.submit(operations_, *this, Kind::lookups_inserted);
}

void Admission::path_is_cached() {
  if (!desk_.world.control.succeeded(batch_)) {
    throw sim::InvariantBroken("a lookup table had no room for what the controller counted");
  }
  desk_.world.control.release(batch_);
  ++desk_.counters.admissions;
  desk_.counters.admission_time += desk_.world.scheduler.now() - begun_;
  desk_.log.write(ActiveLog::Event::admitted, desk_.directory[entry_], metadata_.version);
  desk_.leaves.added(entry_);
  desk_.tell_owner(Ask::cached, chain_[next_]);
  ++next_;
  admit_next();
}

}  // namespace recirc::model::fletch
