// SPDX-License-Identifier: BSD-3-Clause
// Hash table keyed by object name: open addressing, linear probing, backward-shift deletion,
// multiplicative hashing (Knuth, TAOCP 3, 6.4).
#pragma once

#include <acre/agas/gid.hpp>
#include <acre/base/split_mix.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace acre::agas {

template <class Value>
class gid_table {
 public:
  struct entry {
    gid name;
    Value value{};
  };

  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  [[nodiscard]] Value* find(const gid& name) noexcept {
    if (size_ == 0) return nullptr;
    entry& at = entries_[place_of(name)];
    return at.name ? &at.value : nullptr;
  }

  void prefetch(const gid& name) const noexcept {
    if (size_ != 0) __builtin_prefetch(&entries_[first_place_of(name)]);
  }

  Value& operator[](const gid& name) {
    if (4 * (size_ + 1) > 3 * entries_.size()) grow();
    entry& at = entries_[place_of(name)];
    if (!at.name) {
      at.name = name.without_credit();
      ++size_;
    }
    return at.value;
  }

  bool erase(const gid& name) noexcept {
    if (size_ == 0) return false;
    std::size_t hole = place_of(name);
    if (!entries_[hole].name) return false;
    for (std::size_t next = (hole + 1) & mask_; entries_[next].name; next = (next + 1) & mask_) {
      const std::size_t wanted = first_place_of(entries_[next].name);
      // An entry must not move before its preferred position.
      if (((next - wanted) & mask_) < ((next - hole) & mask_)) continue;
      entries_[hole] = std::move(entries_[next]);
      hole = next;
    }
    entries_[hole] = entry();
    --size_;
    return true;
  }

  /// Calls use(name, value) for all entries, in strides: insertion into another table in storage
  /// order would cause long probe sequences. `use` may not insert or erase.
  template <class Use>
  void for_each(Use&& use) {
    constexpr std::size_t step = 0x9e3779b1;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      entry& each = entries_[i * step & mask_];
      if (each.name) use(each.name, each.value);
    }
  }

  [[nodiscard]] std::size_t longest_search() const noexcept {
    std::size_t longest = 0;
    for (std::size_t at = 0; at < entries_.size(); ++at) {
      if (!entries_[at].name) continue;
      longest = std::max(longest, ((at - first_place_of(entries_[at].name)) & mask_) + 1);
    }
    return longest;
  }

  /// Next used entry after position `hand`, cyclically.
  [[nodiscard]] entry& next_entry(std::size_t& hand) noexcept {
    while (!entries_[++hand & mask_].name) {
    }
    return entries_[hand & mask_];
  }

 private:
  [[nodiscard]] std::size_t first_place_of(const gid& name) const noexcept {
    return (name.id() ^ std::uint64_t{name.home()} << 20) * golden_gamma >> shift_;
  }
  [[nodiscard]] std::size_t place_of(const gid& name) const noexcept {
    std::size_t at = first_place_of(name);
    while (entries_[at].name != name && entries_[at].name) at = (at + 1) & mask_;
    return at;
  }

  void grow() {
    std::vector<entry> old(entries_.empty() ? 16 : 2 * entries_.size());
    old.swap(entries_);
    mask_ = entries_.size() - 1;
    shift_ = 64 - static_cast<unsigned>(std::countr_zero(entries_.size()));
    for (entry& each : old) {
      if (each.name) entries_[place_of(each.name)] = std::move(each);
    }
  }

  std::vector<entry> entries_;
  std::size_t size_ = 0;
  std::size_t mask_ = 0;
  unsigned shift_ = 0;
};

}  // namespace acre::agas
