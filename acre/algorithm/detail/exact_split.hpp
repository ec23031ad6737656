// SPDX-License-Identifier: BSD-3-Clause
// Where to cut the sorted runs of all members, so that each member gets exactly the elements that
// belong to its block of the sorted range.
//
// For each block one looks for the first element that belongs to it, of all blocks at once. Each
// member keeps for each block a window of its own run in which the cut must be. In a round it
// offers the middle of each window; the block's member takes their median, weighted by what is left
// in the windows; and all count how many of their elements come before that. At least a quarter of
// what is left goes each time, and about half where the elements are spread evenly, whatever they
// are: equal ones are told apart by the block that they come from and by their place there.
#pragma once

#include <acre/algorithm/detail/add_on_all.hpp>
#include <acre/algorithm/detail/range_blocks.hpp>
#include <acre/base/invoke.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/team.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <new>
#include <span>
#include <vector>

namespace acre::algorithm {

/// Elements of a sorted run, from `first` on.
struct run_part {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// The cuts of one member's run: where the part of each block begins. It knows no elements.
class run_cuts {
 public:
  run_cuts(const range_blocks& blocks, rank_t me);

  /// Where a block's cut must be: from first to first + count.
  [[nodiscard]] run_part window(rank_t block) const { return windows_[block]; }
  [[nodiscard]] bool is_found(rank_t block) const { return is_found_[block]; }
  [[nodiscard]] bool are_found() const;

  /// What the elements before a block's pivot tell.
  /// @param before  how many of this run's
  /// @param all     how many of all runs'
  /// @param is_own  whether the pivot is this run's
  void narrow(rank_t block, std::size_t before, std::size_t all, bool is_own);

  /// When are_found(): the part of each block.
  [[nodiscard]] std::vector<run_part> parts() const;

 private:
  const range_blocks& blocks_;
  std::size_t size_;
  std::vector<run_part> windows_;
  std::vector<bool> is_found_;
};

/// @throws acre::error
[[noreturn]] void throw_no_order(const site& where);

template <class T, class Less, class Projection>
class exact_split {
 public:
  /// @param run  this member's, sorted
  exact_split(const team& members, const range_blocks& blocks, std::span<const T> run,
              const Less& less, const Projection& projection)
      : members_(members),
        blocks_(blocks),
        run_(run),
        less_(less),
        projection_(projection),
        cuts_(blocks, members.rank()) {}

  /// The part of each member's run that belongs to this member's block. Collective. Cost: 2
  /// alltoall, 1 allgather and 1 allreduce of a word or an element for each member, a logarithm of
  /// the range's size times.
  /// @throws acre::error on all members when the elements have no order
  [[nodiscard]] std::vector<run_part> find(const site& where) {
    while (!cuts_.are_found()) narrow(where);
    return members_.alltoall(std::span<const run_part>(cuts_.parts()), where);
  }

 private:
  /// An element of some member's run, which others look at.
  struct copied {
    alignas(T) std::byte bytes[sizeof(T)] = {};
    std::size_t position = 0;
    std::size_t weight = 0;  ///< of the window that it is the middle of; 0: there is none
    rank_t member = 0;

    [[nodiscard]] const T& element() const {
      return *std::launder(reinterpret_cast<const T*>(bytes));
    }
  };

  void narrow(const site& where) {
    std::vector<copied> middles(members_.size());
    for (rank_t block = 0; block < members_.size(); ++block) middles[block] = middle_of(block);
    middles = members_.alltoall(std::span<const copied>(middles), where);
    std::exception_ptr failure;
    copied pivot;
    try {
      pivot = median_of(middles);
    } catch (...) {
      failure = std::current_exception();
    }
    const std::vector<copied> pivots = members_.allgather(pivot, where);
    std::vector<std::size_t> before(members_.size());
    const auto count = [&](std::span<std::size_t> numbers) {
      if (failure != nullptr) std::rethrow_exception(failure);
      for (rank_t block = 0; block < members_.size(); ++block) {
        before[block] = count_before(block, pivots[block]);
      }
      std::ranges::copy(before, numbers.begin());
    };
    const auto all = add_on_all(members_, members_.size(), "sort", where, count);
    apply(pivots, before, all, where);
  }

  [[nodiscard]] copied middle_of(rank_t block) const {
    copied middle;
    const auto [first, count] = cuts_.window(block);
    if (count == 0 || cuts_.is_found(block)) return middle;
    middle.member = members_.rank();
    middle.position = first + count / 2;
    middle.weight = count;
    std::memcpy(middle.bytes, &run_[middle.position], sizeof(T));
    return middle;
  }

  [[nodiscard]] bool is_less(const T& a, const T& b) const {
    return base::invoke(less_, base::invoke(projection_, a), base::invoke(projection_, b));
  }

  /// One that at least a quarter of what is left comes before, and a quarter after.
  [[nodiscard]] copied median_of(std::vector<copied>& middles) const {
    std::erase_if(middles, [](const copied& each) { return each.weight == 0; });
    if (middles.empty()) return {};
    std::ranges::sort(middles, [&](const copied& a, const copied& b) {
      if (is_less(a.element(), b.element())) return true;
      if (is_less(b.element(), a.element())) return false;
      return blocks_[a.member].first < blocks_[b.member].first;
    });
    std::size_t rest = 0;
    for (const copied& each : middles) rest += each.weight;
    std::size_t passed = 0;
    for (const copied& each : middles) {
      passed += each.weight;
      if (2 * passed >= rest) return each;
    }
    return middles.back();
  }

  /// How many elements of this run come before a pivot, as far as the window tells.
  [[nodiscard]] std::size_t count_before(rank_t block, const copied& pivot) const {
    const auto [first, count] = cuts_.window(block);
    if (pivot.weight == 0) return first;
    if (pivot.member == members_.rank()) return pivot.position;
    const auto window = run_.subspan(first, count);
    const bool is_earlier = blocks_[members_.rank()].first < blocks_[pivot.member].first;
    const auto end = std::ranges::partition_point(window, [&](const T& each) {
      return is_earlier ? !is_less(pivot.element(), each) : is_less(each, pivot.element());
    });
    return first + static_cast<std::size_t>(end - window.begin());
  }

  void apply(const std::vector<copied>& pivots, const std::vector<std::size_t>& before,
             const std::vector<std::size_t>& all, const site& where) {
    for (rank_t block = 0; block < members_.size(); ++block) {
      if (cuts_.is_found(block)) continue;
      const copied& pivot = pivots[block];
      // Nobody has anything left, and yet there are too few, or too many.
      if (pivot.weight == 0 && all[block] != blocks_[block].first) throw_no_order(where);
      cuts_.narrow(block, before[block], all[block], pivot.member == members_.rank());
    }
  }

  const team& members_;
  const range_blocks& blocks_;
  std::span<const T> run_;
  const Less& less_;
  const Projection& projection_;
  run_cuts cuts_;
};

}  // namespace acre::algorithm
