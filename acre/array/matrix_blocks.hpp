// SPDX-License-Identifier: BSD-3-Clause
// Blocks of a matrix's pattern, as views of one owner each.
//
//     for (const auto& block : acre::blocks(m)) {
//       if (block.is_own()) work_on(block.local());
//     }
//     auto mine = m.local_block(0);                     // own block by number
//     acre::copy_async(m.block({3, 5}), buffer);
#pragma once

#include <acre/array/matrix.hpp>
#include <acre/array/matrix_view.hpp>
#include <acre/base/site.hpp>
#include <acre/layout/box.hpp>
#include <acre/view/box_span.hpp>
#include <acre/view/global_box.hpp>
#include <acre/view/random_steps.hpp>

#include <cstddef>
#include <iterator>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>

namespace acre {

namespace arrays {

[[noreturn]] void throw_no_block(std::span<const std::size_t> number,
                                 std::span<const std::size_t> blocks, const site& where);

}  // namespace arrays

template <class T, std::size_t N, class Pattern>
class matrix_block : public matrix_view<T, N, Pattern> {
  using base_type = matrix_view<T, N, Pattern>;

 public:
  matrix_block() = default;
  /// @throws acre::error for an invalid block
  template <class Matrix>
  matrix_block(Matrix& of, const layout::coordinates<N>& number,
               const site& where = site::current())
      : matrix_block(of, number, checked(of, number, where)) {}

  /// Coordinates in the grid of blocks.
  [[nodiscard]] const layout::coordinates<N>& number() const noexcept { return number_; }

  [[nodiscard]] member owner() const { return this->members()[lies_.member]; }
  [[nodiscard]] bool is_own() const { return lies_.member == this->members().rank(); }
  /// Elements in global memory, for transfers.
  [[nodiscard]] global_box<T, N> global() const {
    const layout::place first{.member = lies_.member, .offset = lies_.offset};
    return {this->base().pointer_to(first), lies_.where.extents, lies_.strides};
  }
  /// Elements, if the owner's memory is mapped here, else empty.
  [[nodiscard]] box_span<T, N> local() const {
    return this->size() == 0 ? box_span<T, N>() : global().local();
  }

 private:
  template <class Matrix>
  matrix_block(Matrix& of, const layout::coordinates<N>& number, const layout::piece<N>& lies)
      : base_type(of, lies.where), number_(number), lies_(lies) {}

  template <class Matrix>
  [[nodiscard]] static layout::piece<N> checked(const Matrix& of,
                                                const layout::coordinates<N>& number,
                                                const site& where) {
    const layout::coordinates<N> all = of.pattern().blocks();
    if (!layout::box<N>{.extents = all}.contains(number)) [[unlikely]] {
      arrays::throw_no_block(number, all, where);
    }
    return of.pattern().block(number);
  }

  layout::coordinates<N> number_{};
  layout::piece<N> lies_{};
};

namespace arrays {

template <class T, std::size_t N, class Pattern>
class block_iterator
    : public view::numbered_steps<block_iterator<T, N, Pattern>, matrix_block<T, N, Pattern>> {
 public:
  using value_type = matrix_block<T, N, Pattern>;
  using matrix_type = std::remove_reference_t<decltype(std::declval<value_type>().base())>;
  using iterator_category = std::input_iterator_tag;

  block_iterator() = default;
  block_iterator(matrix_type& of, std::size_t number) noexcept : matrix_(&of), number_(number) {}

  [[nodiscard]] value_type operator*() const {
    return {*matrix_, layout::row_major::at<N>(number_, matrix_->pattern().blocks())};
  }
  [[nodiscard]] value_type operator[](std::ptrdiff_t n) const { return *(*this + n); }
  block_iterator& operator+=(std::ptrdiff_t n) noexcept {
    number_ += static_cast<std::size_t>(n);
    return *this;
  }
  [[nodiscard]] std::size_t number() const noexcept { return number_; }

 private:
  matrix_type* matrix_ = nullptr;
  std::size_t number_ = 0;
};

template <class T, std::size_t N, class Pattern, class Matrix>
[[nodiscard]] auto matrix_blocks_of(Matrix& of) {
  using iterator = block_iterator<T, N, Pattern>;
  const std::size_t count = layout::box<N>{.extents = of.pattern().blocks()}.size();
  return std::ranges::subrange(iterator(of, 0), iterator(of, count));
}

}  // namespace arrays

/// All blocks, by rows, some possibly empty; random access.
template <class T, std::size_t N, class Pattern>
[[nodiscard]] auto blocks(matrix<T, N, Pattern>& of) {
  return arrays::matrix_blocks_of<T, N, Pattern>(of);
}
template <class T, std::size_t N, class Pattern>
[[nodiscard]] auto blocks(const matrix<T, N, Pattern>& of) {
  return arrays::matrix_blocks_of<const T, N, Pattern>(of);
}
/// Block by coordinates in the grid of blocks.
/// @throws acre::error for an invalid block
template <class T, std::size_t N, class Pattern>
[[nodiscard]] matrix_block<T, N, Pattern> block(
    matrix<T, N, Pattern>& of, const std::type_identity_t<layout::coordinates<N>>& number,
    const site& where = site::current()) {
  return {of, number, where};
}
template <class T, std::size_t N, class Pattern>
[[nodiscard]] matrix_block<const T, N, Pattern> block(
    const matrix<T, N, Pattern>& of, const std::type_identity_t<layout::coordinates<N>>& number,
    const site& where = site::current()) {
  return {of, number, where};
}

template <class T, std::size_t N, class Pattern>
void blocks(const matrix<T, N, Pattern>&& of) = delete;
template <class T, std::size_t N, class Pattern>
void block(const matrix<T, N, Pattern>&& of,
           const std::type_identity_t<layout::coordinates<N>>& number) = delete;

}  // namespace acre

template <class T, std::size_t N, class Pattern>
inline constexpr bool std::ranges::enable_borrowed_range<acre::matrix_block<T, N, Pattern>> = true;
