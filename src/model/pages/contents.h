#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/pages/workers.h"
#include "sim/flat_map.h"

namespace recirc::model::pages {

/// What is in a page: the number of the write that left it there, 0 for what was there at first.
struct Content {
  std::uint64_t version = 0;
  std::uint64_t word = 0;
};

/// The pages and sizes of all files, of one copy of them: on a server, or in a cache that is
/// coherent because it is the only one.
class Contents {
 public:
  explicit Contents(const std::vector<workloads::PageFile>& files) {
    for (const workloads::PageFile& file : files) sizes_.push_back(file.pages);
  }

  [[nodiscard]] Content& operator[](PageRef page) { return pages_[number_of(page)]; }
  [[nodiscard]] Content at(PageRef page) const {
    const Content* const found = pages_.find(number_of(page));
    return found == nullptr ? Content{} : *found;
  }
  [[nodiscard]] std::uint32_t& size(FileId file) { return sizes_[file.value()]; }

  void write(Workers& workers, WorkerId worker, PageRef page) {
    (*this)[page] = {workers.write(worker, page), workers.op(worker).word};
    size(page.file) = std::max(size(page.file), page.page + 1);
  }

  /// The worker's whole call has its effect now. Returns the word that it has read.
  std::uint64_t carry_out(Workers& workers, WorkerId worker) {
    const PageOp& op = workers.op(worker);
    std::uint64_t word = 0;
    PageRef page = op.first;
    switch (op.kind) {
      case PageOpKind::read:
        for (std::uint32_t i = 0; i < op.pages; ++i, ++page.page) {
          const Content content = at(page);
          workers.saw(worker, page, content.version);
          word = content.word;
        }
        break;
      case PageOpKind::append:
        page.page = size(page.file);
        [[fallthrough]];
      case PageOpKind::write:
        for (std::uint32_t i = 0; i < op.pages; ++i, ++page.page) write(workers, worker, page);
        break;
      case PageOpKind::truncate:
        cut(workers, worker, page);
        break;
      case PageOpKind::fsync:
      case PageOpKind::reopen:
        break;
    }
    return word;
  }

  /// Makes `size.page` the size of its file: pages that go are a new version without a word.
  void cut(Workers& workers, WorkerId worker, PageRef size) {
    std::uint32_t& pages = this->size(size.file);
    for (PageRef page = size; page.page < pages; ++page.page) {
      (*this)[page] = {workers.write(worker, page), 0};
    }
    pages = size.page;
  }

 private:
  sim::FlatMap<Content> pages_;
  std::vector<std::uint32_t> sizes_;  ///< in pages, by file
};

}  // namespace recirc::model::pages
