// SPDX-License-Identifier: BSD-3-Clause
// Collective calls of a sorted map.
#pragma once

#include <acre/base/site.hpp>
#include <acre/container/detail/sort_keys.hpp>
#include <acre/container/distributor.hpp>
#include <acre/container/sorted/detail/sorted_parts.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace acre::container {

template <class K, class V>
struct moved_entry {
  K key;
  V value;
  friend auto acre_fields(moved_entry& entry) { return std::tie(entry.key, entry.value); }
};

template <class K, class V, class Compare>
class sorted_table : public sorted_parts<K, V, Compare> {
  using parent = sorted_parts<K, V, Compare>;
  using parent::memory;
  using parent::splitters_;
  using typename parent::entries;
  using typename parent::part;
  using keys = std::vector<K>;

 public:
  using parent::local_part;
  using parent::members;

  sorted_table(const team& of, std::span<const K> sample, const site& where) : parent(of, where) {
    const runtime::failures_held until_all_is_done;
    const std::vector<keys> samples = of.allgather(keys(sample.begin(), sample.end()), where);
    global::succeed_together(of, "sorted_map", where, [&] { split_by(samples); });
  }
  ~sorted_table() {
    try {
      this->await_promised(site::current());
    } catch (...) {
      // A peer has failed, which ends the job.
    }
    if (this->release()) local_part().release_all();
  }

  void sync(const char* call, const site& where) {
    const runtime::failures_held until_all_is_done;
    global::require_same_object(members(), call, memory().identity(), where);
    this->await_promised(where);
    members().barrier(where);
  }

  [[nodiscard]] std::uint64_t size(const site& where) {
    const runtime::failures_held until_all_is_done;
    sync("sorted_map::size", where);
    return members().allreduce(local_part().size(), op::sum, where);
  }

  void clear(const site& where) {
    const runtime::failures_held until_all_is_done;
    sync("sorted_map::clear", where);
    local_part().release_all();
    members().barrier(where);
  }

  void rebalance(const site& where) {
    const runtime::failures_held until_all_is_done;
    constexpr const char* call = "sorted_map::rebalance";
    sync(call, where);
    const auto sizes = members().allgather(local_part().size(), where);
    keys chosen;
    global::succeed_together(members(), call, where, [&] { chosen = bounds_within(sizes); });
    const std::vector<keys> of_all = members().allgather(chosen, where);
    keys after;
    for (const keys& each : of_all) after.insert(after.end(), each.begin(), each.end());
    if (after.empty()) return;
    move_entries(std::move(after), call, where);
  }

 private:
  static constexpr std::size_t entries_at_once = 256;

  void split_by(const std::vector<keys>& samples) {
    keys all;
    for (const keys& each : samples) all.insert(all.end(), each.begin(), each.end());
    if (all.empty()) return;
    sort_keys<Compare>(all);
    const std::size_t parts = members().size();
    for (std::size_t i = 1; i < parts; ++i) splitters_.push_back(all[i * all.size() / parts]);
  }

  /// By positions among all entries.
  [[nodiscard]] keys bounds_within(const std::vector<std::uint64_t>& sizes) const {
    const rank_t mine = members().rank();
    const rank_t parts = members().size();
    std::uint64_t before = 0;
    std::uint64_t all = 0;
    for (rank_t i = 0; i < parts; ++i) {
      if (i < mine) before += sizes[i];
      all += sizes[i];
    }
    keys chosen;
    rank_t next = 1;
    const auto target = [&] {
      // next * all / parts, without overflow
      return all / parts * next + all % parts * next / parts;
    };
    while (next < parts && target() < before) ++next;
    std::uint64_t position = before;
    for_each_here([&](const K& key, const V&) {
      for (; next < parts && target() == position; ++next) chosen.push_back(key);
      ++position;
    });
    return chosen;
  }

  /// The old tree stays until all members succeed.
  void move_entries(keys after, const char* call, const site& where) {
    keys before = std::exchange(splitters_, std::move(after));
    const rank_t mine = members().rank();
    tree_head fresh{};
    tree_change<K, V, Compare> grown(fresh);
    std::vector<moved_entry<K, V>> arrived;
    const auto add = [&](const K& key, const V& value) {
      stored_value<V> form(value);
      grown.put(key, form, put_kind::if_absent);
    };
    try {
      distributor<moved_entry<K, V>> out(members(), distributor<moved_entry<K, V>>::default_memory,
                                         where);
      global::succeed_together(members(), call, where, [&] {
        for_each_here([&](const K& key, const V& value) {
          const rank_t owner = this->owner_of(key);
          if (owner != mine) out.push(owner, moved_entry<K, V>{key, value});
        });
      });
      out.finish([&](moved_entry<K, V>&& each) { arrived.push_back(std::move(each)); }, where);
      global::succeed_together(members(), call, where, [&] {
        for_each_here([&](const K& key, const V& value) {
          if (this->owner_of(key) == mine) add(key, value);
        });
        for (const auto& each : arrived) add(each.key, each.value);
      });
    } catch (...) {
      splitters_ = std::move(before);
      grown.release_all();
      throw;
    }
    local_part().take(fresh);
    members().barrier(where);
  }

  template <class F>
  void for_each_here(F&& f) const {
    entries some;
    typename parent::start_of_scan from;
    std::optional<K> last;
    runtime::direct_costs spent;
    for (scan_end end = scan_end::full; end == scan_end::full;) {
      end = local_part().scan(from, nullptr, entries_at_once, some, spent);
      for (const auto& [key, value] : some) f(key, value);
      if (some.empty()) return;
      last.emplace(std::move(some.back().first));
      from = {.key = &*last, .is_after = true};
    }
  }
};

}  // namespace acre::container
