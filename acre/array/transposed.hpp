// SPDX-License-Identifier: BSD-3-Clause
// Transposed and adjoint views, as factors of products; the matrix must not move.
//
//     acre::multiply(acre::transposed(a), b, c);          // c = aᵀ b
#pragma once

#include <acre/array/matrix_view.hpp>
#include <acre/global/team/team.hpp>
#include <acre/layout/box.hpp>
#include <acre/view/global_box.hpp>

#include <cstddef>

namespace acre {

namespace arrays {

[[nodiscard]] constexpr layout::coordinates<2> exchanged(
    const layout::coordinates<2>& of) noexcept {
  return {of[1], of[0]};
}
[[nodiscard]] constexpr layout::box<2> exchanged(const layout::box<2>& of) noexcept {
  return {.first = exchanged(of.first), .extents = exchanged(of.extents)};
}
template <class T>
[[nodiscard]] constexpr global_box<T, 2> exchanged(const global_box<T, 2>& of) noexcept {
  return {of.data(), exchanged(of.extents()), exchanged(of.strides())};
}

}  // namespace arrays

template <class T, class Pattern>
class transposed_view {
 public:
  static constexpr std::size_t dimensions = 2;
  using element_type = T;
  using value_type = std::remove_const_t<T>;
  using view_type = matrix_view<T, 2, Pattern>;

  explicit transposed_view(const view_type& of) noexcept : of_(of) {}

  [[nodiscard]] const view_type& view() const noexcept { return of_; }
  [[nodiscard]] layout::coordinates<2> extents() const noexcept {
    return arrays::exchanged(of_.extents());
  }
  [[nodiscard]] const team& members() const { return of_.members(); }

  template <class F>
  void each_piece(const layout::box<2>& part, F&& f) const {
    of_.each_piece(arrays::exchanged(part), [&](const auto& where, const auto& piece) {
      f(arrays::exchanged(where), arrays::exchanged(piece));
    });
  }
  template <class F>
  void each_own_piece(const layout::box<2>& part, F&& f) const {
    of_.each_own_piece(arrays::exchanged(part), [&](const auto& where, const auto& piece) {
      f(arrays::exchanged(where), arrays::exchanged(piece));
    });
  }

 private:
  view_type of_;
};

/// Transpose with complex conjugate elements. Not a source of copies, as these elements are not in
/// memory.
template <class T, class Pattern>
class adjoint_view {
 public:
  explicit adjoint_view(const transposed_view<T, Pattern>& of) noexcept : of_(of) {}
  [[nodiscard]] const transposed_view<T, Pattern>& transposed() const noexcept { return of_; }

 private:
  transposed_view<T, Pattern> of_;
};

template <class T, class Pattern>
[[nodiscard]] transposed_view<T, Pattern> transposed(
    const matrix_view<T, 2, Pattern>& of) noexcept {
  return transposed_view<T, Pattern>(of);
}
template <class T, class Pattern>
[[nodiscard]] transposed_view<const T, Pattern> transposed(const matrix<T, 2, Pattern>& of) {
  return transposed(whole(of));
}
template <class T, class Pattern>
[[nodiscard]] matrix_view<T, 2, Pattern> transposed(
    const transposed_view<T, Pattern>& of) noexcept {
  return of.view();
}

template <class T, class Pattern>
[[nodiscard]] adjoint_view<T, Pattern> adjoint(const matrix_view<T, 2, Pattern>& of) noexcept {
  return adjoint_view<T, Pattern>(transposed(of));
}
template <class T, class Pattern>
[[nodiscard]] adjoint_view<const T, Pattern> adjoint(const matrix<T, 2, Pattern>& of) {
  return adjoint(whole(of));
}

template <class T, class Pattern>
void transposed(const matrix<T, 2, Pattern>&& of) = delete;
template <class T, class Pattern>
void adjoint(const matrix<T, 2, Pattern>&& of) = delete;

}  // namespace acre
