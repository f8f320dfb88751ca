#include "model/client_cache/announcements.h"

#include <algorithm>
#include <utility>

namespace recirc::model::client_cache {

using workloads::PathId;

Announcement& Announcements::open(Server& writer, RequestHandle handle,
                                  const NamespaceState::Applied& applied, std::uint32_t servers) {
  Announcement& announcement = open_.emplace_back();
  announcement.ticket = ++tickets_;
  announcement.writer = &writer;
  announcement.operation = writer.request(handle).operation.index;
  announcement.answers = {{handle, applied}};
  announcement.told.assign(servers, false);
  announcement.told[writer.id().value()] = true;
  announcement.heard = announcement.acknowledged = announcement.told;
  announcement.missing = servers - 1;
  announcement.below = applied.below;
  return announcement;
}

void Announcements::replaces(Announcement& announcement, const Told& replaced) {
  announcement.replaced[announcement.directories++] = replaced;
  ++changing_[replaced.directory.value()];
}

Announcement* Announcements::find(std::uint32_t ticket) {
  const auto found = std::find_if(open_.begin(), open_.end(),
                                  [&](const Announcement& a) { return a.ticket == ticket; });
  return found == open_.end() ? nullptr : &*found;
}

Announcement* Announcements::find_operation(std::uint64_t index) {
  const auto found = std::find_if(open_.begin(), open_.end(),
                                  [&](const Announcement& a) { return a.operation == index; });
  return found == open_.end() ? nullptr : &*found;
}

bool Announcements::is_held_up(std::size_t position) const {
  const Announcement& later = open_[position];
  for (std::size_t i = 0; i < position; ++i) {
    for (unsigned a = 0; a < open_[i].directories; ++a) {
      for (unsigned b = 0; b < later.directories; ++b) {
        if (open_[i].replaced[a].directory == later.replaced[b].directory) return true;
      }
    }
  }
  return false;
}

Announcement* Announcements::next_ready() {
  for (std::size_t i = 0; i < open_.size(); ++i) {
    if (open_[i].ready && !is_held_up(i)) return &open_[i];
  }
  return nullptr;
}

Announcement Announcements::close(std::uint32_t ticket) {
  Announcement* found = find(ticket);
  Announcement closed = std::move(*found);
  open_.erase(open_.begin() + (found - open_.data()));
  for (unsigned i = 0; i < closed.directories; ++i) {
    const std::uint64_t directory = closed.replaced[i].directory.value();
    if (--changing_[directory] == 0) changing_.erase(directory);
  }
  return closed;
}

std::vector<LateAnswer> Announcements::forget(ServerId writer) {
  std::vector<LateAnswer> lost;
  for (Announcement& announcement : open_) {
    if (announcement.writer->id() != writer) continue;
    lost.insert(lost.end(), announcement.answers.begin(), announcement.answers.end());
    announcement.answers.clear();
    announcement.acknowledged.assign(announcement.told.size(), false);
    announcement.acknowledged[writer.value()] = true;
    announcement.missing = static_cast<std::uint32_t>(announcement.told.size()) - 1;
    announcement.ready = false;
  }
  return lost;
}

void Announcements::unhear(ServerId server) {
  for (Announcement& announcement : open_) {
    announcement.heard[server.value()] = announcement.told[server.value()];
  }
}

std::vector<std::uint32_t> Announcements::of(ServerId writer) const {
  std::vector<std::uint32_t> tickets;
  for (const Announcement& announcement : open_) {
    if (announcement.writer->id() == writer) tickets.push_back(announcement.ticket);
  }
  return tickets;
}

Version Announcements::known_to(ServerId server, PathId directory, Version version) const {
  if (open_.empty() || changing_.find(directory.value()) == nullptr) return version;
  for (const Announcement& announcement : open_) {
    if (announcement.told[server.value()]) continue;
    for (unsigned i = 0; i < announcement.directories; ++i) {
      const Told& replaced = announcement.replaced[i];
      if (replaced.directory == directory) version = std::min(version, replaced.version);
    }
  }
  return version;
}

}  // namespace recirc::model::client_cache
