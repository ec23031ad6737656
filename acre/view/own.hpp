// SPDX-License-Identifier: BSD-3-Clause
// This rank's elements of a range, as plain memory.
//
//     for (int& x : acre::own(a)) x = 1;                          // a loop over pointers
//     for (const std::span<int> run : acre::own_runs(part)) …     // several runs: one loop each
//     std::ranges::for_each(acre::own(a | std::views::take(9)), f);
#pragma once

#include <acre/view/ranges.hpp>
#include <acre/view/segment_walk.hpp>

#include <cstddef>
#include <iterator>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre {

namespace view {

template <class R>
using own_element = std::remove_reference_t<ranges::own_reference_of<R>>;

/// Runs of memory as one range. A step compares with the end of the run, so loops do not vectorise.
template <class T>
class joined_runs {
 public:
  class iterator {
   public:
    using value_type = std::remove_cv_t<T>;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::forward_iterator_tag;
    using iterator_category = std::forward_iterator_tag;
    using pointer = T*;
    using reference = T&;

    iterator() = default;
    iterator(const std::span<T>* run, const std::span<T>* last) noexcept : run_(run), last_(last) {
      enter();
    }
    [[nodiscard]] T& operator*() const noexcept { return *at_; }
    [[nodiscard]] T* operator->() const noexcept { return at_; }
    iterator& operator++() noexcept {
      if (++at_ == end_) [[unlikely]] {
        ++run_;
        enter();
      }
      return *this;
    }
    iterator operator++(int) noexcept {
      const iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const iterator& a, const iterator& b) noexcept { return a.at_ == b.at_; }

   private:
    void enter() noexcept {
      at_ = run_ == last_ ? nullptr : run_->data();
      end_ = run_ == last_ ? nullptr : run_->data() + run_->size();
    }

    T* at_ = nullptr;
    T* end_ = nullptr;
    const std::span<T>* run_ = nullptr;
    const std::span<T>* last_ = nullptr;
  };

  /// @param runs  not empty each
  explicit joined_runs(std::vector<std::span<T>> runs) noexcept : runs_(std::move(runs)) {}

  [[nodiscard]] iterator begin() const noexcept {
    return {runs_.data(), runs_.data() + runs_.size()};
  }
  [[nodiscard]] iterator end() const noexcept { return {}; }
  [[nodiscard]] bool empty() const noexcept { return runs_.empty(); }
  /// Cost: l for each run.
  [[nodiscard]] std::size_t size() const noexcept {
    std::size_t size = 0;
    for (const std::span<T>& run : runs_) size += run.size();
    return size;
  }

 private:
  std::vector<std::span<T>> runs_;
};

}  // namespace view

/// Own elements of a range as runs of memory, in any order: a loop over each vectorises. Local.
/// Cost: l for each run.
/// @param r  outlives the result; moves of an array do not matter
template <view::viewable R>
  requires ranges::memory_range<R>
[[nodiscard]] std::vector<std::span<view::own_element<R>>> own_runs(R&& r) {
  std::vector<std::span<view::own_element<R>>> runs;
  ranges::each_own(r, [&](std::span<view::own_element<R>> run) {
    if (!run.empty()) runs.push_back(run);
  });
  return runs;
}

/// Own elements of a range, to be read and assigned in a loop as those of local(). Local.
/// @return std::span for whole arrays and matrices without gaps, and for parts of an array of which
///         each member has one run of indices; for others a forward range over own_runs()
/// Cost: l, or l for each run.
template <view::viewable R>
  requires ranges::memory_range<R>
[[nodiscard]] auto own(R&& r) {
  using element = view::own_element<R>;
  if constexpr (requires { r.own_elements(); }) {
    return std::span<element>(r.own_elements());
  } else if constexpr (requires { std::ranges::begin(r).own_run(std::size_t{}); }) {
    return std::span<element>(
        std::ranges::begin(r).own_run(static_cast<std::size_t>(std::ranges::size(r))));
  } else {
    return view::joined_runs<element>(own_runs(r));
  }
}

}  // namespace acre
