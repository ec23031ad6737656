// SPDX-License-Identifier: BSD-3-Clause
// Nodes of a B+-tree, in private heaps of the owner's node, with global pointers. Zeroed memory,
// apart from the kind, is an empty node. Memory stays a node of its kind until a collective call,
// so stale references lead to nodes.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/global/memory/direct_access.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace acre::container {

enum class node_kind : std::uint32_t { leaf, inner };

struct node_head {
  std::atomic<std::uint32_t> count;
  node_kind kind;           ///< written before the node is reachable
  std::uint64_t next_free;  ///< global pointer; for the holder of the lock
};

class tree_node {
 public:
  explicit tree_node(std::byte* memory) noexcept : memory_(memory) {}

  [[nodiscard]] std::byte* memory() const noexcept { return memory_; }
  [[nodiscard]] node_head& head() const noexcept { return *reinterpret_cast<node_head*>(memory_); }
  [[nodiscard]] bool is_leaf() const noexcept { return head().kind == node_kind::leaf; }
  [[nodiscard]] std::uint32_t count() const noexcept {
    return head().count.load(std::memory_order_acquire);
  }
  void set_count(std::uint32_t count) const noexcept {
    head().count.store(count, std::memory_order_release);
  }

 private:
  std::byte* memory_;
};

/// A kibibyte: larger nodes cost searches more cache lines, smaller ones more levels.
[[nodiscard]] constexpr std::uint32_t node_capacity(std::size_t bytes) noexcept {
  return static_cast<std::uint32_t>(
      smaller<std::size_t>(larger<std::size_t>(1024 / bytes, 4), 128));
}

inline void move_elements(std::byte* target, const std::byte* source, std::size_t bytes) noexcept {
  std::memmove(target, source, bytes);
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

/// @tparam K, V  stored forms
template <class K, class V>
class leaf_node : public tree_node {
 public:
  static constexpr node_kind kind = node_kind::leaf;
  static constexpr std::uint32_t capacity = node_capacity(sizeof(K) + sizeof(V));
  static constexpr std::size_t keys_at = round_up(sizeof(node_head), alignof(K));
  static constexpr std::size_t values_at = round_up(keys_at + capacity * sizeof(K), alignof(V));
  static constexpr std::size_t bytes = values_at + capacity * sizeof(V);

  using tree_node::tree_node;
  explicit leaf_node(tree_node node) noexcept : tree_node(node) {}

  [[nodiscard]] std::byte* key(std::uint32_t at) const noexcept {
    return memory() + keys_at + at * sizeof(K);
  }
  [[nodiscard]] std::byte* value(std::uint32_t at) const noexcept {
    return memory() + values_at + at * sizeof(V);
  }

  void insert(std::uint32_t at, const K& key_form, const V& value_form) const noexcept {
    const std::uint32_t before = count();
    move_elements(key(at + 1), key(at), (before - at) * sizeof(K));
    move_elements(value(at + 1), value(at), (before - at) * sizeof(V));
    global::store_direct(key(at), key_form);
    global::store_direct(value(at), value_form);
    set_count(before + 1);
  }
  void erase(std::uint32_t at) const noexcept {
    const std::uint32_t after = count() - 1;
    set_count(after);
    move_elements(key(at), key(at + 1), (after - at) * sizeof(K));
    move_elements(value(at), value(at + 1), (after - at) * sizeof(V));
  }
  void move_to(leaf_node right, std::uint32_t first) const noexcept {
    const std::uint32_t moved = count() - first;
    move_elements(right.key(0), key(first), moved * sizeof(K));
    move_elements(right.value(0), value(first), moved * sizeof(V));
    right.set_count(moved);
    set_count(first);
  }
};

/// key(i), i > 0, is a lower bound of keys in child i, above those in child i - 1; key(0) is not
/// used.
template <class K>
class inner_node : public tree_node {
 public:
  static constexpr node_kind kind = node_kind::inner;
  static constexpr std::uint32_t capacity = node_capacity(sizeof(K) + sizeof(std::uint64_t));
  static constexpr std::size_t children_at = sizeof(node_head);
  static constexpr std::size_t keys_at =
      round_up(children_at + capacity * sizeof(std::uint64_t), alignof(K));
  static constexpr std::size_t bytes = keys_at + capacity * sizeof(K);

  using tree_node::tree_node;
  explicit inner_node(tree_node node) noexcept : tree_node(node) {}

  [[nodiscard]] std::byte* key(std::uint32_t at) const noexcept {
    return memory() + keys_at + at * sizeof(K);
  }
  [[nodiscard]] std::uint64_t child(std::uint32_t at) const noexcept {
    return place_of(at).load(std::memory_order_acquire);
  }

  void insert(std::uint32_t at, const K& key_form, std::uint64_t node) const noexcept {
    const std::uint32_t before = count();
    move_elements(key(at + 1), key(at), (before - at) * sizeof(K));
    for (std::uint32_t i = before; i > at; --i) set_child(i, child(i - 1));
    global::store_direct(key(at), key_form);
    set_child(at, node);
    set_count(before + 1);
  }
  void erase(std::uint32_t at) const noexcept {
    const std::uint32_t after = count() - 1;
    set_count(after);
    move_elements(key(at), key(at + 1), (after - at) * sizeof(K));
    for (std::uint32_t i = at; i < after; ++i) set_child(i, child(i + 1));
  }
  void move_to(inner_node right, std::uint32_t first) const noexcept {
    const std::uint32_t moved = count() - first;
    move_elements(right.key(0), key(first), moved * sizeof(K));
    for (std::uint32_t i = 0; i < moved; ++i) right.set_child(i, child(first + i));
    right.set_count(moved);
    set_count(first);
  }

 private:
  [[nodiscard]] std::atomic_ref<std::uint64_t> place_of(std::uint32_t at) const noexcept {
    return std::atomic_ref(
        *reinterpret_cast<std::uint64_t*>(memory() + children_at + at * sizeof(std::uint64_t)));
  }
  void set_child(std::uint32_t at, std::uint64_t node) const noexcept {
    place_of(at).store(node, std::memory_order_release);
  }
};

}  // namespace acre::container
