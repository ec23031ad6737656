// SPDX-License-Identifier: BSD-3-Clause
// Every kind of distributed range, from containers, patterns and views, for tests.
#pragma once

#include <acre/algorithm/copy.hpp>
#include <acre/algorithm/for_each.hpp>
#include <acre/array/array.hpp>
#include <acre/array/hosted_array.hpp>
#include <acre/array/matrix.hpp>
#include <acre/layout/deduction.hpp>
#include <acre/view/random_steps.hpp>
#include <acre/view/ranges.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

namespace acre::testing {

class only_segments {
 public:
  only_segments(const team& members, std::vector<global_span<int>> segments)
      : members_(&members), segments_(std::move(segments)) {
    for (const global_span<int>& each : segments_) ends_.push_back(size() + each.size());
  }
  template <ranges::distributed_range R>
  [[nodiscard]] static only_segments of(R&& range) {
    std::vector<global_span<int>> all;
    for (const auto& each : ranges::segments(range)) all.push_back(each);
    return {ranges::members(range), std::move(all)};
  }

  class iterator : public acre::view::numbered_steps<iterator, int, global_ref<int>> {
   public:
    iterator() = default;
    iterator(const only_segments* range, std::ptrdiff_t index) : range_(range), index_(index) {}
    [[nodiscard]] global_ref<int> operator*() const { return range_->element(index_); }
    [[nodiscard]] global_ref<int> operator[](std::ptrdiff_t n) const { return *(*this + n); }
    iterator& operator+=(std::ptrdiff_t n) { return index_ += n, *this; }
    [[nodiscard]] std::ptrdiff_t number() const noexcept { return index_; }

   private:
    const only_segments* range_ = nullptr;
    std::ptrdiff_t index_ = 0;
  };

  [[nodiscard]] std::size_t size() const { return ends_.empty() ? 0 : ends_.back(); }
  [[nodiscard]] iterator begin() const { return {this, 0}; }
  [[nodiscard]] iterator end() const { return {this, static_cast<std::ptrdiff_t>(size())}; }
  [[nodiscard]] const team& members() const { return *members_; }
  [[nodiscard]] const std::vector<global_span<int>>& segments() const { return segments_; }

 private:
  [[nodiscard]] global_ref<int> element(std::ptrdiff_t index) const {
    const auto i = static_cast<std::size_t>(index);
    const auto segment =
        static_cast<std::size_t>(std::ranges::upper_bound(ends_, i) - ends_.begin());
    return segments_[segment][segment == 0 ? i : i - ends_[segment - 1]];
  }

  const team* members_;
  std::vector<global_span<int>> segments_;
  std::vector<std::size_t> ends_;
};

/// `each` elements per member, from the last to the first.
[[nodiscard]] inline only_segments users_own(array<int>& memory, std::size_t each) {
  const team& members = memory.members();
  std::vector<global_span<int>> all;
  for (rank_t member = members.size(); each != 0 && member-- > 0;) {
    all.emplace_back(memory.pointer(member * each), each);
  }
  return {members, std::move(all)};
}
[[nodiscard]] inline auto cyclic_array(const team& members, std::size_t size) {
  return make_matrix<int>(members, make_distribution({size}, members.size(), dist::cyclic));
}
[[nodiscard]] inline auto matrix_of_blocks_in_turn(const team& members, std::size_t rows) {
  return make_matrix<int>(
      members, make_distribution({rows, 5}, members.size(), dist::tile(2), dist::fixed_tile<3>));
}
[[nodiscard]] inline auto matrix_of_shifted_tiles(const team& members, std::size_t rows) {
  return make_matrix<int>(members, make_pattern<use_case::transpose>({rows, 5}, members.size()));
}
[[nodiscard]] inline auto matrix_by_columns(const team& members, std::size_t rows) {
  return make_matrix<int>(members,
                          make_pattern<layout::column_major_layout>({rows, 5}, members.size()));
}

class ranges_of_all_kinds {
  [[nodiscard]] auto some_rows() {
    return std::views::counted(boxes_.begin() + static_cast<std::ptrdiff_t>(size_ / 3),
                               static_cast<std::ptrdiff_t>(size_ / 2));
  }

 public:
  ranges_of_all_kinds(const team& members, std::size_t size)
      : members_(members),
        size_(size),
        line_(members, size + 5, 0),
        hosted_(members, hosted_by{members.size() - 1}, size, 0),
        memory_(members, size * members.size(), 0),
        boxes_(members, {size / 3, 4}),
        cyclic_(cyclic_array(members, size)),
        dealt_(matrix_of_blocks_in_turn(members, size / 3)),
        tiles_(matrix_of_shifted_tiles(members, size / 3)),
        columns_(matrix_by_columns(members, size / 3)) {}

  template <class F>
  void each(F&& f) {
    each_of_few(f);
    named("a cyclic array", cyclic_, f);
    named("an array", line_, f);
    named("a hosted array", hosted_, f);
    named("a matrix", boxes_, f);
    named("rows of a matrix", some_rows(), f);
    named("a matrix of blocks in turn", dealt_, f);
    named("a matrix of shifted tiles", tiles_, f);
  }

  template <class F>
  void each_by_its_segments(F&& f) {
    each_of_few(f);
    for (auto& [kind, range] : others_by_their_segments()) named(kind, range, f);
  }

  template <class F>
  void each_of_few(F&& f) {
    named("a part of an array", line_ | std::views::drop(2) | std::views::take(size_), f);
    named("a matrix by columns", columns_, f);
    for (auto& [kind, range] : few_by_their_segments()) named(kind, range, f);
  }

 private:
  template <auto make>
  using made_by = decltype(make(std::declval<const team&>(), std::size_t{}));

  template <class Range, class F>
  void named(const char* kind, Range&& range, F&& f) {
    static_assert(ranges::distributed_range<Range>);
    SCOPED_TRACE(text_of(kind, std::ranges::size(range)));
    f(range);
  }
  [[nodiscard]] std::string text_of(const char* kind, std::size_t size) const {
    return std::string(kind) + " of " + std::to_string(size) + " on " +
           std::to_string(members_.size()) + " members";
  }

  [[nodiscard]] std::vector<std::pair<const char*, only_segments>> few_by_their_segments() {
    return {{"a user's own range", users_own(memory_, size_)},
            {"a cyclic array", only_segments::of(cyclic_)}};
  }
  [[nodiscard]] std::vector<std::pair<const char*, only_segments>> others_by_their_segments() {
    return {{"an array", only_segments::of(line_)},
            {"a hosted array", only_segments::of(hosted_)},
            {"a matrix", only_segments::of(boxes_)},
            {"rows of a matrix", only_segments::of(some_rows())},
            {"a matrix of blocks in turn", only_segments::of(dealt_)},
            {"a matrix of shifted tiles", only_segments::of(tiles_)}};
  }

  const team& members_;
  std::size_t size_;
  array<int> line_;
  hosted_array<int> hosted_;
  array<int> memory_;
  matrix<int, 2> boxes_;
  made_by<cyclic_array> cyclic_;
  made_by<matrix_of_blocks_in_turn> dealt_;
  made_by<matrix_of_shifted_tiles> tiles_;
  made_by<matrix_by_columns> columns_;
};

template <class T = int>
[[nodiscard]] std::vector<T> copy_of(auto&& range, const T& none = T{}) {
  std::vector<T> values(std::ranges::size(range), none);
  acre::copy(range, values);
  ranges::members(range).barrier();
  return values;
}

std::vector<int> elements_of(auto& range) {
  std::vector<int> values;
  for (const int value : range) values.push_back(value);
  ranges::members(range).barrier();
  return values;
}

inline std::vector<int> squares(std::size_t size) {
  std::vector<int> values(size);
  for (std::size_t i = 0; i < size; ++i) values[i] = static_cast<int>(i * i % 29);
  return values;
}

inline constexpr auto set_squares = [](std::size_t i, int& element) {
  element = static_cast<int>(i * i % 29);
};

void expect_copied(auto& from, auto& to) {
  const std::size_t both = std::min<std::size_t>(std::ranges::size(from), std::ranges::size(to));
  const auto count = static_cast<std::ptrdiff_t>(both);
  auto target = std::views::counted(std::ranges::begin(to), count);
  if constexpr (ranges::distributed_range<decltype(target)> &&
                requires { std::ranges::begin(from).segments(both); }) {
    for_each_with_index(from, set_squares);
    fill(to, -1);
    acre::copy(std::views::counted(std::ranges::begin(from), count), target);
    EXPECT_EQ(elements_of(target), squares(both));
  }
}

/// f(all) for ranges on all ranks and on a part.
template <class F>
void with_ranges(std::initializer_list<std::size_t> sizes, F&& f) {
  const auto with = [&](const team& members, std::size_t size) {
    ranges_of_all_kinds all(members, size);
    f(all);
  };
  for (const std::size_t size : sizes) with(world(), size);
  with(world().split(static_cast<int>(rank() % 2)), 12);
}

template <class F>
void with_ranges_of_all_types(F&& f) {
  with_ranges({0, 1, 3, 31}, [&](ranges_of_all_kinds& all) { all.each(f); });
}
template <class F>
void with_ranges_of_all_kinds(F&& f) {
  with_ranges({0, 1, 3, 31}, [&](ranges_of_all_kinds& all) { all.each_by_its_segments(f); });
}
template <class F>
void with_ranges_of_few_kinds(F&& f) {
  with_ranges({0, 1, 31}, [&](ranges_of_all_kinds& all) { all.each_of_few(f); });
}

}  // namespace acre::testing
