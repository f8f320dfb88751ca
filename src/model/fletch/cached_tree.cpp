#include "model/fletch/cached_tree.h"

namespace recirc::model::fletch {

using workloads::PathId;

void CachedTree::add(PathId path) {
  bool known = nodes_.find(path.value()) != nullptr;
  nodes_[path.value()].present = true;
  while (!known && tree_.depth(path) > 0) {
    const PathId parent = tree_.parent(path);
    known = nodes_.find(parent.value()) != nullptr;
    const Index sibling = nodes_[parent.value()].first_child;
    nodes_[parent.value()].first_child = path.value();
    nodes_[path.value()].next = sibling;
    if (sibling != none) nodes_[sibling].previous = path.value();
    path = parent;
  }
}

void CachedTree::remove(PathId path) {
  Node* node = nodes_.find(path.value());
  if (node == nullptr) return;
  node->present = false;
  while (!node->present && node->first_child == none) {
    const bool is_root = tree_.depth(path) == 0;
    if (!is_root) unhang(path);
    nodes_.erase(path.value());
    if (is_root) return;
    path = tree_.parent(path);
    node = nodes_.find(path.value());
  }
}

void CachedTree::unhang(PathId path) {
  const Node node = nodes_[path.value()];
  if (node.next != none) nodes_[node.next].previous = node.previous;
  if (node.previous != none) {
    nodes_[node.previous].next = node.next;
  } else {
    nodes_[tree_.parent(path).value()].first_child = node.next;
  }
}

std::vector<PathId> CachedTree::below(PathId directory) const {
  std::vector<PathId> found{directory};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Node* node = nodes_.find(found[i].value());
    if (node == nullptr) continue;
    for (Index child = node->first_child; child != none; child = nodes_.find(child)->next) {
      found.emplace_back(child);
    }
  }
  found.erase(found.begin());
  std::erase_if(found, [this](PathId path) { return !nodes_.find(path.value())->present; });
  return found;
}

}  // namespace recirc::model::fletch
