// Every kind of distributed range, for tests that hold for each: containers, patterns, views.
#pragma once

#include <acre/algorithm/copy.hpp>
#include <acre/array/array.hpp>
#include <acre/array/hosted_array.hpp>
#include <acre/array/matrix.hpp>
#include <acre/layout/deduction.hpp>
#include <acre/view/random_steps.hpp>
#include <acre/view/ranges.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <ranges>
#include <string>
#include <vector>

namespace acre::testing {

/// A user's own range, which has nothing but segments: one on each member, in turn from the last to
/// the first.
class users_own {
 public:
  users_own(array<int>& memory, std::size_t each) : memory_(&memory), each_(each) {}

  class iterator : public acre::detail::random_steps<iterator> {
   public:
    using value_type = int;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::random_access_iterator_tag;

    iterator() = default;
    iterator(const users_own* range, std::ptrdiff_t index) : range_(range), index_(index) {}
    [[nodiscard]] global_ref<int> operator*() const { return range_->element(index_); }
    [[nodiscard]] global_ref<int> operator[](difference_type n) const { return *(*this + n); }
    iterator& operator+=(difference_type n) { return index_ += n, *this; }
    friend difference_type operator-(const iterator& a, const iterator& b) {
      return a.index_ - b.index_;
    }
    friend bool operator==(const iterator& a, const iterator& b) { return a.index_ == b.index_; }
    friend auto operator<=>(const iterator& a, const iterator& b) { return a.index_ <=> b.index_; }

   private:
    const users_own* range_ = nullptr;
    std::ptrdiff_t index_ = 0;
  };

  [[nodiscard]] iterator begin() const { return {this, 0}; }
  [[nodiscard]] iterator end() const {
    return {this, static_cast<std::ptrdiff_t>(each_ * members().size())};
  }
  [[nodiscard]] const team& members() const { return memory_->members(); }
  [[nodiscard]] std::vector<global_span<int>> segments() const {
    std::vector<global_span<int>> all;
    if (each_ == 0) return all;
    for (rank_t member = members().size(); member-- > 0;) {
      all.emplace_back(memory_->pointer(member * each_), each_);
    }
    return all;
  }

 private:
  [[nodiscard]] global_ref<int> element(std::ptrdiff_t index) const {
    const auto i = static_cast<std::size_t>(index);
    const std::size_t member = members().size() - 1 - i / each_;
    return *memory_->pointer(member * each_ + i % each_);
  }

  array<int>* memory_;
  std::size_t each_;
};

/// f(range) of a range of each kind with `size` elements or, where it has rows, some more.
/// Collective in the team.
template <class F>
void with_ranges_on(const team& members, std::size_t size, F&& f) {
  const rank_t n = members.size();
  const auto with = [&](const char* kind, auto&& range) {
    SCOPED_TRACE(std::string(kind) + " of " + std::to_string(std::ranges::size(range)) + " on " +
                 std::to_string(n) + " members");
    static_assert(ranges::distributed_range<decltype(range)>);
    f(range);
  };
  array<int> line(members, size + 5, 0);
  with("a part of an array", line | std::views::drop(2) | std::views::take(size));
  with("an array", line);
  hosted_array<int> hosted(members, hosted_by{n - 1}, size, 0);
  with("a hosted array", hosted);
  array<int> memory(members, size * n, 0);
  with("a user's own range", users_own(memory, size));

  const std::size_t rows = size / 3;
  matrix<int, 2> boxes(members, {rows, 4});
  with("a matrix", boxes);
  with("rows of a matrix",
       std::views::counted(boxes.begin() + static_cast<std::ptrdiff_t>(size / 3),
                           static_cast<std::ptrdiff_t>(size / 2)));
  auto cyclic = make_matrix<int>(members, make_distribution({size}, n, dist::cyclic));
  with("a cyclic array", cyclic);
  auto dealt = make_matrix<int>(
      members, make_distribution({rows, 5}, n, dist::tile(2), dist::fixed_tile<3>));
  with("a matrix of blocks in turn", dealt);
  auto tiles = make_matrix<int>(members, make_pattern<use_case::transpose>({rows, 5}, n));
  with("a matrix of shifted tiles", tiles);
  auto columns = make_matrix<int>(members, make_pattern<layout::column_major_layout>({rows, 5}, n));
  with("a matrix by columns", columns);
}

/// The same of four kinds that have nothing in common: for the many algorithms that stand on what
/// is tested with all kinds, for each costs the compiler a third of a second.
template <class F>
void with_few_ranges_on(const team& members, std::size_t size, F&& f) {
  const auto with = [&](const char* kind, auto&& range) {
    SCOPED_TRACE(std::string(kind) + " of " + std::to_string(std::ranges::size(range)) + " on " +
                 std::to_string(members.size()) + " members");
    f(range);
  };
  array<int> line(members, size + 5, 0);
  with("a part of an array", line | std::views::drop(2) | std::views::take(size));
  array<int> memory(members, size * members.size(), 0);
  with("a user's own range", users_own(memory, size));
  auto cyclic = make_matrix<int>(members, make_distribution({size}, members.size(), dist::cyclic));
  with("a cyclic array", cyclic);
  auto columns = make_matrix<int>(
      members, make_pattern<layout::column_major_layout>({size / 3, 5}, members.size()));
  with("a matrix by columns", columns);
}

/// A copy of all elements, on all members. Collective.
template <class T = int>
[[nodiscard]] std::vector<T> copy_of(auto&& range, const T& none = T{}) {
  std::vector<T> values(std::ranges::size(range), none);
  acre::copy(range, values);
  ranges::members(range).barrier();
  return values;
}

/// On the whole job, on a part of it, and for sizes that are hard.
template <class F>
void with_ranges_of_all_kinds(F&& f) {
  for (const std::size_t size : {0U, 1U, 3U, 31U}) with_ranges_on(world(), size, f);
  with_ranges_on(world().split(static_cast<int>(rank() % 2)), 12, f);
}

template <class F>
void with_ranges_of_few_kinds(F&& f) {
  for (const std::size_t size : {0U, 1U, 31U}) with_few_ranges_on(world(), size, f);
  with_few_ranges_on(world().split(static_cast<int>(rank() % 2)), 12, f);
}

}  // namespace acre::testing
