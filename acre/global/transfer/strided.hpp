// SPDX-License-Identifier: BSD-3-Clause
// Strided copies of boxes between a local array and any rank's segment.
//
//     // a 10 x 20 box of a row-major matrix of 100 columns on another rank
//     using extents = std::array<std::size_t, 2>;
//     using strides = std::array<std::ptrdiff_t, 2>;
//     acre::get_strided(p, extents{10, 20}, strides{100, 1}, buffer, strides{20, 1});
//
// Strides are in elements, slowest dimension first.
#pragma once

#include <acre/base/site.hpp>
#include <acre/fabric/box.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/transfer/box_moves.hpp>

#include <array>
#include <cstddef>

namespace acre {
namespace global {

/// Calls `move(remote, local, box)` with the element offsets of both sides; splits boxes of more
/// dimensions than fabric::box has.
template <std::size_t Size, std::size_t Dimensions, class Move>
void move_boxes(const std::array<std::size_t, Dimensions>& extents,
                const std::array<std::ptrdiff_t, Dimensions>& strides,
                const std::array<std::ptrdiff_t, Dimensions>& local_strides, Move&& move,
                std::size_t slowest = 0, std::ptrdiff_t remote = 0, std::ptrdiff_t local = 0) {
  if (Dimensions - slowest > fabric::box::most_dimensions) {
    for (std::size_t i = 0; i < extents[slowest]; ++i) {
      move_boxes<Size>(extents, strides, local_strides, move, slowest + 1, remote, local);
      remote += strides[slowest];
      local += local_strides[slowest];
    }
    return;
  }
  constexpr auto size = static_cast<std::ptrdiff_t>(Size);
  fabric::box shape(Size);
  for (std::size_t d = Dimensions; d > slowest; --d) {
    shape.repeat(extents[d - 1], strides[d - 1] * size, local_strides[d - 1] * size);
  }
  move(remote, local, shape);
}

template <class T, class Local, std::size_t Dimensions, class Move>
void move_box(global_ptr<T> corner, const std::array<std::size_t, Dimensions>& extents,
              const std::array<std::ptrdiff_t, Dimensions>& strides, Local* local,
              const std::array<std::ptrdiff_t, Dimensions>& local_strides, const char* call,
              const site& where, Move&& move) {
  std::ptrdiff_t first = 0;
  std::ptrdiff_t last = 0;
  for (std::size_t d = 0; d < Dimensions; ++d) {
    if (extents[d] == 0) return;
    const auto reach = static_cast<std::ptrdiff_t>(extents[d] - 1) * strides[d];
    (reach < 0 ? first : last) += reach;
  }
  check_pointer((corner + first).bits(), static_cast<std::size_t>(last - first + 1) * sizeof(T),
                call, where);
  move_boxes<sizeof(T)>(extents, strides, local_strides,
                        [&](std::ptrdiff_t there, std::ptrdiff_t here, const fabric::box& shape) {
                          move(corner + there, local + here, shape);
                        });
}

}  // namespace global

/// Writes a box; complete after quiet(). Cost: W per run; short remote runs 2 M per message, or W +
/// 2 M per 256 KiB.
/// @param target, source         first element there and here
/// @param extents                elements per dimension
/// @param strides, local_strides at the target, here
template <writable T, std::size_t Dimensions>
void put_strided_nbi(global_ptr<T> target, const std::array<std::size_t, Dimensions>& extents,
                     const std::array<std::ptrdiff_t, Dimensions>& strides,
                     const std::type_identity_t<T>* source,
                     const std::array<std::ptrdiff_t, Dimensions>& local_strides,
                     const site& where = site::current()) {
  global::move_box(target, extents, strides, source, local_strides, "put_strided", where,
                   [](global_ptr<T> there, auto* here, const fabric::box& shape) {
                     if (std::byte* const address = runtime::direct_address(there.bits())) {
                       global::put_near_box(address, here, shape);
                     } else {
                       global::put_far_box_nbi(there.bits(), here, shape);
                     }
                   });
}

/// Reads a box; valid after quiet(). Cost: R per run; short remote runs 2 M per message or 256 KiB
/// (512 into dense segment memory).
template <transferable T, std::size_t Dimensions>
void get_strided_nbi(global_ptr<T> source, const std::array<std::size_t, Dimensions>& extents,
                     const std::array<std::ptrdiff_t, Dimensions>& strides,
                     std::remove_cv_t<std::type_identity_t<T>>* target,
                     const std::array<std::ptrdiff_t, Dimensions>& local_strides,
                     const site& where = site::current()) {
  global::move_box(source, extents, strides, target, local_strides, "get_strided", where,
                   [](global_ptr<T> there, auto* here, const fabric::box& shape) {
                     if (const std::byte* const address = runtime::direct_address(there.bits())) {
                       global::get_near_box(address, here, shape);
                     } else {
                       global::get_far_box_nbi(there.bits(), here, shape);
                     }
                   });
}

/// As the _nbi forms, but complete at return.
template <writable T, std::size_t Dimensions>
void put_strided(global_ptr<T> target, const std::array<std::size_t, Dimensions>& extents,
                 const std::array<std::ptrdiff_t, Dimensions>& strides,
                 const std::type_identity_t<T>* source,
                 const std::array<std::ptrdiff_t, Dimensions>& local_strides,
                 const site& where = site::current()) {
  put_strided_nbi(target, extents, strides, source, local_strides, where);
  quiet();
}
template <transferable T, std::size_t Dimensions>
void get_strided(global_ptr<T> source, const std::array<std::size_t, Dimensions>& extents,
                 const std::array<std::ptrdiff_t, Dimensions>& strides,
                 std::remove_cv_t<std::type_identity_t<T>>* target,
                 const std::array<std::ptrdiff_t, Dimensions>& local_strides,
                 const site& where = site::current()) {
  get_strided_nbi(source, extents, strides, target, local_strides, where);
  quiet();
}

}  // namespace acre
