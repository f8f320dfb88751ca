#include "model/callosal/callosal.h"
#include "pipeline/programs/directory/layout.h"
#include "sim/error.h"

// What must be so whenever nothing is under way.

namespace recirc::model::callosal {

namespace directory = pipeline::programs::directory;
using directory::State;
using verify::Access;

/// The directory knows of whoever has a page, a writer is alone, what readers have is in memory,
/// and no write that was over is gone.
void Callosal::check_pages_of(pages::NodeId id) const {
  auto& rmt_switch = const_cast<pipeline::Switch&>(switch_);  // whose parts are given out to change
  const auto load = [&](pipeline::ArrayId array, std::uint16_t entry) {
    return rmt_switch.array(directory_pipe, tag, array).load(entry).low;
  };
  const auto fail = [id](PageNumber page, const char* what) {
    throw sim::InvariantBroken("page " + std::to_string(page) + " of node " +
                               std::to_string(id.value()) + " " + what);
  };
  nodes_[id.value()]->for_each_page([&](PageNumber page, Access access, const Content& data) {
    const directory::Region* const region = control_plane_.table().find(page);
    // An inode that nobody has changed needs no entry yet.
    if (region == nullptr && (access == Access::none || is_inode(page))) return;
    if (region == nullptr) return fail(page, "is in no region of the directory");
    const auto state = static_cast<State>(load(directory::state_array, region->entry));
    const std::uint32_t sharers = load(directory::sharers_array, region->entry);
    const std::uint64_t newest = world_.workers.checks().newest(page);
    const std::uint64_t in_memory = blade_of(page).content(page).version;
    const bool known = (sharers >> id.value() & 1U) != 0;
    if (access != Access::none && !known) fail(page, "is not known to the directory");
    if (access != Access::none && data.version < newest) fail(page, "misses a write");
    if (access == Access::read && data.version != in_memory) fail(page, "is not as in memory");
    if (access == Access::write && (state != State::modified || sharers != 1U << id.value())) {
      fail(page, "may be written, and the directory has it otherwise");
    }
    if (state != State::modified && in_memory < newest) fail(page, "has lost a write");
  });
}

const Blade& Callosal::blade_of(PageNumber page) const {
  return *blades_[home_of(page, settings_.blades)];
}

}  // namespace recirc::model::callosal
