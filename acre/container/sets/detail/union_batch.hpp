// SPDX-License-Identifier: BSD-3-Clause
// Unions of one rank in batches.
#pragma once

#include <acre/container/phase_record.hpp>
#include <acre/container/sets/detail/forest_parts.hpp>
#include <acre/container/sets/detail/known_unions.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace acre::container {

/// For one thread.
class open_unions {
 public:
  open_unions(const forest_parts& all, const named_call& call)
      : all_(&all), near_(&all.near()), call_(call) {}

  /// @throws acre::error for unknown elements, after uniting earlier pairs
  void add(std::uint64_t a, std::uint64_t b, phase_entry entry) {
    if (a >= near_->elements() || b >= near_->elements()) [[unlikely]] {
      refuse(a, b, entry);
    }
    all_->note(a, entry, call_.name);
    all_->note(b, entry, call_.name);
    const open_pair pair{near_->place_of(a), near_->place_of(b)};
    __builtin_prefetch(pair.low.word());
    __builtin_prefetch(pair.high.word());
    some_[count_++] = pair;
    if (count_ == some_.size()) perform(entry);
  }
  /// Performs all, also those of other nodes.
  /// @return number of links since the last call
  std::uint64_t finish(phase_entry entry);

  [[nodiscard]] std::size_t pending() const noexcept { return count_ + known_.unsent(); }
  [[nodiscard]] const forest_parts& all() const noexcept { return *all_; }

 private:
  struct open_pair {
    place low;
    place high;
  };

  void perform(phase_entry entry);
  void refuse(std::uint64_t a, std::uint64_t b, phase_entry entry);
  template <class Words>
  void perform_in(Words words);

  const forest_parts* all_;
  const forest* near_;
  named_call call_;
  known_unions known_;
  std::array<open_pair, 256> some_;
  std::size_t count_ = 0;
  std::uint64_t united_ = 0;
};

/// Adds the sets of smaller parts. Collective.
void add_sets(const forest_parts& larger, const forest_parts& smaller, const named_call& call);

template <class Guarantee>
class union_batch {
 public:
  union_batch(const forest_parts& all, const named_call& call) : open_(all, call) {}

  void add(std::uint64_t a, std::uint64_t b) { open_.add(a, b, entry()); }
  std::uint64_t finish() { return open_.finish(entry()); }
  [[nodiscard]] std::size_t pending() const noexcept { return open_.pending(); }

 private:
  [[nodiscard]] phase_entry entry() const noexcept {
    return entry_if_checked(open_.all().members(), container_operation::update, Guarantee{});
  }

  open_unions open_;
};

}  // namespace acre::container
