// SPDX-License-Identifier: BSD-3-Clause
// Stencil loops over halos.
//
//     of_a.update();
//     acre::stencil(of_a, b, [](auto u) {
//       return (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1)) / 4;
//     });
// stencil_with_update(of_a, b, f) also updates the halo, overlapped.
#pragma once

#include <acre/array/halo.hpp>
#include <acre/array/matrix.hpp>
#include <acre/base/checks.hpp>
#include <acre/base/site.hpp>
#include <acre/base/wide_loops.hpp>
#include <acre/layout/box.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <type_traits>
#include <utility>

namespace acre {

namespace arrays {

[[noreturn]] void throw_beyond_halo(std::span<const std::ptrdiff_t> away,
                                    std::span<const std::size_t> before,
                                    std::span<const std::size_t> after, const site& where);
[[noreturn]] void throw_no_corners(std::span<const std::ptrdiff_t> away, const site& where);
[[noreturn]] void throw_other_order(const site& where);

template <std::size_t N, bool Checked = base::has_checks>
class stencil_reach {
 public:
  stencil_reach(const halo_widths<N>& widths, halo_corners corners, const site& where) noexcept
      : widths_(&widths), where_(&where), corners_(corners) {}
  void check(const std::array<std::ptrdiff_t, N>& away) const {
    for (std::size_t d = 0; d < N; ++d) {
      const std::size_t width = away[d] < 0 ? widths_->before[d] : widths_->after[d];
      if (static_cast<std::size_t>(std::abs(away[d])) > width) [[unlikely]] {
        throw_beyond_halo(away, widths_->before, widths_->after, *where_);
      }
    }
    if (corners_ == halo_corners::kept) return;
    if (std::ranges::count(away, 0) < static_cast<std::ptrdiff_t>(N) - 1) [[unlikely]] {
      throw_no_corners(away, *where_);
    }
  }

 private:
  const halo_widths<N>* widths_;
  const site* where_;
  halo_corners corners_;
};
template <std::size_t N>
class stencil_reach<N, false> {
 public:
  stencil_reach(const halo_widths<N>&, halo_corners, const site&) noexcept {}
  void check(const std::array<std::ptrdiff_t, N>&) const noexcept {}
};

/// Compile error for a wrong number of offsets, reported once.
template <std::size_t Given, std::size_t N>
constexpr void require_offsets() noexcept {
  constexpr bool is_one_for_each = Given == N;
  static_assert(is_one_for_each,
                "pass one offset for each dimension of the matrix: u(-1, 0) in two dimensions");
}

}  // namespace arrays

template <class T, std::size_t N, std::size_t Fast>
class stencil_point {
 public:
  using coordinates = layout::coordinates<N>;

  [[gnu::always_inline]] stencil_point(const T* element, const coordinates& strides,
                                       const coordinates& row, std::size_t along,
                                       const arrays::stencil_reach<N>& reach) noexcept
      : element_(element), strides_(strides), row_(row), along_(along), reach_(reach) {}

  /// Neighbour within the halo widths; without corners, offsets in one dimension only.
  template <std::convertible_to<std::ptrdiff_t>... Offsets>
    requires(sizeof...(Offsets) == N)
  [[nodiscard, gnu::always_inline]] const T& operator()(Offsets... offsets) const
      noexcept(!base::has_checks) {
    const std::array<std::ptrdiff_t, N> away{static_cast<std::ptrdiff_t>(offsets)...};
    reach_.check(away);
    std::ptrdiff_t offset = away[Fast];
    for (std::size_t d = 0; d < N; ++d) {
      if (d != Fast) offset += away[d] * static_cast<std::ptrdiff_t>(strides_[d]);
    }
    return element_[offset];
  }
  template <class... Offsets>
    requires(sizeof...(Offsets) != N)
  [[nodiscard]] const T& operator()(Offsets...) const {
    arrays::require_offsets<sizeof...(Offsets), N>();
    return *element_;
  }
  [[nodiscard, gnu::always_inline]] const T& operator*() const noexcept { return *element_; }
  /// Coordinates of the point in the matrix.
  [[nodiscard, gnu::always_inline]] coordinates where() const noexcept {
    coordinates at = row_;
    at[Fast] += along_;
    return at;
  }

 private:
  const T* element_;
  const coordinates& strides_;
  const coordinates& row_;
  std::size_t along_;
  [[no_unique_address]] arrays::stencil_reach<N> reach_;
};

namespace arrays {

template <class T, class U, std::size_t N>
[[nodiscard]] bool may_overlap(const box_span<T, N>& a, const box_span<U, N>& b) noexcept {
  const auto end_of = [](const auto& box) {
    auto* last = box.data();
    for (std::size_t d = 0; d < N; ++d) last += (box.extent(d) - 1) * box.stride(d);
    return static_cast<const void*>(last + 1);
  };
  if (a.empty() || b.empty()) return false;
  return std::ranges::less()(static_cast<const void*>(a.data()), end_of(b)) &&
         std::ranges::less()(static_cast<const void*>(b.data()), end_of(a));
}

/// @throws acre::error if the boxes differ, or if `is_one`: read and written memory overlap
void check_stencil_boxes(std::span<const std::size_t> read_first,
                         std::span<const std::size_t> read_extents,
                         std::span<const std::size_t> written_first,
                         std::span<const std::size_t> written_extents, bool is_one,
                         const site& where);

template <std::size_t N>
struct stencil_strides {
  layout::coordinates<N> from;
  layout::coordinates<N> to;
  [[no_unique_address]] stencil_reach<N> reach;
};

#ifdef __clang__
// Loops with checks or calls do not vectorise: no warning.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"
#endif
/// Loops over rows; source and target are disjoint.
/// @tparam Fast  contiguous dimension
/// @tparam Slow  dimension across rows; Fast for one row
template <std::size_t Fast, std::size_t Slow, class T, class U, std::size_t N, class F>
[[gnu::always_inline]] inline void stencil_loop(const T* from, U* to,
                                                const layout::coordinates<N>& extents,
                                                const stencil_strides<N>& all_strides,
                                                layout::coordinates<N> row, F& f) {
  const stencil_strides<N> strides = all_strides;
  const std::size_t count = extents[Fast];
  for (std::size_t rows = Slow == Fast ? 1 : extents[Slow]; rows > 0; --rows) {
#ifdef __clang__
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
    for (std::size_t i = 0; i < count; ++i) {
      const stencil_point<T, N, Fast> point(from + i, strides.from, row, i, strides.reach);
      if constexpr (std::invocable<F&, const stencil_point<T, N, Fast>&, U&>) {
        f(point, to[i]);
      } else if constexpr (requires { static_cast<U>(f(point)); }) {
        to[i] = static_cast<U>(f(point));
      }
    }
    from += strides.from[Slow];
    to += strides.to[Slow];
    ++row[Slow];
  }
}
/// Not inlined, for better register allocation.
template <std::size_t Fast, std::size_t Slow, class T, class U, std::size_t N, class F>
[[gnu::noinline]] void stencil_rows(const T* from, U* to, const layout::coordinates<N>& extents,
                                    const stencil_strides<N>& strides, layout::coordinates<N> row,
                                    F& f) {
  stencil_loop<Fast, Slow>(from, to, extents, strides, row, f);
}
#if ACRE_HAS_WIDE_LOOPS
template <std::size_t Fast, std::size_t Slow, class T, class U, std::size_t N, class F>
ACRE_WIDE void wide_stencil_rows(const T* from, U* to, const layout::coordinates<N>& extents,
                                 const stencil_strides<N>& strides, layout::coordinates<N> row,
                                 F& f) {
  stencil_loop<Fast, Slow>(from, to, extents, strides, row, f);
}
#endif
#ifdef __clang__
#pragma clang diagnostic pop
#endif

template <std::size_t Fast, class T, class U, std::size_t N, class F>
void stencil_box(const T* from, U* to, const stencil_strides<N>& strides,
                 const layout::box<N>& part, F& f) {
  constexpr std::size_t slow = N == 1 ? Fast : Fast == 0 ? 1 : Fast - 1;
  layout::coordinates<N> others = part.extents;
  others[Fast] = others[slow] = 1;
  const std::size_t all = layout::box<N>{.extents = others}.size();
  for (std::size_t i = 0; i < all; ++i) {
    const layout::coordinates<N> inside = layout::row_major::at<N>(i, others);
    layout::coordinates<N> row = part.first;
    std::size_t offset = 0;
    std::size_t offset_to = 0;
    for (std::size_t d = 0; d < N; ++d) {
      offset += inside[d] * strides.from[d];
      offset_to += inside[d] * strides.to[d];
      row[d] += inside[d];
    }
#if ACRE_HAS_WIDE_LOOPS
    if (base::processor_is_wide()) {
      wide_stencil_rows<Fast, slow>(from + offset, to + offset_to, part.extents, strides, row, f);
      continue;
    }
#endif
    stencil_rows<Fast, slow>(from + offset, to + offset_to, part.extents, strides, row, f);
  }
}

}  // namespace arrays

/// Sets own elements in `part` of `out` to f(point), or calls f(point, element). Cost: l; no
/// exchange.
/// @param part  in matrix coordinates, of own elements; unchecked
/// @throws acre::error if own boxes or memory orders differ, or `out` is in the halo's memory; with
/// ACRE_CHECKS also for offsets beyond the widths or in missing corners
template <class T, std::size_t N, class U, class Pattern, class F>
  requires layout::has_property<Pattern, layout::minimal_partitioning> &&
           layout::has_property<Pattern, layout::canonical_layout>
void stencil(const halo<T, N>& in, matrix<U, N, Pattern>& out, const layout::box<N>& part, F&& f,
             const site& where = site::current()) {
  using point = const stencil_point<T, N, N - 1>&;
  if constexpr (!std::invocable<F&, point, U&>) {  // reports errors of f once
    constexpr bool gives_an_element = requires(point u) { static_cast<U>(f(u)); };
    static_assert(gives_an_element,
                  "f(point) must return the new element of the written matrix, or f(point, "
                  "element) must change it");
  }
  in.require_matrix("stencil", where);
  const box_span<U, N> written = out.local();
  const layout::box<N>& own = in.own();
  const bool is_one = !own.empty() && arrays::may_overlap(in.local(), written);
  arrays::check_stencil_boxes(own.first, own.extents, out.local_box().first,
                              out.local_box().extents, is_one, where);
  if (part.empty()) return;
  std::size_t offset = 0;
  std::size_t offset_to = 0;
  for (std::size_t d = 0; d < N; ++d) {
    offset += (part.first[d] - own.first[d]) * in.strides()[d];
    offset_to += (part.first[d] - own.first[d]) * written.stride(d);
  }
  const arrays::stencil_strides<N> strides{
      in.strides(), written.strides(), {in.widths(), in.corners(), where}};
  const T* const from = in.first() + offset;
  U* const to = written.data() + offset_to;
  if (in.strides()[N - 1] == 1 && written.stride(N - 1) == 1) {
    arrays::stencil_box<N - 1>(from, to, strides, part, f);
  } else if (in.strides()[0] == 1 && written.stride(0) == 1) {
    arrays::stencil_box<0>(from, to, strides, part, f);
  } else {
    arrays::throw_other_order(where);
  }
}
template <class T, std::size_t N, class U, class Pattern, class F>
void stencil(const halo<T, N>& in, matrix<U, N, Pattern>& out, F&& f,
             const site& where = site::current()) {
  stencil(in, out, in.own(), f, where);
}

/// Updates the halo, and computes inner elements meanwhile; if all peers are on its node,
/// afterwards, as this rank itself copies. Collective as halo::update().
/// @param part  in matrix coordinates, equal on all members
template <class T, std::size_t N, class U, class Pattern, class F>
void stencil_with_update(halo<T, N>& in, matrix<U, N, Pattern>& out,
                         const std::type_identity_t<layout::box<N>>& part, F&& f,
                         const site& where = site::current()) {
  const halo_update under_way = in.update_async(where);
  if (in.exchange().is_near()) {
    under_way.wait(where);
    return stencil(in, out, layout::intersection(in.own(), part), f, where);
  }
  stencil(in, out, layout::intersection(in.inner(), part), f, where);
  under_way.wait(where);
  for (const layout::box<N>& each : in.boundary()) {
    stencil(in, out, layout::intersection(each, part), f, where);
  }
}
template <class T, std::size_t N, class U, class Pattern, class F>
void stencil_with_update(halo<T, N>& in, matrix<U, N, Pattern>& out, F&& f,
                         const site& where = site::current()) {
  using point = const stencil_point<T, N, N - 1>&;
  if constexpr (!std::invocable<F&, point, U&>) {
    using value [[maybe_unused]] = decltype(f(std::declval<point>()));
  }
  stencil_with_update(in, out, layout::box<N>{.extents = out.extents()}, f, where);
}

}  // namespace acre
