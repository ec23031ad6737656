// SPDX-License-Identifier: BSD-3-Clause
// Box of elements in the memory of one rank: piece of a distributed box.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/transfer/strided.hpp>
#include <acre/layout/box.hpp>
#include <acre/view/box_span.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>

namespace acre {

template <class T, std::size_t N>
class global_box {
 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using coordinates = layout::coordinates<N>;

  constexpr global_box() noexcept = default;
  /// @param strides  in elements
  constexpr global_box(global_ptr<T> first, const coordinates& extents,
                       const coordinates& strides) noexcept
      : first_(first), extents_(extents), strides_(strides) {}

  /// Owner of the memory: a rank of the job.
  [[nodiscard]] constexpr rank_t rank() const noexcept { return first_.rank(); }
  [[nodiscard]] constexpr global_ptr<T> data() const noexcept { return first_; }
  [[nodiscard]] constexpr const coordinates& extents() const noexcept { return extents_; }
  [[nodiscard]] constexpr const coordinates& strides() const noexcept { return strides_; }
  [[nodiscard]] constexpr std::size_t size() const noexcept {
    return layout::box<N>{.extents = extents_}.size();
  }
  [[nodiscard]] bool is_own() const noexcept { return rank() == acre::rank(); }
  /// Local memory; empty if not mapped here.
  [[nodiscard]] box_span<T, N> local() const noexcept(!base::has_checks) {
    T* const here = first_.local();
    return here == nullptr ? box_span<T, N>() : box_span<T, N>(here, extents_, strides_);
  }

 private:
  global_ptr<T> first_;
  coordinates extents_{};
  coordinates strides_{};
};

namespace view {

template <std::size_t N>
[[nodiscard]] constexpr std::array<std::ptrdiff_t, N> signed_strides(
    const layout::coordinates<N>& strides) noexcept {
  std::array<std::ptrdiff_t, N> result{};
  for (std::size_t d = 0; d < N; ++d) result[d] = static_cast<std::ptrdiff_t>(strides[d]);
  return result;
}

}  // namespace view

/// Starts reads into a local box of equal extents, complete after quiet(). Cost: as
/// get_strided_nbi.
template <class T, std::size_t N>
void get_nbi(const global_box<T, N>& from, const box_span<std::remove_cv_t<T>, N>& to,
             const site& where = site::current()) {
  get_strided_nbi(from.data(), from.extents(), view::signed_strides<N>(from.strides()), to.data(),
                  view::signed_strides<N>(to.strides()), where);
}
/// As above, for writes. Cost: as put_strided_nbi.
template <writable T, std::size_t N>
void put_nbi(const global_box<T, N>& to, const box_span<const T, N>& from,
             const site& where = site::current()) {
  put_strided_nbi(to.data(), to.extents(), view::signed_strides<N>(to.strides()), from.data(),
                  view::signed_strides<N>(from.strides()), where);
}

}  // namespace acre
