#include "workloads/computed_tree.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "sim/error.h"

namespace recirc::workloads {
namespace {

constexpr std::uint64_t most_directories = std::uint64_t{1} << 20;
constexpr std::uint64_t most_paths = 0xffffffffU;  // the last id means none

std::uint32_t digits_of(std::uint64_t number) {
  std::uint32_t digits = 1;
  for (; number >= 10; number /= 10) ++digits;
  return digits;
}

/// Directories of levels 0..levels, or more than most_directories if there are more.
std::uint64_t directories_of(const TreeShape& shape) {
  std::uint64_t level = 1;
  std::uint64_t all = 1;
  for (std::uint32_t l = 1; l <= shape.directory_levels && all <= most_directories; ++l) {
    level *= shape.branching;
    all += level;
  }
  return all;
}

/// Writes '/', the kind and the number, padded to `length` bytes.
void write_component(char* out, std::size_t length, char kind, std::uint64_t number) {
  std::memset(out, '0', length);
  out[0] = '/';
  out[1] = kind;
  for (char* digit = out + length - 1; number != 0; number /= 10) {
    *digit-- = static_cast<char>('0' + number % 10);
  }
}

}  // namespace

std::vector<sim::Issue> problems_of(const TreeShape& shape) {
  std::vector<sim::Issue> issues;
  const auto issue = [&](const char* pointer, std::string message) {
    issues.push_back({pointer, std::move(message), ""});
  };
  if (shape.branching < 1) issue("/tree/branching", "must be at least 1");
  if (shape.files < 1) issue("/files", "must be at least 1");
  if (shape.directory_levels >= max_depth) {
    issue("/tree/levels", "must be below " + std::to_string(max_depth));
  }
  if (!issues.empty()) return issues;

  const std::uint64_t directories = directories_of(shape);
  const std::uint64_t largest = std::max(directories - 1, (shape.files - 1) / directories);
  const std::uint32_t components = shape.directory_levels + 1;
  const std::uint32_t needed = components * (2 + digits_of(largest));
  if (directories > most_directories) {
    issue("/tree", "has more than " + std::to_string(most_directories) +
                       " directories; use fewer levels or a smaller branching");
  } else if (directories + shape.files > most_paths) {
    issue("/files",
          "at most " + std::to_string(most_paths - directories) + " fit beside the directories");
  } else if (shape.longest_path < needed) {
    issue("/tree/longest_path", std::to_string(components) +
                                    " components with their numbers need " +
                                    std::to_string(needed) + " bytes");
  }
  return issues;
}

ComputedTree::ComputedTree(const TreeShape& shape) : shape_(shape) {
  if (auto issues = problems_of(shape); !issues.empty()) {
    for (sim::Issue& issue : issues) issue.pointer = "/workload" + issue.pointer;
    throw sim::ConfigError(std::move(issues));
  }
  directories_ = static_cast<std::uint32_t>(directories_of(shape));
  directory_component_ = shape.longest_path / (shape.directory_levels + 1);
  file_digits_ = digits_of((shape.files - 1) / directories_);
  reciprocal_ = ((std::uint64_t{1} << 44) + shape.branching - 1) / shape.branching;
  file_component_ = shape.longest_path - directory_component_ * shape.directory_levels;

  std::uint32_t start = 0;
  std::uint32_t width = 1;
  level_of_.reserve(directories_);
  for (std::uint32_t level = 0; level <= shape.directory_levels; ++level) {
    level_start_.push_back(start);
    level_of_.insert(level_of_.end(), width, static_cast<std::uint8_t>(level));
    start += width;
    width *= shape.branching;
  }
  level_start_.push_back(start);

  compute_keys();
}

void ComputedTree::compute_keys() {
  std::string name(directory_component_, '0');
  std::string file(file_component_, '0');
  write_component(file.data(), file.size(), 'f', 0);
  file.resize(file_component_ - file_digits_);

  std::vector<KeyPrefix> paths(directories_);
  for (std::uint32_t d = 0; d < directories_; ++d) {
    if (d > 0) {
      write_component(name.data(), name.size(), 'd', d);
      paths[d] = paths[parent_of(d)];
      paths[d].append(name);
    }
    const KeyPrefix& path = paths[d];
    directory_keys_.push_back(d == 0 ? key_of("/")
                                     : finish_key(path.state(), path.hashed(), path.tail(), {}));
    KeyPrefix files = path;
    files.append(file);
    const std::string_view tail = files.tail();
    if (d == level_start_[level_prefix_.size()]) {
      level_prefix_.push_back(
          {files.hashed(), static_cast<std::uint32_t>(tail.size()), tails_.size()});
    }
    states_.push_back(files.state());
    tails_.insert(tails_.end(), tail.begin(), tail.end());
  }
}

std::uint32_t ComputedTree::directory_of(PathId file) const {
  return (file.value() - directories_) % directories_;
}

double ComputedTree::mean_file_depth() const {
  double sum = 0;
  for (std::uint32_t level = 0; level <= shape_.directory_levels; ++level) {
    sum += static_cast<double>(files_on_level(level)) * (level + 1);
  }
  return sum / static_cast<double>(shape_.files);
}

std::uint64_t ComputedTree::files_on_level(unsigned level) const {
  const std::uint32_t first = level_start_[level];
  const std::uint32_t end = level_start_[level + 1];
  const std::uint64_t rest = shape_.files % directories_;  // these directories hold one more
  const std::uint64_t more = rest <= first ? 0 : std::min<std::uint64_t>(rest, end) - first;
  return shape_.files / directories_ * (end - first) + more;
}

unsigned ComputedTree::depth(PathId path) const {
  return is_directory(path) ? level_of_[path.value()] : level_of_[directory_of(path)] + 1U;
}

PathId ComputedTree::parent(PathId path) const {
  return PathId{is_directory(path) ? parent_of(path.value()) : directory_of(path)};
}

std::uint64_t ComputedTree::children(PathId path) const {
  if (!is_directory(path)) return 0;
  const std::uint64_t files = shape_.files / directories_;
  return files + (path.value() < shape_.files % directories_ ? 1 : 0) +
         (path.value() < level_start_[shape_.directory_levels] ? shape_.branching : 0);
}

PathId ComputedTree::child(PathId directory, PathId like) const {
  if (is_directory(like)) {
    const bool own = like.value() != 0 && parent_of(like.value()) == directory.value();
    return own ? like : PathId::none();
  }
  const std::uint64_t number = number_in_directory(like) * directories_ + directory.value();
  return is_directory(directory) && number < shape_.files ? file(number) : PathId::none();
}

std::uint64_t ComputedTree::name_hash(PathId path) const {
  return is_directory(path) ? path.value() : directories_ + number_in_directory(path);
}

Key ComputedTree::key(PathId path) const {
  return is_directory(path) ? directory_keys_[path.value()]
                            : file_key(number_in_directory(path), directory_of(path));
}

Key ComputedTree::file_key(std::uint64_t number, std::uint32_t directory) const {
  std::array<char, 10> digits;  // of a number below 2^32
  for (std::uint32_t d = file_digits_; d-- > 0; number /= 10) {
    digits[d] = static_cast<char>('0' + number % 10);
  }
  const unsigned level = level_of_[directory];
  const LevelPrefix& prefix = level_prefix_[level];
  const char* tail = tails_.data() + prefix.tails_offset +
                     std::size_t{directory - level_start_[level]} * prefix.tail;
  return finish_key(states_[directory], prefix.hashed, {tail, prefix.tail},
                    {digits.data(), file_digits_});
}

void ComputedTree::level_keys(PathId path, LevelKeys& out) const {
  std::uint32_t directory = path.value();
  if (is_directory(path)) {
    out.depth = level_of_[directory];
  } else {
    directory = directory_of(path);
    out.depth = level_of_[directory] + 1U;
    out.keys[out.depth] = file_key(number_in_directory(path), directory);
  }
  for (unsigned level = level_of_[directory] + 1U; level-- > 0; directory = parent_of(directory)) {
    out.keys[level] = directory_keys_[directory];
  }
}

unsigned ComputedTree::path_length(PathId path) const {
  if (path.value() == 0) return 1;
  if (is_directory(path)) return level_of_[path.value()] * directory_component_;
  return level_of_[directory_of(path)] * directory_component_ + file_component_;
}

std::string ComputedTree::path(PathId path) const {
  if (path.value() == 0) return "/";
  std::string text(path_length(path), '0');
  std::size_t end = text.size();
  std::uint32_t directory = path.value();
  if (!is_directory(path)) {
    end -= file_component_;
    write_component(&text[end], file_component_, 'f', number_in_directory(path));
    directory = directory_of(path);
  }
  for (; directory != 0; directory = parent_of(directory)) {
    end -= directory_component_;
    write_component(&text[end], directory_component_, 'd', directory);
  }
  return text;
}

}  // namespace recirc::workloads
