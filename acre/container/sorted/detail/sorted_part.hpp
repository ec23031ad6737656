// SPDX-License-Identifier: BSD-3-Clause
// One member's B+-tree. Nodes and forms are in memory of the ranks that added them.
#pragma once

#include <acre/base/spin_lock.hpp>
#include <acre/container/detail/lock_held.hpp>
#include <acre/container/guarantee.hpp>
#include <acre/container/phase_record.hpp>
#include <acre/container/sorted/detail/tree_change.hpp>
#include <acre/container/sorted/detail/tree_search.hpp>
#include <acre/global/owner/at_owner.hpp>
#include <acre/runtime/counters.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace acre::container {

/// Zeroed memory is an empty part.
struct sorted_head {
  tree_head tree;
  alignas(64) phase_record phase;
};

template <class K, class V, class Compare>
class sorted_part {
 public:
  using key_type = K;
  using mapped_type = V;
  using search = tree_search<K, V, Compare>;
  using entries = typename search::entries;

  explicit sorted_part(std::byte* memory) noexcept : memory_(memory) {}

  /// Words: offset of the part, phase entry.
  /// @throws acre::error if outside the segment; if a guarantee is broken (ACRE_CHECKS)
  static sorted_part requested(std::span<const fabric::word> words) {
    const sorted_part part(at_owner::block_here(words[0], sizeof(sorted_head)));
    note_if_checked(part.head().phase, "a request of another node", phase_entry(words[1]));
    return part;
  }

  [[nodiscard]] explicit operator bool() const noexcept { return memory_ != nullptr; }
  [[nodiscard]] sorted_head& head() const noexcept {
    return *reinterpret_cast<sorted_head*>(memory_);
  }
  [[nodiscard]] std::uint64_t size() const noexcept {
    return head().tree.size.load(std::memory_order_relaxed);
  }

  /// @param value  may be null
  template <class Guarantee = no_guarantee>
  bool find(const K& key, std::optional<V>* value, runtime::direct_costs& spent) const {
    ++spent.reads;
    return read<Guarantee>(
        [&](std::uint64_t root, const auto& seen) { return search::find(root, key, value, seen); },
        spent);
  }

  /// @param bound  null, or the first key to omit
  template <class Guarantee = no_guarantee>
  scan_end scan(typename search::start from, const K* bound, std::size_t most, entries& into,
                runtime::direct_costs& spent) const {
    const scan_end end = read<Guarantee>(
        [&](std::uint64_t root, const auto& seen) {
          into.clear();
          return search::scan(root, from, bound, most, into, seen);
        },
        spent);
    spent.reads += into.size();
    return end;
  }

  /// @return true if new
  /// @throws acre::error if this rank's memory is full
  template <class Guarantee = no_guarantee>
  bool put(const K& key, const V& value, put_kind how, runtime::direct_costs& spent) const {
    stored_value<V> form(value);
    bool is_new = false;
    write<Guarantee>([&](tree_change<K, V, Compare> tree) { is_new = tree.put(key, form, how); },
                     spent);
    if (is_new || how == put_kind::assign) ++spent.writes;
    return is_new;
  }

  template <class Guarantee = no_guarantee>
  bool erase(const K& key, runtime::direct_costs& spent) const {
    bool was_present = false;
    write<Guarantee>([&](tree_change<K, V, Compare> tree) { was_present = tree.erase(key); },
                     spent);
    if (was_present) ++spent.writes;
    return was_present;
  }

  /// Moves the tree. No other rank may use either.
  void take(tree_head& other) const noexcept {
    release_all();
    tree_head& tree = head().tree;
    tree.root.store(other.root.exchange(0, std::memory_order_relaxed), std::memory_order_relaxed);
    tree.size.store(other.size.exchange(0, std::memory_order_relaxed), std::memory_order_relaxed);
  }
  void release_all() const noexcept { tree_change<K, V, Compare>(head().tree).release_all(); }

 private:
  static constexpr unsigned most_attempts = 32;

  /// Repeats work(root, seen) until it sees one state.
  template <class Guarantee, class Work>
  auto read(Work&& work, runtime::direct_costs& spent) const {
    tree_head& tree = head().tree;
    if constexpr (is_local<Guarantee> ||
                  excludes<Guarantee, container_operation::insert, container_operation::update,
                           container_operation::erase>) {
      return *work(tree.root.load(std::memory_order_acquire), version_held{});
    } else {
      return read_beside_changes(work, spent);
    }
  }

  template <class Work>
  auto read_beside_changes(Work& work, runtime::direct_costs& spent) const {
    tree_head& tree = head().tree;
    for (unsigned attempt = 0; attempt < most_attempts; ++attempt) {
      const version_seen seen(tree.changes);
      if (!seen.is_between_changes()) {
        spin_pause();
        continue;
      }
      const auto result = work(tree.root.load(std::memory_order_acquire), seen);
      if (result && seen.holds()) [[likely]]
        return *result;
    }
    ++spent.atomics;
    const lock_held lock(tree.changes.lock);
    return *work(tree.root.load(std::memory_order_acquire), version_held{});
  }

  template <class Guarantee, class Work>
  void write(Work&& work, runtime::direct_costs& spent) const {
    tree_head& tree = head().tree;
    if constexpr (is_local<Guarantee>) {
      work(tree_change<K, V, Compare>(tree));
    } else {
      ++spent.atomics;
      const lock_held lock(tree.changes.lock);
      work(tree_change<K, V, Compare>(tree));
    }
  }

  std::byte* memory_;
};

}  // namespace acre::container
