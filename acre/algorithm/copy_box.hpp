// SPDX-License-Identifier: BSD-3-Clause
// Copies boxes between matrices and local memory, by one strided transfer per piece of an owner.
#pragma once

#include <acre/algorithm/copy.hpp>
#include <acre/algorithm/detail/overlap.hpp>
#include <acre/algorithm/detail/then_barrier.hpp>
#include <acre/base/plain_buffer.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/transfer/completion.hpp>
#include <acre/view/box_span.hpp>
#include <acre/view/boxes.hpp>
#include <acre/view/call_ranges.hpp>
#include <acre/view/global_box.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace acre {

namespace algorithm {

void require_equal_extents(const char* call, std::span<const std::size_t> from,
                           std::span<const std::size_t> to, const site& where);

template <class From, std::size_t FromDimensions, class To, std::size_t ToDimensions>
inline constexpr bool is_box_copied =
    FromDimensions == ToDimensions && std::convertible_to<From, std::remove_const_t<To>>;
template <class From, std::size_t FromDimensions, class To, std::size_t ToDimensions>
constexpr void refuse_boxes() noexcept {
  constexpr bool are_alike = FromDimensions == ToDimensions;
  static_assert(are_alike, "both boxes must have the same number of dimensions");
  constexpr bool fit = std::convertible_to<From, std::remove_const_t<To>>;
  static_assert(fit,
                "the elements of `from` do not convert to those of `to`: use acre::transform(from, "
                "to, f) with a converting f");
}

template <class T, std::size_t N>
class box_beside {
 public:
  explicit box_beside(const layout::coordinates<N>& extents)
      : extents_(extents), elements_(layout::box<N>{.extents = extents}.size()) {}
  [[nodiscard]] box_span<T, N> box() const noexcept { return {elements_.data(), extents_}; }
  [[nodiscard]] box_span<const T, N> constant() const noexcept { return box(); }

 private:
  layout::coordinates<N> extents_;
  base::plain_buffer<T> elements_;
};

/// Starts reads; complete after quiet().
template <ranges::distributed_box From>
void read_part_of_box(const From& from, const layout::box<From::dimensions>& part,
                      const box_span<typename From::value_type, From::dimensions>& to,
                      const site& where) {
  from.each_piece(part, [&](const auto& found, const auto& piece) {
    auto inside = found;
    for (std::size_t d = 0; d < From::dimensions; ++d) inside.first[d] -= part.first[d];
    get_nbi(piece, to.sub(inside), where);
  });
}
template <ranges::distributed_box From>
void read_box(const From& from, const box_span<typename From::value_type, From::dimensions>& to,
              const site& where) {
  read_part_of_box(from, ranges::whole(from), to, where);
  quiet();
}
template <ranges::distributed_box To>
void write_box(const box_span<const typename To::value_type, To::dimensions>& from, const To& to,
               const site& where) {
  to.each_piece(ranges::whole(to), [&](const auto& part, const auto& piece) {
    put_nbi(piece, from.sub(part), where);
  });
  quiet();
}

/// For overlapping boxes: all members read before any writes. Collective.
template <ranges::distributed_box From, ranges::distributed_box To>
void copy_box_by_memory_beside(const From& from, const To& to, const site& where) {
  using T = typename To::value_type;
  constexpr std::size_t dimensions = To::dimensions;
  const team& members = to.members();
  members.barrier(where);  // completes earlier writes
  std::vector<box_beside<T, dimensions>> beside;
  global::succeed_together(members, "copy", where, [&] {
    to.each_own_piece(ranges::whole(to), [&](const auto& mine, const auto&) {
      beside.emplace_back(mine.extents);
      read_part_of_box(from, mine, beside.back().box(), where);
    });
    quiet();
  });
  then_barrier(members, where, [&] {
    auto next = beside.begin();
    to.each_own_piece(ranges::whole(to), [&](const auto&, const auto& target) {
      copy_box_here((next++)->constant(), target.local());
    });
  });
}

}  // namespace algorithm

/// Reads into local memory. One-sided. Cost: R per row at other members. Extra memory only for
/// conversions, or if `to` overlaps `from`.
/// @throws acre::error if extents differ
template <ranges::distributed_box From, class T>
  requires std::convertible_to<typename From::value_type, T> && (!std::is_const_v<T>)
void copy(const From& from, const box_span<T, From::dimensions>& to,
          const site& where = site::current()) {
  algorithm::require_equal_extents("copy", from.extents(), to.extents(), where);
  if constexpr (std::same_as<typename From::value_type, T>) {
    if (!algorithm::has_elements_of(from, to)) return algorithm::read_box(from, to, where);
  }
  algorithm::box_beside<typename From::value_type, From::dimensions> beside(to.extents());
  algorithm::read_box(from, beside.box(), where);
  algorithm::copy_box_here(beside.constant(), to);
}

/// Writes local memory to a box; complete at return. One-sided. Cost: W per row at other members.
/// Extra memory as above.
/// @throws acre::error if extents differ
template <class T, ranges::distributed_box To>
  requires std::convertible_to<T, typename To::value_type>
void copy(const box_span<T, To::dimensions>& from, const To& to,
          const site& where = site::current()) {
  using value = typename To::value_type;
  algorithm::require_equal_extents("copy", from.extents(), to.extents(), where);
  const box_span<const T, To::dimensions> source(from);
  if constexpr (std::same_as<std::remove_const_t<T>, value>) {
    if (!algorithm::has_elements_of(to, source)) return algorithm::write_box(source, to, where);
  }
  algorithm::box_beside<value, To::dimensions> beside(from.extents());
  algorithm::copy_box_here(source, beside.box());
  algorithm::write_box(beside.constant(), to, where);
}

/// Copies between any patterns. Collective in the team of `to`, whose members read. Cost: 2 B, and
/// R per common part of rows on two members. If the boxes share elements at different positions:
/// also 1 allreduce, and memory for own elements of `to`.
/// @throws acre::error if extents differ
template <ranges::distributed_box From, ranges::distributed_box To>
  requires std::same_as<typename From::value_type, typename To::value_type> &&
           (From::dimensions == To::dimensions)
void copy(const From& from, const To& to, const site& where = site::current()) {
  view::begin_collective_call(to.members(), "copy", where, {}, to, from);
  algorithm::require_equal_extents("copy", from.extents(), to.extents(), where);
  if (algorithm::boxes_overlap(from, to)) {
    if (!algorithm::are_one_box(from, to))
      return algorithm::copy_box_by_memory_beside(from, to, where);
  }
  algorithm::between_barriers(to.members(), where, [&] {
    to.each_own_piece(ranges::whole(to), [&](const auto& mine, const auto& target) {
      algorithm::read_part_of_box(from, mine, target.local(), where);
    });
    quiet();
  });
}
/// As above, with conversion of the elements by static_cast.
template <ranges::distributed_box From, ranges::distributed_box To>
  requires ranges::distributed_range<const From> && ranges::writable_range<const To> &&
           (!std::same_as<typename From::value_type, typename To::value_type>) &&
           std::convertible_to<typename From::value_type, typename To::value_type> &&
           (From::dimensions == To::dimensions)
void copy(const From& from, const To& to, const site& where = site::current()) {
  view::begin_collective_call(to.members(), "copy", where, {}, to, from);
  algorithm::require_equal_extents("copy", from.extents(), to.extents(), where);
  algorithm::copy_elements(from, to, where);
}

template <ranges::distributed_box From, class T, std::size_t N>
  requires(!algorithm::is_box_copied<typename From::value_type, From::dimensions, T, N> ||
           std::is_const_v<T>)
void copy(const From&, const box_span<T, N>&, const site& = site::current()) {
  algorithm::refuse_boxes<typename From::value_type, From::dimensions, T, N>();
  constexpr bool is_written = !std::is_const_v<T>;
  static_assert(is_written,
                "the box to copy to has const elements: pass a box of non-const elements");
}
template <class T, std::size_t N, ranges::distributed_box To>
  requires(!algorithm::is_box_copied<T, N, typename To::value_type, To::dimensions>)
void copy(const box_span<T, N>&, const To&, const site& = site::current()) {
  algorithm::refuse_boxes<T, N, typename To::value_type, To::dimensions>();
}

}  // namespace acre
