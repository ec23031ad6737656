// SPDX-License-Identifier: BSD-3-Clause
// View of a box of a matrix; the matrix must not move.
//
//     auto inner = acre::sub(m, {.first = {1, 1}, .extents = {98, 78}});
//     inner(0, 0) = 3;                                // m(1, 1)
#pragma once

#include <acre/array/matrix.hpp>
#include <acre/base/bits.hpp>
#include <acre/base/site.hpp>
#include <acre/layout/pieces.hpp>
#include <acre/layout/runs.hpp>
#include <acre/view/box_span.hpp>
#include <acre/view/boxes.hpp>
#include <acre/view/covered_elements.hpp>
#include <acre/view/global_box.hpp>
#include <acre/view/global_span.hpp>
#include <acre/view/random_steps.hpp>
#include <acre/view/range_faults.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <span>
#include <type_traits>
#include <vector>

namespace acre {

namespace arrays {

[[noreturn]] void throw_other_matrix(const site& where);

}  // namespace arrays

template <class T, std::size_t N, class Pattern>
class matrix_view : public std::ranges::view_base, private view::other_indices<N> {
  using matrix_type =
      std::conditional_t<std::is_const_v<T>, const matrix<std::remove_const_t<T>, N, Pattern>,
                         matrix<T, N, Pattern>>;

 public:
  static constexpr std::size_t dimensions = N;
  using element_type = T;
  using value_type = std::remove_const_t<T>;
  using coordinates = layout::coordinates<N>;
  using box = layout::box<N>;
  class iterator;
  class segment_iterator;
  class segment_range;

  matrix_view() = default;
  /// @throws acre::error if the box exceeds the matrix
  matrix_view(matrix_type& of, const box& part, const site& where = site::current())
      : matrix_(&of), part_(part) {
    if (!box{.extents = of.extents()}.contains(part)) [[unlikely]] {
      view::throw_box_outside(part.first, part.extents, of.extents(), where);
    }
  }

  /// As matrix::operator(); coordinates are relative to part().first.
  template <std::convertible_to<std::size_t>... Indices>
    requires(sizeof...(Indices) == N)
  [[nodiscard]] global_ref<T> operator()(Indices... indices) const noexcept(!base::has_checks) {
    return (*this)[coordinates{static_cast<std::size_t>(indices)...}];
  }
  [[nodiscard]] global_ref<T> operator[](const coordinates& at) const noexcept(!base::has_checks) {
    if constexpr (base::has_checks) {
      if (!box{.extents = part_.extents}.contains(at)) [[unlikely]] {
        view::throw_outside_box("matrix_view", at, part_.extents);
      }
    }
    return (*matrix_)[in_matrix(at)];
  }
  using view::other_indices<N>::operator();
  using view::other_indices<N>::operator[];
  [[nodiscard]] global_ptr<T> pointer(const coordinates& at) const noexcept(!base::has_checks) {
    return matrix_->pointer(in_matrix(at));
  }
  [[nodiscard]] const coordinates& extents() const noexcept { return part_.extents; }
  [[nodiscard]] std::size_t extent(std::size_t d) const noexcept { return part_.extents[d]; }
  [[nodiscard]] std::size_t size() const noexcept { return part_.size(); }
  [[nodiscard]] const team& members() const {
    return view::require_container(matrix_, "matrix").members();
  }
  [[nodiscard]] const box& part() const noexcept { return part_; }
  [[nodiscard]] matrix_type& base() const noexcept { return *matrix_; }

  [[nodiscard]] box_span<T, N> local() const
    requires layout::has_property<Pattern, layout::minimal_partitioning>
  {
    box_span<T, N> own;
    each_own_piece(box{.extents = part_.extents},
                   [&](const box&, const global_box<T, N>& piece) { own = piece.local(); });
    return own;
  }
  /// Part of the view that local() covers.
  [[nodiscard]] box local_box() const
    requires layout::has_property<Pattern, layout::minimal_partitioning>
  {
    box own{};
    each_own_piece(box{.extents = part_.extents},
                   [&](const box& where, const global_box<T, N>&) { own = where; });
    return own;
  }

  // --- box interface: view/boxes.hpp ---

  template <class F>
  void each_piece(const box& of, F&& f) const {
    layout::each_piece(matrix_->pattern(), in_matrix(of), in_view(f));
  }
  template <class F>
  void each_own_piece(const box& of, F&& f) const {
    layout::each_piece_of(matrix_->pattern(), members().rank(), in_matrix(of), in_view(f));
  }

  // --- range by rows: view/ranges.hpp ---

  [[nodiscard]] iterator begin() const { return {*this, 0}; }
  [[nodiscard]] iterator end() const { return {*this, size()}; }
  [[nodiscard]] segment_range segments() const noexcept { return segment_range(*this, 0, size()); }

 private:
  [[nodiscard]] coordinates in_matrix(coordinates at) const noexcept {
    for (std::size_t d = 0; d < N; ++d) at[d] += part_.first[d];
    return at;
  }
  [[nodiscard]] box in_matrix(const box& of) const noexcept {
    return {.first = in_matrix(of.first), .extents = of.extents};
  }
  template <class F>
  [[nodiscard]] auto in_view(F& f) const {
    return [this, &f](const layout::piece<N>& found) {
      box where = found.where;
      for (std::size_t d = 0; d < N; ++d) where.first[d] -= part_.first[d];
      const layout::place first{.member = found.member, .offset = found.offset};
      f(where, global_box<T, N>(matrix_->pointer_to(first), where.extents, found.strides));
    };
  }
  /// Contiguous run from element `number` to at most the end of its row.
  [[nodiscard]] global_span<T> run_from(std::size_t number) const {
    const coordinates at = layout::row_major::at<N>(number, part_.extents);
    const coordinates in_all = in_matrix(at);
    const auto& pattern = matrix_->pattern();
    const layout::piece<N> block = pattern.block(pattern.block_of(in_all));
    const std::size_t end_of_block = block.where.first[N - 1] + block.where.extents[N - 1];
    const std::size_t run = smaller(end_of_block - in_all[N - 1], part_.extents[N - 1] - at[N - 1]);
    return {matrix_->pointer_to(pattern.place_of(in_all)), block.strides[N - 1] == 1 ? run : 1};
  }

  [[nodiscard]] std::size_t run_before(std::size_t number) const {
    const std::size_t column = number % part_.extents[N - 1];
    const coordinates in_all = in_matrix(layout::row_major::at<N>(number, part_.extents));
    const auto& pattern = matrix_->pattern();
    const layout::piece<N> block = pattern.block(pattern.block_of(in_all));
    return block.strides[N - 1] == 1 ? smaller(column, in_all[N - 1] - block.where.first[N - 1])
                                     : 0;
  }

  matrix_type* matrix_ = nullptr;
  box part_{};
};

/// Iterator by rows; caches the current run.
template <class T, std::size_t N, class Pattern>
class matrix_view<T, N, Pattern>::iterator
    : public view::numbered_steps<typename matrix_view<T, N, Pattern>::iterator, T, global_ref<T>> {
 public:
  using iterator_category = std::random_access_iterator_tag;

  iterator() = default;
  iterator(const matrix_view& view, std::size_t number) : view_(view), number_(number) {
    find_run();
  }

  [[nodiscard]] global_ref<T> operator*() const noexcept { return run_[number_ - run_first_]; }
  [[nodiscard]] global_ref<T> operator[](std::ptrdiff_t distance) const noexcept {
    return *(*this + distance);
  }

  [[nodiscard]] segment_range segments(std::size_t count) const noexcept {
    return segment_range(view_, number_, number_ + count);
  }
  [[nodiscard]] const team& members() const { return view_.members(); }
  /// Row-major number in the matrix; at the end the matrix's size.
  [[nodiscard]] std::size_t index() const noexcept {
    if (number_ >= view_.size()) return box{.extents = view_.base().extents()}.size();
    const coordinates at = layout::row_major::at<N>(number_, view_.extents());
    return layout::row_major::number<N>(view_.in_matrix(at), view_.base().extents());
  }
  [[nodiscard]] view::covered_elements<N> covered(std::size_t count) const {
    if (count == 0) return {};
    const auto all = view_.base().begin().covered(0);
    return {.container = all.container,
            .memory = all.memory,
            .is_users_memory = all.is_users_memory,
            .part = view_.in_matrix(rows_of(count)),
            .walked = view_.part(),
            .number = number_};
  }
  [[nodiscard]] std::vector<std::size_t> extents_of(std::size_t count) const {
    if (number_ != 0 || count != view_.size()) return {count};
    return {view_.extents().begin(), view_.extents().end()};
  }
  template <class F>
  void each_own_run(std::size_t count, F&& f) const {
    if (count == 0) return;
    const box rows = rows_of(count);
    view_.each_own_piece(rows, [&](const box& where, const global_box<T, N>& piece) {
      each_row(where, piece.local(), count, f);
    });
  }

  void require_room(std::size_t count, const char* call, const site& where) const {
    view::require_among(number_, count, view_.size(), call, "box of a matrix", where);
  }
  void require_same(const iterator& other, const char* call, const site& where) const {
    if (view_.matrix_ != other.view_.matrix_ || view_.part_ != other.view_.part_) [[unlikely]] {
      view::throw_two_containers(call, "box of a matrix", where);
    }
  }
  [[nodiscard]] std::uint64_t identity() const noexcept {
    if (run_.empty()) return 0;
    const auto steps = static_cast<std::ptrdiff_t>(number_ - run_first_);
    std::uint64_t bits = (run_.data() + steps).bits();
    for (const std::size_t each : view_.extents()) bits = mix_bits(bits + each);
    return bits;
  }

  iterator& operator+=(std::ptrdiff_t distance) {
    number_ += static_cast<std::size_t>(distance);
    if (number_ - run_first_ >= run_.size()) [[unlikely]] {
      find_run();
    }
    return *this;
  }
  [[nodiscard]] std::size_t number() const noexcept { return number_; }

 private:
  [[nodiscard]] box rows_of(std::size_t count) const noexcept {
    box rows{.extents = view_.extents()};
    const std::size_t row = rows.size() / rows.extents[0];
    rows.first[0] = number_ / row;
    rows.extents[0] = (number_ + count - 1) / row - rows.first[0] + 1;
    return rows;
  }
  void find_run() {
    const bool is_element = number_ < view_.size();
    run_first_ = is_element ? number_ - view_.run_before(number_) : number_;
    run_ = is_element ? view_.run_from(run_first_) : global_span<T>();
  }
  /// Calls f(distance from number_, run) for each row of a piece, within `count` elements from
  /// number_.
  template <class F>
  void each_row(const box& where, const box_span<T, N>& piece, std::size_t count, F& f) const {
    struct by_rows {
      coordinates extents;
      [[nodiscard]] std::size_t number_of(const coordinates& at) const noexcept {
        return layout::row_major::number<N>(at, extents);
      }
    };
    const layout::piece<N> rows{
        .where = where, .member = 0, .offset = 0, .strides = piece.strides()};
    layout::each_row(by_rows{view_.extents()}, rows,
                     [&](std::size_t number, const layout::segment& row) {
                       const std::size_t from = larger(number, number_);
                       const std::size_t to = smaller(number + row.count, number_ + count);
                       if (from >= to) return;
                       T* const first = piece.data() + row.offset + (from - number);
                       f(from - number_, std::span<T>(first, to - from));
                     });
  }

  matrix_view view_;
  std::size_t number_ = 0;
  std::size_t run_first_ = 0;
  global_span<T> run_;
};

template <class T, std::size_t N, class Pattern>
class matrix_view<T, N, Pattern>::segment_iterator {
 public:
  using value_type = global_span<T>;
  using difference_type = std::ptrdiff_t;
  using iterator_concept = std::forward_iterator_tag;

  segment_iterator() = default;
  segment_iterator(const matrix_view& view, std::size_t number, std::size_t last) noexcept
      : view_(view), number_(number), last_(last) {}

  [[nodiscard]] global_span<T> operator*() const noexcept {
    const global_span<T> run = view_.run_from(number_);
    return run.subspan(0, smaller(run.size(), last_ - number_));
  }
  segment_iterator& operator++() noexcept {
    number_ += (**this).size();
    return *this;
  }
  segment_iterator operator++(int) noexcept {
    const segment_iterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const segment_iterator& a, const segment_iterator& b) noexcept {
    return a.number_ == b.number_;
  }

 private:
  matrix_view view_;
  std::size_t number_ = 0;
  std::size_t last_ = 0;
};

template <class T, std::size_t N, class Pattern>
class matrix_view<T, N, Pattern>::segment_range {
 public:
  segment_range(const matrix_view& view, std::size_t first, std::size_t last) noexcept
      : view_(view), first_(first), last_(last) {}
  [[nodiscard]] segment_iterator begin() const noexcept { return {view_, first_, last_}; }
  [[nodiscard]] segment_iterator end() const noexcept { return {view_, last_, last_}; }

 private:
  matrix_view view_;
  std::size_t first_;
  std::size_t last_;
};

/// View of a box. @throws acre::error if it exceeds the matrix
template <class T, std::size_t N, class Pattern>
[[nodiscard]] matrix_view<T, N, Pattern> sub(matrix<T, N, Pattern>& of,
                                             const std::type_identity_t<layout::box<N>>& part,
                                             const site& where = site::current()) {
  return {of, part, where};
}
template <class T, std::size_t N, class Pattern>
[[nodiscard]] matrix_view<const T, N, Pattern> sub(const matrix<T, N, Pattern>& of,
                                                   const std::type_identity_t<layout::box<N>>& part,
                                                   const site& where = site::current()) {
  return {of, part, where};
}
/// View of a box in coordinates of the view `of`.
template <class T, std::size_t N, class Pattern>
[[nodiscard]] matrix_view<T, N, Pattern> sub(const matrix_view<T, N, Pattern>& of,
                                             std::type_identity_t<layout::box<N>> part,
                                             const site& where = site::current()) {
  if (!layout::box<N>{.extents = of.extents()}.contains(part)) [[unlikely]] {
    view::throw_box_outside(part.first, part.extents, of.extents(), where);
  }
  for (std::size_t d = 0; d < N; ++d) part.first[d] += of.part().first[d];
  return {of.base(), part, where};
}
template <class T, std::size_t N, class Pattern>
[[nodiscard]] matrix_view<T, N, Pattern> whole(matrix<T, N, Pattern>& of) {
  return {of, {.extents = of.extents()}};
}
template <class T, std::size_t N, class Pattern>
[[nodiscard]] matrix_view<const T, N, Pattern> whole(const matrix<T, N, Pattern>& of) {
  return {of, {.extents = of.extents()}};
}

/// Elements with `index` in dimension D, e.g. a row or plane; that extent is 1.
template <std::size_t D, class Of>
  requires requires(Of& of) { whole(of); } || requires(Of& of) { of.part(); }
[[nodiscard]] auto slab(Of& of, std::size_t index, const site& where = site::current()) {
  layout::box<Of::dimensions> part{.extents = of.extents()};
  part.first[D] = index;
  part.extents[D] = 1;
  return sub(of, part, where);
}

template <class Of>
  requires(Of::dimensions == 2) && requires(Of& of) { slab<0>(of, 0); }
[[nodiscard]] auto row(Of& of, std::size_t i, const site& where = site::current()) {
  return slab<0>(of, i, where);
}
template <class Of>
  requires(Of::dimensions == 2) && requires(Of& of) { slab<1>(of, 0); }
[[nodiscard]] auto col(Of& of, std::size_t j, const site& where = site::current()) {
  return slab<1>(of, j, where);
}

/// Common part of two views, possibly empty. @throws acre::error for views of different matrices
template <class T, std::size_t N, class Pattern>
[[nodiscard]] matrix_view<T, N, Pattern> intersection(const matrix_view<T, N, Pattern>& a,
                                                      const matrix_view<T, N, Pattern>& b,
                                                      const site& where = site::current()) {
  if (&a.base() != &b.base()) [[unlikely]] {
    arrays::throw_other_matrix(where);
  }
  return {a.base(), layout::intersection(a.part(), b.part()), where};
}

template <class T, std::size_t N, class Pattern>
[[nodiscard]] layout::box<N> domain(const matrix<T, N, Pattern>& of) noexcept {
  return {.extents = of.extents()};
}
template <class T, std::size_t N, class Pattern>
[[nodiscard]] layout::box<N> domain(const matrix_view<T, N, Pattern>& of) noexcept {
  return of.part();
}

template <class T, std::size_t N, class Pattern>
void sub(const matrix<T, N, Pattern>&& of,
         const std::type_identity_t<layout::box<N>>& part) = delete;
template <class T, std::size_t N, class Pattern>
void whole(const matrix<T, N, Pattern>&& of) = delete;

}  // namespace acre

// Iterators hold a copy of the view.
template <class T, std::size_t N, class Pattern>
inline constexpr bool std::ranges::enable_borrowed_range<acre::matrix_view<T, N, Pattern>> = true;
