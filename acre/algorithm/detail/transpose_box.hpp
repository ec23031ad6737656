// Transposes boxes of plain memory.
//
// Tile by tile: a tile is read along the lines of the source and written along those of the target,
// and lies in the cache in between. So each line of memory is touched once, also where rows are so
// far apart that the cache has one place for all of them.
#pragma once

#include <acre/view/box_span.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace acre::detail {

/// One side of a transposition: element (i, j) is at data + i * strides[0] + j * strides[1].
template <class T>
struct strided_tile {
  T* data;
  std::size_t stride_i;
  std::size_t stride_j;
};

/// Elements become copies of others.
struct copy_element {
  template <class T>
  void operator()(T* to, const T* from) const noexcept {
    std::memcpy(to, from, sizeof(T));
  }
};

/// write(to(i, j), from(i, j)), along that dimension in which the target has neighbours.
template <class T, class Write>
void write_tile(strided_tile<const T> from, strided_tile<T> to, std::size_t is, std::size_t js,
                bool along_j, Write&& write) {
  const auto element = [&](std::size_t i, std::size_t j) {
    write(to.data + i * to.stride_i + j * to.stride_j,
          from.data + i * from.stride_i + j * from.stride_j);
  };
  if (along_j) {
    for (std::size_t i = 0; i < is; ++i) {
      for (std::size_t j = 0; j < js; ++j) element(i, j);
    }
  } else {
    for (std::size_t j = 0; j < js; ++j) {
      for (std::size_t i = 0; i < is; ++i) element(i, j);
    }
  }
}

/// write(target(j, i), source(i, j))
template <class T, class Write>
void transpose_box(const box_span<const T, 2>& source, const box_span<T, 2>& target,
                   Write&& write) {
  constexpr std::size_t edge = std::clamp<std::size_t>(256 / sizeof(T), 1, 32);
  constexpr std::size_t line = edge + 1;
  alignas(T) std::byte room[edge * line * sizeof(T)];
  T* const tile = reinterpret_cast<T*>(room);
  const bool reads_rows = source.stride(1) <= source.stride(0);
  const bool writes_rows = target.stride(1) <= target.stride(0);
  for (std::size_t i = 0; i < source.extent(0); i += edge) {
    const std::size_t is = std::min(edge, source.extent(0) - i);
    for (std::size_t j = 0; j < source.extent(1); j += edge) {
      const std::size_t js = std::min(edge, source.extent(1) - j);
      write_tile<T>({source.data() + i * source.stride(0) + j * source.stride(1), source.stride(0),
                     source.stride(1)},
                    {tile, 1, line}, is, js, reads_rows, copy_element());
      write_tile<T>({tile, 1, line},
                    {target.data() + j * target.stride(0) + i * target.stride(1), target.stride(1),
                     target.stride(0)},
                    is, js, !writes_rows, write);
    }
  }
}

}  // namespace acre::detail
