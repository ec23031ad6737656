// A hash table of this rank's, with names of objects as keys.
//
// Open addressing with linear probing; an erased entry is closed up by those behind it, so that
// nothing is left to step over. A look-up is a hash and, nearly always, one line of the cache.
#pragma once

#include <acre/agas/gid.hpp>
#include <acre/base/bits.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace acre::detail {

[[nodiscard]] inline std::size_t hash_of(const gid& name) noexcept {
  return mix_bits(name.id() ^ std::uint64_t{name.home()} << 40);
}

template <class Value>
class gid_table {
 public:
  struct entry {
    gid name;  ///< none: empty
    Value value{};
  };

  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  /// @return none where there is no such entry; good until one is added or erased
  [[nodiscard]] Value* find(const gid& name) noexcept {
    if (size_ == 0) return nullptr;
    entry& at = entries_[place_of(name)];
    return at.name ? &at.value : nullptr;
  }

  /// The entry, which is made where there is none.
  Value& operator[](const gid& name) {
    if (4 * (size_ + 1) > 3 * entries_.size()) grow();
    entry& at = entries_[place_of(name)];
    if (!at.name) {
      at.name = name.without_credit();
      ++size_;
    }
    return at.value;
  }

  /// @return whether there was one
  bool erase(const gid& name) noexcept {
    if (size_ == 0) return false;
    std::size_t hole = place_of(name);
    if (!entries_[hole].name) return false;
    const std::size_t mask = entries_.size() - 1;
    for (std::size_t next = (hole + 1) & mask; entries_[next].name; next = (next + 1) & mask) {
      const std::size_t wanted = hash_of(entries_[next].name) & mask;
      // It may step back to the hole only if that is not before the place that it wants.
      if (((next - wanted) & mask) < ((next - hole) & mask)) continue;
      entries_[hole] = std::move(entries_[next]);
      hole = next;
    }
    entries_[hole] = entry();
    --size_;
    return true;
  }

  /// Calls use(name, value) for all; it may not add or erase.
  template <class Use>
  void for_each(Use&& use) {
    for (entry& each : entries_) {
      if (each.name) use(each.name, each.value);
    }
  }

  /// The next entry behind a hand that goes round, and moves on. There is one.
  [[nodiscard]] entry& next_entry(std::size_t& hand) noexcept {
    const std::size_t mask = entries_.size() - 1;
    while (!entries_[++hand & mask].name) {
    }
    return entries_[hand & mask];
  }

 private:
  /// Where it is, or would be.
  [[nodiscard]] std::size_t place_of(const gid& name) const noexcept {
    const std::size_t mask = entries_.size() - 1;
    std::size_t at = hash_of(name) & mask;
    while (entries_[at].name && entries_[at].name != name) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    std::vector<entry> old(entries_.empty() ? 16 : 2 * entries_.size());
    old.swap(entries_);
    for (entry& each : old) {
      if (each.name) entries_[place_of(each.name)] = std::move(each);
    }
  }

  std::vector<entry> entries_;
  std::size_t size_ = 0;
};

}  // namespace acre::detail
