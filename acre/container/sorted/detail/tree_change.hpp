// SPDX-License-Identifier: BSD-3-Clause
// Changes of a sorted map's tree, by the holder of its lock.
//
// Full inner nodes are split on the way down. Nodes are allocated before a change, and never merged
// (Johnson and Shasha, JCSS 47, 1993).
#pragma once

#include <acre/base/bits.hpp>
#include <acre/container/sorted/detail/change_version.hpp>
#include <acre/container/sorted/detail/tree_search.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/runtime/world.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

namespace acre::container {

/// Zeroed memory is an empty tree.
struct tree_head {
  change_version changes;  ///< in one cache line with root and size
  std::atomic<std::uint64_t> root;
  std::atomic<std::uint64_t> size;
  std::uint64_t free_leaves;  ///< of the lock's holder
  std::uint64_t free_inner;
};

enum class put_kind : std::uint8_t { if_absent, assign };

template <class K, class V, class Compare>
class tree_change {
  using search = tree_search<K, V, Compare>;
  using leaf = typename search::leaf;
  using inner = typename search::inner;
  static constexpr version_held held{};

 public:
  explicit tree_change(tree_head& head) noexcept : head_(head) {}

  /// @return true if new
  bool put(const K& key, stored_value<V>& value, put_kind how) {
    place at = place_for(key);
    const std::uint32_t count = at.bottom.count();
    const std::uint32_t index = *search::first_key(at.bottom, count, {.key = &key}, held);
    if (index != count && !Compare{}(key, *search::template load<K>(at.bottom.key(index), held))) {
      if (how == put_kind::assign) {
        const stored_t<V> before = global::load_direct<stored_t<V>>(at.bottom.value(index));
        {
          const changing now(head_.changes);
          global::store_direct(at.bottom.value(index), value.give_away());
        }
        stored_form<V>::release(before);
      }
      return false;
    }
    stored_value<K> key_form(key);
    if (count == leaf::capacity) {
      add_split(at, index, key, key_form, value);
    } else {
      const changing now(head_.changes);
      at.bottom.insert(index, key_form.give_away(), value.give_away());
    }
    set_size(size() + 1);
    return true;
  }

  /// @return true if found
  bool erase(const K& key) {
    const std::uint64_t root = head_.root.load(std::memory_order_relaxed);
    if (root == 0) return false;
    typename search::path way;
    const leaf bottom(*search::descend(root, {.key = &key}, held, &way));
    const std::uint32_t count = bottom.count();
    const std::uint32_t index = *search::first_key(bottom, count, {.key = &key}, held);
    if (index == count || Compare{}(key, *search::template load<K>(bottom.key(index), held))) {
      return false;
    }
    const auto key_form = global::load_direct<stored_t<K>>(bottom.key(index));
    const auto value_form = global::load_direct<stored_t<V>>(bottom.value(index));
    {
      const changing now(head_.changes);
      bottom.erase(index);
      if (count == 1) remove_empty(way);
    }
    stored_form<K>::release(key_form);
    stored_form<V>::release(value_form);
    set_size(size() - 1);
    return true;
  }

  /// No other rank may use the tree.
  void release_all() noexcept {
    if (const std::uint64_t root = head_.root.exchange(0, std::memory_order_relaxed)) {
      release(root);
    }
    release_list(head_.free_leaves);
    release_list(head_.free_inner);
    set_size(0);
  }

  [[nodiscard]] std::uint64_t size() const noexcept {
    return head_.size.load(std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t node_alignment =
      larger<std::size_t>(64, larger(alignof(stored_t<K>), alignof(stored_t<V>)));

  struct place {
    leaf bottom;
    inner parent;
    std::uint32_t child;
  };

  /// For key(0), which may be missing.
  static void release_key(const std::byte* at) noexcept {
    if constexpr (is_separate<K>) {
      const auto form = global::load_direct<stored_t<K>>(at);
      if (form.where != 0) stored_form<K>::release(form);
    }
  }
  static stored_t<K> no_key() noexcept {
    std::byte zeros[sizeof(stored_t<K>)] = {};
    return global::load_bytes<stored_t<K>>(zeros);
  }
  [[nodiscard]] static tree_node node_at(std::uint64_t bits) noexcept {
    return tree_node(runtime::direct_address(bits));
  }

  void set_size(std::uint64_t size) noexcept { head_.size.store(size, std::memory_order_relaxed); }
  void set_root(std::uint64_t bits) noexcept {
    const changing now(head_.changes);
    head_.root.store(bits, std::memory_order_release);
  }

  /// The leaf's parent has room for a child.
  place place_for(const K& key) {
    std::uint64_t root = head_.root.load(std::memory_order_relaxed);
    if (root == 0) {
      root = new_node<leaf>();
      set_root(root);
    }
    tree_node at = node_at(root);
    place found{leaf(at), inner(tree_node(nullptr)), 0};
    if (!at.is_leaf() && at.count() == inner::capacity) {
      found.parent = grow_above(root);
      found.child = 0;
    }
    while (!at.is_leaf()) {
      inner here(at);
      std::uint32_t child = *search::child_index(here, here.count(), {.key = &key}, held);
      if (here.count() == inner::capacity) {
        here = split(found.parent, found.child, here, child);
        child = *search::child_index(here, here.count(), {.key = &key}, held);
      }
      found.parent = here;
      found.child = child;
      at = node_at(here.child(child));
    }
    found.bottom = leaf(at);
    return found;
  }

  inner grow_above(std::uint64_t root) {
    const std::uint64_t bits = new_node<inner>();
    const inner above(node_at(bits));
    above.insert(0, no_key(), root);
    set_root(bits);
    return above;
  }

  /// @return the half with child `wanted`
  inner split(const inner& parent, std::uint32_t child, const inner& full, std::uint32_t wanted) {
    const std::uint64_t bits = new_node<inner>();
    const inner right(node_at(bits));
    // Ascending keys fill nodes.
    const std::uint32_t kept = wanted + 1 == inner::capacity ? wanted : inner::capacity / 2;
    const auto bound = global::load_direct<stored_t<K>>(full.key(kept));
    const changing now(head_.changes);
    full.move_to(right, kept);
    global::store_direct(right.key(0), no_key());
    parent.insert(child + 1, bound, bits);
    return wanted < kept ? full : right;
  }

  void add_split(place& at, std::uint32_t index, const K& key, stored_value<K>& key_form,
                 stored_value<V>& value) {
    if (at.parent.memory() == nullptr) {
      at.parent = grow_above(head_.root.load(std::memory_order_relaxed));
    }
    const std::uint32_t kept = index == leaf::capacity ? index : leaf::capacity / 2;
    const K first =
        kept == leaf::capacity ? key : *search::template load<K>(at.bottom.key(kept), held);
    stored_value<K> bound(first);
    const std::uint64_t bits = new_node<leaf>();
    const leaf right(node_at(bits));
    const changing now(head_.changes);
    at.bottom.move_to(right, kept);
    at.parent.insert(at.child + 1, bound.give_away(), bits);
    if (kept != leaf::capacity && index <= kept) {
      at.bottom.insert(index, key_form.give_away(), value.give_away());
    } else {
      right.insert(index - kept, key_form.give_away(), value.give_away());
    }
  }

  /// Also nodes above that become empty. Called in a change.
  void remove_empty(typename search::path& way) noexcept {
    while (way.depth != 0) {
      const auto& last = way.steps[--way.depth];
      const inner above{tree_node(last.node)};
      const std::uint64_t empty = above.child(last.child);
      release_key(above.key(last.child));
      above.erase(last.child);
      keep_for_reuse(empty);
      if (above.count() != 0) return;
    }
    keep_for_reuse(head_.root.exchange(0, std::memory_order_relaxed));
  }

  [[nodiscard]] std::uint64_t& reusable(node_kind kind) noexcept {
    return kind == node_kind::leaf ? head_.free_leaves : head_.free_inner;
  }
  void keep_for_reuse(std::uint64_t bits) noexcept {
    node_head& node = node_at(bits).head();
    node.next_free = std::exchange(reusable(node.kind), bits);
  }

  /// @throws acre::error if memory is full
  template <class Node>
  std::uint64_t new_node() {
    std::uint64_t& unused = reusable(Node::kind);
    if (unused != 0) {
      const std::uint64_t bits = unused;
      unused = node_at(bits).head().next_free;
      return bits;
    }
    void* const memory = runtime::allocate_private(Node::bytes, node_alignment);
    std::memset(memory, 0, Node::bytes);
    static_cast<node_head*>(memory)->kind = Node::kind;
    return runtime::global_bits(memory);
  }

  void release(std::uint64_t bits) noexcept {
    const tree_node at = node_at(bits);
    if (at.is_leaf()) {
      const leaf here(at);
      for (std::uint32_t i = 0; i < here.count(); ++i) {
        stored_form<K>::release(global::load_direct<stored_t<K>>(here.key(i)));
        stored_form<V>::release(global::load_direct<stored_t<V>>(here.value(i)));
      }
    } else {
      const inner here(at);
      for (std::uint32_t i = 0; i < here.count(); ++i) {
        release_key(here.key(i));
        release(here.child(i));
      }
    }
    runtime::free_private_of(bits);
  }
  static void release_list(std::uint64_t& first) noexcept {
    while (first != 0) {
      // Freeing overwrites the block.
      const std::uint64_t bits = std::exchange(first, node_at(first).head().next_free);
      runtime::free_private_of(bits);
    }
  }

  tree_head& head_;
};

}  // namespace acre::container
