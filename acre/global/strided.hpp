// Strided copies: boxes of two or three (or more) dimensions between a local
// array and the segment of any rank, in one call.
//
//     // a 10 x 20 box out of a row-major matrix of 100 columns on another rank
//     using extents = std::array<std::size_t, 2>;
//     using strides = std::array<std::ptrdiff_t, 2>;
//     acre::get_strided(p, extents{10, 20}, strides{100, 1}, buffer, strides{20, 1});
//
// Strides are in elements, one a dimension, the slowest first. To another node
// the runs of contiguous elements travel as one list of pieces.
#pragma once

#include <acre/global/put_get.hpp>

#include <array>
#include <cstddef>
#include <source_location>
#include <span>
#include <vector>

namespace acre {
namespace detail {

/// Calls `run(offset_a, offset_b, elements)` for each contiguous run of a box.
template <std::size_t Dimensions, class Run>
void for_each_run(const std::array<std::size_t, Dimensions>& extents,
                  const std::array<std::ptrdiff_t, Dimensions>& strides_a,
                  const std::array<std::ptrdiff_t, Dimensions>& strides_b, Run&& run) {
  std::size_t total = 1;
  for (const std::size_t extent : extents) total *= extent;
  if (total == 0) return;
  const bool row_is_contiguous = strides_a[Dimensions - 1] == 1 && strides_b[Dimensions - 1] == 1;
  const std::size_t length = row_is_contiguous ? extents[Dimensions - 1] : 1;
  std::array<std::size_t, Dimensions> index{};
  for (std::size_t done = 0; done < total; done += length) {
    std::ptrdiff_t a = 0;
    std::ptrdiff_t b = 0;
    for (std::size_t d = 0; d < Dimensions; ++d) {
      a += static_cast<std::ptrdiff_t>(index[d]) * strides_a[d];
      b += static_cast<std::ptrdiff_t>(index[d]) * strides_b[d];
    }
    run(a, b, length);
    index[Dimensions - 1] += length;
    for (std::size_t d = Dimensions - 1; d > 0 && index[d] == extents[d]; --d) {
      index[d] = 0;
      ++index[d - 1];
    }
  }
}

/// The bytes that a box spans before and after its first element.
template <std::size_t Dimensions>
struct box_span {
  std::ptrdiff_t first = 0;
  std::ptrdiff_t last = 0;
  box_span(const std::array<std::size_t, Dimensions>& extents,
           const std::array<std::ptrdiff_t, Dimensions>& strides) {
    for (std::size_t d = 0; d < Dimensions; ++d) {
      if (extents[d] == 0) continue;
      const auto reach = static_cast<std::ptrdiff_t>(extents[d] - 1) * strides[d];
      (reach < 0 ? first : last) += reach;
    }
  }
};

template <class T, std::size_t Dimensions>
void check_box(global_ptr<T> corner, const std::array<std::size_t, Dimensions>& extents,
               const std::array<std::ptrdiff_t, Dimensions>& strides, const char* call,
               const std::source_location& where) {
  const box_span<Dimensions> span(extents, strides);
  check_pointer((corner + span.first).bits(),
                static_cast<std::size_t>(span.last - span.first + 1) * sizeof(T), call, where);
}

template <class T, std::size_t Dimensions, class Local>
std::vector<fabric::extent> pieces_of_box(
    global_ptr<T> corner, Local* local, const std::array<std::size_t, Dimensions>& extents,
    const std::array<std::ptrdiff_t, Dimensions>& strides,
    const std::array<std::ptrdiff_t, Dimensions>& local_strides) {
  std::vector<fabric::extent> pieces;
  for_each_run(extents, strides, local_strides,
               [&](std::ptrdiff_t remote, std::ptrdiff_t here, std::size_t length) {
                 pieces.push_back({.local = const_cast<std::remove_cv_t<Local>*>(local + here),
                                   .remote_offset = (corner + remote).offset(),
                                   .bytes = length * sizeof(T)});
               });
  return pieces;
}

}  // namespace detail

/// Writes a box; complete after quiet(). Cost: one W for each contiguous run.
/// @param target        the box's first element at the target
/// @param extents       elements in each dimension, the slowest first
/// @param strides       distance of neighbours in each dimension at the target, in elements
/// @param source        the box's first element here
/// @param local_strides the same for the array here
template <transferable T, std::size_t Dimensions>
void put_strided_nbi(global_ptr<T> target, const std::array<std::size_t, Dimensions>& extents,
                     const std::array<std::ptrdiff_t, Dimensions>& strides,
                     const std::type_identity_t<T>* source,
                     const std::array<std::ptrdiff_t, Dimensions>& local_strides,
                     const std::source_location& where = std::source_location::current()) {
  for (const std::size_t extent : extents) {
    if (extent == 0) return;
  }
  detail::check_box(target, extents, strides, "put_strided", where);
  if (target.is_local()) {
    detail::for_each_run(extents, strides, local_strides,
                         [&](std::ptrdiff_t remote, std::ptrdiff_t here, std::size_t length) {
                           put(target + remote, std::span(source + here, length), where);
                         });
    return;
  }
  runtime::put_remote_nbi(target.rank(),
                          detail::pieces_of_box(target, source, extents, strides, local_strides));
}

/// Reads a box; valid after quiet(). Cost: one R for each contiguous run.
template <class T, std::size_t Dimensions>
  requires transferable<std::remove_cv_t<T>>
void get_strided_nbi(global_ptr<T> source, const std::array<std::size_t, Dimensions>& extents,
                     const std::array<std::ptrdiff_t, Dimensions>& strides,
                     std::remove_cv_t<std::type_identity_t<T>>* target,
                     const std::array<std::ptrdiff_t, Dimensions>& local_strides,
                     const std::source_location& where = std::source_location::current()) {
  for (const std::size_t extent : extents) {
    if (extent == 0) return;
  }
  detail::check_box(source, extents, strides, "get_strided", where);
  if (source.is_local()) {
    detail::for_each_run(extents, strides, local_strides,
                         [&](std::ptrdiff_t remote, std::ptrdiff_t here, std::size_t length) {
                           get(source + remote, std::span(target + here, length), where);
                         });
    return;
  }
  runtime::get_remote_nbi(source.rank(),
                          detail::pieces_of_box(source, target, extents, strides, local_strides));
}

/// The blocking forms: nbi and quiet().
template <transferable T, std::size_t Dimensions>
void put_strided(global_ptr<T> target, const std::array<std::size_t, Dimensions>& extents,
                 const std::array<std::ptrdiff_t, Dimensions>& strides,
                 const std::type_identity_t<T>* source,
                 const std::array<std::ptrdiff_t, Dimensions>& local_strides,
                 const std::source_location& where = std::source_location::current()) {
  put_strided_nbi(target, extents, strides, source, local_strides, where);
  quiet();
}
template <class T, std::size_t Dimensions>
  requires transferable<std::remove_cv_t<T>>
void get_strided(global_ptr<T> source, const std::array<std::size_t, Dimensions>& extents,
                 const std::array<std::ptrdiff_t, Dimensions>& strides,
                 std::remove_cv_t<std::type_identity_t<T>>* target,
                 const std::array<std::ptrdiff_t, Dimensions>& local_strides,
                 const std::source_location& where = std::source_location::current()) {
  get_strided_nbi(source, extents, strides, target, local_strides, where);
  quiet();
}

}  // namespace acre
