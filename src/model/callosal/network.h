#pragma once

#include <cstdint>

#include "model/pages/contents.h"
#include "model/pages/page_system.h"

namespace recirc::model::callosal {

/// A page in the shared address space: what the directory in the switch sees of it.
using PageNumber = std::uint64_t;

using pages::Content;

/// The page of the shared address space that has a file's shadow inode: its word is the file's
/// size, in pages, and its version the change that made it so; the word's upper half is its time of
/// change, if it has one. Callosal §4.5, §5.3: bits of the
/// address tell it from the file's pages.
constexpr std::uint32_t inode_page = pages::size_page;
constexpr pages::PageRef inode_of(pages::FileId file) { return {file, inode_page}; }
constexpr std::uint32_t size_in(const Content& inode) {
  return static_cast<std::uint32_t>(inode.word);
}
constexpr std::uint64_t tick_in(const Content& inode) { return inode.word >> 32U; }
constexpr bool is_inode(PageNumber page) { return (page & inode_page) != 0; }
constexpr pages::FileId file_of(PageNumber page) {
  return pages::FileId{static_cast<pages::FileId::rep>(page >> 32U)};
}

/// Pages that the directory has one entry for.
struct PageRange {
  PageNumber first = 0;
  std::uint64_t pages = 1;

  static PageRange of(PageNumber page, std::uint8_t bits) {
    const std::uint64_t pages = std::uint64_t{1} << bits;
    return {page & ~(pages - 1), pages};
  }
  [[nodiscard]] bool has(PageNumber page) const { return page - first < pages; }
};

/// What happens to the copies of those who are told to give up a region.
enum class GiveUp : std::uint8_t {
  writing,  ///< somebody wants to read: a clean copy may stay
  copies,   ///< somebody wants to write
};

struct Invalidation {
  PageNumber page = 0;   ///< that the requester wants
  PageNumber first = 0;  ///< of the region
  std::uint32_t pages = 1;
  GiveUp what = GiveUp::copies;
  bool wants_data = false;  ///< the requester waits for the page from here
  pages::NodeId requester{0};
  std::uint16_t ask = 0;
  std::uint8_t round = 0;
  bool is_recall = false;  ///< by the control plane, which waits for it
};

/// How a node reaches the directory.
class Network {
 public:
  virtual ~Network() = default;
  virtual void ask(pages::NodeId node, PageNumber page, bool to_write, std::uint16_t ask) = 0;
  /// The page that an invalidation wants; `data` is nullptr when this node has not got it, and
  /// memory has what counts.
  virtual void push(pages::NodeId node, const Invalidation& invalidation, const Content* data) = 0;
  /// A changed page of a region that is given up, which nobody waits for: to memory.
  virtual void put_back(pages::NodeId node, PageNumber page, const Content& data,
                        std::uint8_t round) = 0;
  /// The node has nothing any more of the region of 2^region_bits pages that `page` is in.
  virtual void evict(pages::NodeId node, PageNumber page, std::uint8_t region_bits,
                     std::uint8_t round) = 0;
  /// All blades are to bring to the store what they have of the file, once what this node has sent
  /// is there. Each answers with `number`.
  virtual void sync(pages::NodeId node, pages::FileId file, std::uint32_t number) = 0;
  /// FIN_ACK: the region is given up.
  virtual void gave_up(pages::NodeId node, const Invalidation& invalidation) = 0;
  /// The node has given up what the control plane has recalled.
  virtual void recalled(pages::NodeId node, PageNumber page) = 0;
  /// The node has waited for the page, or to leave its region, for as long as it may take.
  virtual void complain(pages::NodeId node, PageNumber page) = 0;
};

}  // namespace recirc::model::callosal
