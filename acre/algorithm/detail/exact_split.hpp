// SPDX-License-Identifier: BSD-3-Clause
// Exact split of the sorted runs of all members into blocks of the sorted range.
//
// All blocks are selected at once. Per block, each member keeps a window of its run that contains
// the cut, and offers its middle in each round; the block's member selects their weighted median;
// all count their elements before it. A round drops at least a quarter of their elements.
// Equal elements are ordered by block and position.
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

struct run_part {
  std::size_t first = 0;
  std::size_t count = 0;
};

class run_cuts {
 public:
  run_cuts(const range_blocks& blocks, rank_t me);

  [[nodiscard]] run_part window(rank_t block) const { return windows_[block]; }
  [[nodiscard]] bool is_found(rank_t block) const { return is_found_[block]; }
  [[nodiscard]] bool are_found() const;

  /// @param before, all  elements of this run, and of all, before the pivot
  void narrow(rank_t block, std::size_t before, std::size_t all, bool is_own);

  [[nodiscard]] std::vector<run_part> parts() const;

 private:
  const range_blocks& blocks_;
  std::size_t size_;
  std::vector<run_part> windows_;
  std::vector<bool> is_found_;
};

[[noreturn]] void throw_no_order(const site& where);

template <class T, class Less, class Projection>
class exact_split {
 public:
  exact_split(const team& members, const range_blocks& blocks, std::span<const T> run,
              const Less& less, const Projection& projection)
      : members_(members),
        blocks_(blocks),
        run_(run),
        less_(less),
        projection_(projection),
        cuts_(blocks, members.rank()) {}

  /// Returns the part of each member's run for this member's block. Collective. Cost: O(log size)
  /// rounds of 1 alltoall, 1 allgather and 1 allreduce.
  /// @throws acre::error on all members if `less` is no order
  [[nodiscard]] std::vector<run_part> find(const site& where) {
    while (!cuts_.are_found()) narrow(where);
    return members_.alltoall(std::span<const run_part>(cuts_.parts()), where);
  }

 private:
  struct copied {
    alignas(T) std::byte bytes[sizeof(T)] = {};
    std::size_t position = 0;
    std::size_t weight = 0;
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
      // Windows are empty, but the cuts are wrong.
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
