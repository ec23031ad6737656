// SPDX-License-Identifier: BSD-3-Clause
// Views of every step-th element of a matrix, and broadcasts of its elements. The matrix must not
// move.
//
//     acre::slice(m, {{.step = 2}, {1, 9, 3}})                   // m[::2, 1:9:3] of NumPy
//     acre::transform(m, acre::broadcast(row, m.extents()), m, std::plus<>());     // m += row
#pragma once

#include <acre/array/matrix.hpp>
#include <acre/array/matrix_view.hpp>
#include <acre/base/bits.hpp>
#include <acre/base/site.hpp>
#include <acre/layout/box.hpp>
#include <acre/layout/pieces.hpp>
#include <acre/view/covered_elements.hpp>
#include <acre/view/global_box.hpp>
#include <acre/view/random_steps.hpp>
#include <acre/view/range_faults.hpp>
#include <acre/view/segment_walk.hpp>
#include <acre/view/stepped_segment.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <span>
#include <type_traits>
#include <vector>

namespace acre {

/// Indices first, first + step, … below `end` of one dimension: first:end:step of NumPy.
struct index_slice {
  std::size_t first = 0;
  std::size_t end = ~std::size_t{0};  ///< larger values: the extent
  std::size_t step = 1;
};

namespace arrays {

[[noreturn]] void throw_no_step(std::size_t dimension, const site& where);
[[noreturn]] void throw_no_broadcast(std::span<const std::size_t> from,
                                     std::span<const std::size_t> to, const site& where);

}  // namespace arrays

/// Elements first + i * step of a matrix, in M >= N dimensions, of which the last N are the
/// matrix's; a step of 0 repeats elements. Range by rows; if M = N also a distributed box.
template <class T, std::size_t M, std::size_t N, class Pattern>
class matrix_slice : public std::ranges::view_base {
  using matrix_type =
      std::conditional_t<std::is_const_v<T>, const matrix<std::remove_const_t<T>, N, Pattern>,
                         matrix<T, N, Pattern>>;
  static constexpr std::size_t more = M - N;

 public:
  static constexpr std::size_t dimensions = M;
  using element_type = T;
  using value_type = std::remove_const_t<T>;
  using coordinates = layout::coordinates<M>;
  using box = layout::box<M>;
  class iterator;

  matrix_slice() = default;
  matrix_slice(matrix_type& of, const layout::coordinates<N>& first, const coordinates& extents,
               const coordinates& steps) noexcept
      : matrix_(&of), first_(first), extents_(extents), steps_(steps) {}

  /// Cost: R or W; l if local. Not checked.
  template <std::convertible_to<std::size_t>... Indices>
    requires(sizeof...(Indices) == M)
  [[nodiscard]] global_ref<T> operator()(Indices... indices) const {
    return (*this)[coordinates{static_cast<std::size_t>(indices)...}];
  }
  [[nodiscard]] global_ref<T> operator[](const coordinates& at) const {
    return (*matrix_)[in_matrix(at)];
  }
  [[nodiscard]] const coordinates& extents() const noexcept { return extents_; }
  [[nodiscard]] std::size_t extent(std::size_t d) const noexcept { return extents_[d]; }
  [[nodiscard]] std::size_t size() const noexcept { return box{.extents = extents_}.size(); }
  [[nodiscard]] const team& members() const {
    return view::require_container(matrix_, "matrix").members();
  }
  [[nodiscard]] matrix_type& base() const noexcept { return *matrix_; }
  [[nodiscard]] const layout::coordinates<N>& first() const noexcept { return first_; }
  [[nodiscard]] const coordinates& steps() const noexcept { return steps_; }

  // --- box interface: view/boxes.hpp ---

  template <class F>
    requires(M == N)
  void each_piece(const box& of, F&& f) const {
    if (of.empty()) return;
    layout::each_piece(matrix_->pattern(), spanned(of), as_piece_of(of, f));
  }
  template <class F>
    requires(M == N)
  void each_own_piece(const box& of, F&& f) const {
    if (of.empty()) return;
    layout::each_piece_of(matrix_->pattern(), members().rank(), spanned(of), as_piece_of(of, f));
  }

  // --- range by rows: view/ranges.hpp ---

  [[nodiscard]] iterator begin() const { return {*this, 0}; }
  [[nodiscard]] iterator end() const { return {*this, size()}; }

  [[nodiscard]] layout::coordinates<N> in_matrix(const coordinates& at) const noexcept {
    layout::coordinates<N> result = first_;
    for (std::size_t d = 0; d < N; ++d) result[d] += at[d + more] * steps_[d + more];
    return result;
  }
  /// Smallest box of the matrix around the elements of a nonempty box.
  [[nodiscard]] layout::box<N> spanned(const box& of) const noexcept {
    layout::box<N> result{.first = in_matrix(of.first)};
    for (std::size_t d = 0; d < N; ++d) {
      result.extents[d] = (of.extents[d + more] - 1) * steps_[d + more] + 1;
    }
    return result;
  }
  /// Part of `of` whose elements are in a piece of the matrix.
  [[nodiscard]] box part_in(const layout::box<N>& piece, box of) const noexcept {
    for (std::size_t d = 0; d < N; ++d) {
      const std::size_t v = d + more;
      std::size_t from = 0;
      std::size_t end = extents_[v];
      if (steps_[v] == 0) {
        if (first_[d] - piece.first[d] >= piece.extents[d]) end = 0;
      } else {
        from = number_from(piece.first[d], d);
        end = number_from(piece.first[d] + piece.extents[d], d);
      }
      from = larger(from, of.first[v]);
      end = smaller(end, of.first[v] + of.extents[v]);
      if (from >= end) return {};
      of.first[v] = from;
      of.extents[v] = end - from;
    }
    return of;
  }
  /// Offset of an element relative to a piece.
  [[nodiscard]] std::size_t offset_in(const layout::piece<N>& piece,
                                      const coordinates& at) const noexcept {
    const layout::coordinates<N> in_all = in_matrix(at);
    std::size_t offset = 0;
    for (std::size_t d = 0; d < N; ++d) {
      offset += (in_all[d] - piece.where.first[d]) * piece.strides[d];
    }
    return offset;
  }
  /// Run from element `number` to at most the end of its row.
  [[nodiscard]] view::stepped_segment<T> run_from(std::size_t number) const {
    const coordinates at = layout::row_major::at<M>(number, extents_);
    const layout::coordinates<N> in_all = in_matrix(at);
    const auto& pattern = matrix_->pattern();
    const layout::piece<N> block = pattern.block(pattern.block_of(in_all));
    const std::size_t step = steps_[M - 1];
    std::size_t count = extents_[M - 1] - at[M - 1];
    if (step != 0) {
      const std::size_t end = block.where.first[N - 1] + block.where.extents[N - 1];
      count = smaller(count, divide_up(end - in_all[N - 1], step));
    }
    return {matrix_->pointer_to(pattern.place_of(in_all)), count, step * block.strides[N - 1]};
  }

 private:
  [[nodiscard]] std::size_t number_from(std::size_t index, std::size_t d) const noexcept {
    return index <= first_[d] ? 0 : divide_up(index - first_[d], steps_[d + more]);
  }
  template <class F>
  [[nodiscard]] auto as_piece_of(const box& of, F& f) const {
    return [this, of, &f](const layout::piece<N>& found) {
      const box part = part_in(found.where, of);
      if (part.empty()) return;
      const layout::place first{.member = found.member,
                                .offset = found.offset + offset_in(found, part.first)};
      coordinates strides{};
      for (std::size_t d = 0; d < N; ++d) strides[d] = steps_[d] * found.strides[d];
      f(part, global_box<T, N>(matrix_->pointer_to(first), part.extents, strides));
    };
  }

  matrix_type* matrix_ = nullptr;
  layout::coordinates<N> first_{};
  coordinates extents_{};
  coordinates steps_{};
};

template <class T, std::size_t M, std::size_t N, class Pattern>
class matrix_slice<T, M, N, Pattern>::iterator
    : public view::numbered_steps<typename matrix_slice<T, M, N, Pattern>::iterator, T,
                                  global_ref<T>> {
 public:
  using iterator_category = std::random_access_iterator_tag;

  iterator() = default;
  iterator(const matrix_slice& view, std::size_t number) noexcept : view_(view), number_(number) {}

  [[nodiscard]] global_ref<T> operator*() const {
    return view_[layout::row_major::at<M>(number_, view_.extents())];
  }
  [[nodiscard]] global_ref<T> operator[](std::ptrdiff_t distance) const {
    return *(*this + distance);
  }
  iterator& operator+=(std::ptrdiff_t distance) noexcept {
    number_ += static_cast<std::size_t>(distance);
    return *this;
  }
  [[nodiscard]] std::size_t number() const noexcept { return number_; }
  [[nodiscard]] const team& members() const { return view_.members(); }
  /// Row-major number in the matrix; at the end the matrix's size.
  [[nodiscard]] std::size_t index() const noexcept {
    const layout::coordinates<N> all = view_.base().extents();
    if (number_ >= view_.size()) return layout::box<N>{.extents = all}.size();
    const auto at = layout::row_major::at<M>(number_, view_.extents());
    return layout::row_major::number<N>(view_.in_matrix(at), all);
  }

  [[nodiscard]] view::segment_walk<iterator> segments(std::size_t count) const {
    return {*this, count};
  }
  [[nodiscard]] view::stepped_segment<T> first_segment(std::size_t count) const {
    const auto run = view_.run_from(number_);
    return run.subspan(0, smaller(run.size(), count));
  }
  template <class F>
  void each_own_run(std::size_t count, F&& f) const {
    if (count == 0) return;
    const box rows = rows_of(count);
    layout::each_piece_of(view_.base().pattern(), members().rank(), view_.spanned(rows),
                          [&](const layout::piece<N>& piece) { each_row(piece, rows, count, f); });
  }

  [[nodiscard]] view::covered_elements<N> covered(std::size_t count) const {
    if (count == 0) return {};
    const auto all = view_.base().begin().covered(0);
    bool is_box = M == N;
    for (const std::size_t step : view_.steps()) is_box = is_box && step == 1;
    view::covered_elements<N> result{.container = all.container,
                                     .memory = all.memory,
                                     .is_users_memory = all.is_users_memory,
                                     .part = view_.spanned(rows_of(count)),
                                     .walked = view_.spanned({.extents = view_.extents()}),
                                     .number = number_};
    if (!is_box) result.step = step_number();
    return result;
  }
  [[nodiscard]] std::vector<std::size_t> extents_of(std::size_t count) const {
    if (number_ != 0 || count != view_.size()) return {count};
    return {view_.extents().begin(), view_.extents().end()};
  }
  void require_room(std::size_t count, const char* call, const site& where) const {
    view::require_among(number_, count, view_.size(), call, "slice of a matrix", where);
  }
  void require_same(const iterator& other, const char* call, const site& where) const {
    if (view_.matrix_ != other.view_.matrix_ || view_.first_ != other.view_.first_ ||
        view_.extents_ != other.view_.extents_ || view_.steps_ != other.view_.steps_) [[unlikely]] {
      view::throw_two_containers(call, "slice of a matrix", where);
    }
  }
  [[nodiscard]] std::uint64_t identity() const noexcept {
    std::uint64_t bits = mix_bits(index() + step_number());
    for (const std::size_t each : view_.extents()) bits = mix_bits(bits + each);
    return bits;
  }

 private:
  /// Order of elements for covered_elements; 0 for repeated ones.
  [[nodiscard]] std::size_t step_number() const noexcept {
    std::uint64_t number = 1;
    for (const std::size_t step : view_.steps()) {
      if (step == 0) return 0;
      number = mix_bits(number + step);
    }
    return number | 1;
  }
  [[nodiscard]] box rows_of(std::size_t count) const noexcept {
    box rows{.extents = view_.extents()};
    const std::size_t row = rows.size() / rows.extents[0];
    rows.first[0] = number_ / row;
    rows.extents[0] = (number_ + count - 1) / row - rows.first[0] + 1;
    return rows;
  }
  /// Calls f(distance from number_, run) for rows in a piece.
  template <class F>
  void each_row(const layout::piece<N>& piece, const box& rows, std::size_t count, F& f) const {
    const box part = view_.part_in(piece.where, rows);
    if (part.empty()) return;
    const layout::place first{.member = piece.member, .offset = piece.offset};
    const global_ptr<T> memory = view_.base().pointer_to(first);
    const std::size_t step = view_.steps()[M - 1] * piece.strides[N - 1];
    coordinates extents = part.extents;
    extents[M - 1] = 1;
    coordinates inside{};
    for (std::size_t left = box{.extents = extents}.size(); left != 0; --left) {
      coordinates at = part.first;
      for (std::size_t d = 0; d < M; ++d) at[d] += inside[d];
      const std::size_t number = layout::row_major::number<M>(at, view_.extents());
      const std::size_t from = larger(number, number_);
      const std::size_t to = smaller(number + part.extents[M - 1], number_ + count);
      if (from < to) {
        at[M - 1] += from - number;
        const auto offset = static_cast<std::ptrdiff_t>(view_.offset_in(piece, at));
        f(from - number_, view::stepped_segment<T>(memory + offset, to - from, step).local());
      }
      layout::row_major::advance(inside, extents);
    }
  }

  matrix_slice view_;
  std::size_t number_ = 0;
};

namespace arrays {

template <class T, std::size_t M, std::size_t N, class Pattern, class Matrix>
[[nodiscard]] matrix_slice<T, M, N, Pattern> sliced(Matrix& of, layout::coordinates<N> first,
                                                    layout::coordinates<M> extents,
                                                    layout::coordinates<M> steps,
                                                    const index_slice (&slices)[M],
                                                    const site& where) {
  for (std::size_t d = 0; d < M; ++d) {
    const index_slice& each = slices[d];
    if (each.step == 0) [[unlikely]] {
      throw_no_step(d, where);
    }
    const std::size_t end = smaller(each.end, extents[d]);
    extents[d] = each.first < end ? divide_up(end - each.first, each.step) : 0;
    if (d >= M - N && extents[d] != 0) first[d - (M - N)] += each.first * steps[d];
    steps[d] *= each.step;
  }
  return {of, first, extents, steps};
}

template <std::size_t N>
[[nodiscard]] constexpr layout::coordinates<N> single_steps() noexcept {
  layout::coordinates<N> steps{};
  steps.fill(1);
  return steps;
}

template <class T, std::size_t To, std::size_t M, std::size_t N, class Pattern, class Matrix>
[[nodiscard]] matrix_slice<const T, To, N, Pattern> broadcasted(
    Matrix& of, const layout::coordinates<N>& first, const layout::coordinates<M>& extents,
    const layout::coordinates<M>& steps, const layout::coordinates<To>& to, const site& where) {
  static_assert(To >= M, "elements are broadcast to equally many dimensions or more");
  layout::coordinates<To> new_steps{};
  for (std::size_t d = 0; d < M; ++d) {
    const std::size_t v = d + (To - M);
    if (extents[d] == to[v]) {
      new_steps[v] = steps[d];
    } else if (extents[d] != 1) {
      throw_no_broadcast(extents, to, where);
    }
  }
  return {of, first, to, new_steps};
}

}  // namespace arrays

/// Every step-th element of each dimension; bounds beyond the extents are cut.
/// @throws acre::error for a step of 0
template <class T, std::size_t N, class Pattern>
[[nodiscard]] matrix_slice<T, N, N, Pattern> slice(matrix<T, N, Pattern>& of,
                                                   const index_slice (&slices)[N],
                                                   const site& where = site::current()) {
  return arrays::sliced<T, N, N, Pattern>(of, {}, of.extents(), arrays::single_steps<N>(), slices,
                                          where);
}
template <class T, std::size_t N, class Pattern>
[[nodiscard]] matrix_slice<const T, N, N, Pattern> slice(const matrix<T, N, Pattern>& of,
                                                         const index_slice (&slices)[N],
                                                         const site& where = site::current()) {
  return arrays::sliced<const T, N, N, Pattern>(of, {}, of.extents(), arrays::single_steps<N>(),
                                                slices, where);
}
template <class T, std::size_t N, class Pattern>
[[nodiscard]] matrix_slice<T, N, N, Pattern> slice(const matrix_view<T, N, Pattern>& of,
                                                   const index_slice (&slices)[N],
                                                   const site& where = site::current()) {
  return arrays::sliced<T, N, N, Pattern>(of.base(), of.part().first, of.extents(),
                                          arrays::single_steps<N>(), slices, where);
}
template <class T, std::size_t M, std::size_t N, class Pattern>
[[nodiscard]] matrix_slice<T, M, N, Pattern> slice(const matrix_slice<T, M, N, Pattern>& of,
                                                   const index_slice (&slices)[M],
                                                   const site& where = site::current()) {
  return arrays::sliced<T, M, N, Pattern>(of.base(), of.first(), of.extents(), of.steps(), slices,
                                          where);
}

/// Elements repeated along dimensions of extent 1 and new first dimensions, as numpy.broadcast_to.
/// Constant. Each use of another rank's element reads it.
/// @throws acre::error for other extents
template <std::size_t To, class T, std::size_t N, class Pattern>
[[nodiscard]] auto broadcast(const matrix<T, N, Pattern>& of, const layout::coordinates<To>& to,
                             const site& where = site::current()) {
  return arrays::broadcasted<T, To, N, N, Pattern>(of, layout::coordinates<N>{}, of.extents(),
                                                   arrays::single_steps<N>(), to, where);
}
template <std::size_t To, class T, std::size_t N, class Pattern>
[[nodiscard]] auto broadcast(const matrix_view<T, N, Pattern>& of,
                             const layout::coordinates<To>& to,
                             const site& where = site::current()) {
  return arrays::broadcasted<std::remove_const_t<T>, To, N, N, Pattern>(
      of.base(), of.part().first, of.extents(), arrays::single_steps<N>(), to, where);
}
template <std::size_t To, class T, std::size_t M, std::size_t N, class Pattern>
[[nodiscard]] auto broadcast(const matrix_slice<T, M, N, Pattern>& of,
                             const layout::coordinates<To>& to,
                             const site& where = site::current()) {
  return arrays::broadcasted<std::remove_const_t<T>, To, M, N, Pattern>(
      of.base(), of.first(), of.extents(), of.steps(), to, where);
}

template <class T, std::size_t N, class Pattern>
void slice(const matrix<T, N, Pattern>&& of, const index_slice (&slices)[N]) = delete;
template <std::size_t To, class T, std::size_t N, class Pattern>
void broadcast(const matrix<T, N, Pattern>&& of, const layout::coordinates<To>& to) = delete;

}  // namespace acre

// Iterators hold a copy of the view.
template <class T, std::size_t M, std::size_t N, class Pattern>
inline constexpr bool std::ranges::enable_borrowed_range<acre::matrix_slice<T, M, N, Pattern>> =
    true;
