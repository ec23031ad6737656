// SPDX-License-Identifier: BSD-3-Clause
// Strided copies with completion events (completion.hpp).
//
//     acre::put_strided_async(p, extents, strides, source, local_strides, acre::on_operation(all));
//
// Packing waits beyond 1 MiB of puts to a rank, 4 MiB of puts in all, or 4 MiB of gets except those
// into dense segment memory. then_at_target() after a packed put is sent at completion, 2 M later.
#pragma once

#include <acre/global/transfer/detail/pending_completion.hpp>
#include <acre/global/transfer/strided.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <type_traits>

namespace acre {
namespace global {

template <class T, class Local>
struct far_box {
  global_ptr<T> there;
  Local* here;
  fabric::box shape;
};

template <class T, class Local, std::size_t Dimensions>
std::optional<far_box<T, Local>> box_of(global_ptr<T> corner,
                                        const std::array<std::size_t, Dimensions>& extents,
                                        const std::array<std::ptrdiff_t, Dimensions>& strides,
                                        Local* local,
                                        const std::array<std::ptrdiff_t, Dimensions>& local_strides,
                                        const char* call, const site& where) {
  static_assert(Dimensions <= fabric::box::most_dimensions,
                "asynchronous transfers support at most 8 dimensions: call put_strided or "
                "get_strided");
  std::optional<far_box<T, Local>> found;
  move_box(corner, extents, strides, local, local_strides, call, where,
           [&](global_ptr<T> there, Local* here, const fabric::box& shape) {
             found = far_box<T, Local>{there, here, shape};
           });
  return found;
}

}  // namespace global

/// As put_strided_nbi(), for at most 8 dimensions. Without events, returns a future.
template <writable T, std::size_t Dimensions, completion First, completion... More>
auto put_strided_async(global_ptr<T> target, const std::array<std::size_t, Dimensions>& extents,
                       const std::array<std::ptrdiff_t, Dimensions>& strides,
                       const std::type_identity_t<T>* source,
                       const std::array<std::ptrdiff_t, Dimensions>& local_strides, First first,
                       More... more) {
  const auto box = global::box_of(target, extents, strides, source, local_strides,
                                  "put_strided_async", first.where);
  if (box && !target.is_local(first.where)) {
    return global::start_put_box(box->there.bits(), box->here, box->shape, first, more...);
  }
  if (box) global::put_near_box(runtime::direct_address(box->there.bits()), box->here, box->shape);
  global::send_calls(target.rank(), first, more...);
  return global::all_told_now(first, more...);
}
template <writable T, std::size_t Dimensions>
[[nodiscard]] future<> put_strided_async(
    global_ptr<T> target, const std::array<std::size_t, Dimensions>& extents,
    const std::array<std::ptrdiff_t, Dimensions>& strides, const std::type_identity_t<T>* source,
    const std::array<std::ptrdiff_t, Dimensions>& local_strides,
    const site& where = site::current()) {
  return put_strided_async(target, extents, strides, source, local_strides,
                           on_operation(as_future, where));
}

/// As get_strided_nbi(), for at most 8 dimensions. Without events, returns a future.
template <transferable T, std::size_t Dimensions, completion First, completion... More>
  requires(First::end == global::ending::operation &&
           ((More::end == global::ending::operation) && ...))
auto get_strided_async(global_ptr<T> source, const std::array<std::size_t, Dimensions>& extents,
                       const std::array<std::ptrdiff_t, Dimensions>& strides,
                       std::remove_cv_t<std::type_identity_t<T>>* target,
                       const std::array<std::ptrdiff_t, Dimensions>& local_strides, First first,
                       More... more) {
  const auto box = global::box_of(source, extents, strides, target, local_strides,
                                  "get_strided_async", first.where);
  if (box && !source.is_local(first.where)) {
    return global::start_get_box(box->there.bits(), box->here, box->shape, first, more...);
  }
  if (box) global::get_near_box(runtime::direct_address(box->there.bits()), box->here, box->shape);
  return global::all_told_now(first, more...);
}
template <transferable T, std::size_t Dimensions>
[[nodiscard]] future<> get_strided_async(
    global_ptr<T> source, const std::array<std::size_t, Dimensions>& extents,
    const std::array<std::ptrdiff_t, Dimensions>& strides,
    std::remove_cv_t<std::type_identity_t<T>>* target,
    const std::array<std::ptrdiff_t, Dimensions>& local_strides,
    const site& where = site::current()) {
  return get_strided_async(source, extents, strides, target, local_strides,
                           on_operation(as_future, where));
}

}  // namespace acre
