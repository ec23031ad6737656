// SPDX-License-Identifier: BSD-3-Clause
// Box of a matrix as an operand of a product, plain, transposed or conjugated.
#pragma once

#include <acre/array/matrix_view.hpp>
#include <acre/array/transposed.hpp>
#include <acre/global/team/team.hpp>
#include <acre/layout/box.hpp>
#include <acre/layout/pieces.hpp>
#include <acre/layout/properties.hpp>
#include <acre/view/global_box.hpp>

#include <cstddef>
#include <optional>
#include <type_traits>
#include <vector>

namespace acre::algorithm {

template <class T, class Pattern, bool Turned, bool Conjugated>
class product_operand {
 public:
  using value_type = std::remove_const_t<T>;
  static constexpr bool is_conjugated = Conjugated && !std::is_arithmetic_v<value_type>;
  static constexpr bool is_by_rows = layout::facts<Pattern>::is_by_columns == Turned;

  explicit product_operand(const matrix_view<T, 2, Pattern>& of) noexcept : of_(of) {}

  [[nodiscard]] layout::coordinates<2> extents() const noexcept { return turned(of_.extents()); }
  [[nodiscard]] const team& members() const { return of_.members(); }
  [[nodiscard]] const matrix_view<T, 2, Pattern>& view() const noexcept { return of_; }
  [[nodiscard]] std::size_t blocks() const noexcept {
    return layout::box<2>{.extents = of_.base().pattern().blocks()}.size();
  }

  /// Calls f(where, piece) for each block, at any rank.
  template <class F>
  void each_piece(const layout::box<2>& part, F&& f) const {
    of_.each_piece(turned(part), [&](const layout::box<2>& where, const global_box<T, 2>& piece) {
      f(turned(where), turned(piece));
    });
  }
  template <class F>
  void each_own_piece(F&& f) const {
    of_.each_own_piece({.extents = of_.extents()},
                       [&](const layout::box<2>& where, const global_box<T, 2>& piece) {
                         f(turned(where), turned(piece));
                       });
  }
  [[nodiscard]] std::vector<layout::box<2>> boxes_of(rank_t world_rank) const {
    std::vector<layout::box<2>> all;
    const std::optional<rank_t> member = of_.members().member(world_rank);
    if (!member) return all;
    layout::each_piece_of(of_.base().pattern(), *member, of_.part(),
                          [&](const layout::piece<2>& found) {
                            layout::box<2> where = found.where;
                            for (std::size_t d = 0; d < 2; ++d)
                              where.first[d] -= of_.part().first[d];
                            all.push_back(turned(where));
                          });
    return all;
  }
  /// First indices of blocks.
  [[nodiscard]] std::vector<std::size_t> cuts(std::size_t dimension) const {
    layout::box<2> line{.extents = {1, 1}};
    line.extents[dimension] = extents()[dimension];
    std::vector<std::size_t> all;
    if (extents()[0] == 0 || extents()[1] == 0) return all;
    each_piece(line, [&](const layout::box<2>& where, const auto&) {
      all.push_back(where.first[dimension]);
    });
    return all;
  }

 private:
  template <class Shape>
  [[nodiscard]] static constexpr Shape turned(const Shape& shape) noexcept {
    if constexpr (Turned) {
      return arrays::exchanged(shape);
    } else {
      return shape;
    }
  }

  matrix_view<T, 2, Pattern> of_;
};

template <class T, class Pattern>
[[nodiscard]] matrix_view<const std::remove_const_t<T>, 2, Pattern> constant(
    const matrix_view<T, 2, Pattern>& of) {
  return {of.base(), of.part()};
}

template <class T, class Pattern>
[[nodiscard]] auto source_of(const matrix_view<T, 2, Pattern>& of) {
  return product_operand<const std::remove_const_t<T>, Pattern, false, false>(constant(of));
}
template <class T, class Pattern>
[[nodiscard]] auto source_of(const matrix<T, 2, Pattern>& of) {
  return source_of(whole(of));
}
template <class T, class Pattern>
[[nodiscard]] auto source_of(const transposed_view<T, Pattern>& of) {
  return product_operand<const std::remove_const_t<T>, Pattern, true, false>(constant(of.view()));
}
template <class T, class Pattern>
[[nodiscard]] auto source_of(const adjoint_view<T, Pattern>& of) {
  return product_operand<const std::remove_const_t<T>, Pattern, true, true>(
      constant(of.transposed().view()));
}

template <class T, class Pattern>
  requires(!std::is_const_v<T>)
[[nodiscard]] auto target_of(const matrix_view<T, 2, Pattern>& of) {
  return product_operand<T, Pattern, false, false>(of);
}
template <class T, class Pattern>
[[nodiscard]] auto target_of(matrix<T, 2, Pattern>& of) {
  return target_of(whole(of));
}

}  // namespace acre::algorithm
