// SPDX-License-Identifier: BSD-3-Clause
// Transposes local boxes by squares, in vector registers if elements of 1, 2, 4 or 8 bytes are
// contiguous on both sides. The order of squares uses up cache lines even if rows map to one cache
// set. Portable builds select the vectors at run time (base/wide_loops.hpp).
#pragma once

#include <acre/base/wide_loops.hpp>
#include <acre/global/memory/direct_access.hpp>
#include <acre/view/box_span.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace acre::algorithm {

struct copy_element {
  template <class T>
  void operator()(T* to, const T* from) const noexcept {
    std::memcpy(to, from, sizeof(T));
  }
};

template <class T>
struct transposed_side {
  T* data;
  std::size_t step_i;
  std::size_t step_j;

  [[nodiscard]] T* at(std::size_t i, std::size_t j) const noexcept {
    return data + i * step_i + j * step_j;
  }
  [[nodiscard]] transposed_side beginning_at(std::size_t i, std::size_t j) const noexcept {
    return {at(i, j), step_i, step_j};
  }
};

template <class T, class Write>
void write_elements(const transposed_side<const T>& from, const transposed_side<T>& to,
                    std::size_t is, std::size_t js, const Write& write) {
  for (std::size_t j = 0; j < js; ++j) {
    for (std::size_t i = 0; i < is; ++i) write(to.at(i, j), from.at(i, j));
  }
}

}  // namespace acre::algorithm

#if ACRE_HAS_WIDE_LOOPS
#define ACRE_SQUARES squares_of_avx2
#define ACRE_SQUARE_BYTES 32
#define ACRE_SQUARE_TARGET ACRE_FOR_AVX2,
#include <acre/algorithm/detail/transpose_squares.inc>
#define ACRE_SQUARES squares_of_avx512
#define ACRE_SQUARE_BYTES 64
#define ACRE_SQUARE_TARGET ACRE_FOR_AVX512,
#else
#define ACRE_SQUARES squares
#define ACRE_SQUARE_TARGET
#if defined(__AVX512F__)
#define ACRE_SQUARE_BYTES 64
#elif defined(__AVX__)
#define ACRE_SQUARE_BYTES 32
#else
#define ACRE_SQUARE_BYTES 16
#endif
#endif
#include <acre/algorithm/detail/transpose_squares.inc>

namespace acre::algorithm {

template <class T, class Write>
void turn_squares(const transposed_side<const T>& from, const transposed_side<T>& to,
                  std::size_t is, std::size_t js, const Write& write) {
#if ACRE_HAS_WIDE_LOOPS
  if (base::processor_has_avx512()) {
    squares_of_avx512::turn_squares(from, to, is, js, write);
  } else if (base::processor_is_wide()) {
    squares_of_avx2::turn_squares(from, to, is, js, write);
  } else {
    write_elements<T>(from, to, is, js, write);
  }
#else
  squares::turn_squares(from, to, is, js, write);
#endif
}

template <class T, class Write>
void turn_blocks(const transposed_side<const T>& from, const transposed_side<T>& to, std::size_t is,
                 std::size_t js, const Write& write) {
  constexpr std::size_t rows = 128;
  constexpr std::size_t columns = std::max<std::size_t>(64 / sizeof(T), 4);
  constexpr bool fits_in_a_register = sizeof(T) <= 8 && std::has_single_bit(sizeof(T));
  for (std::size_t i = 0; i < is; i += rows) {
    for (std::size_t j = 0; j < js; j += columns) {
      const std::size_t high = std::min(rows, is - i);
      const std::size_t wide = std::min(columns, js - j);
      if constexpr (fits_in_a_register) {
        if (from.step_j == 1 && to.step_i == 1) {
          turn_squares<T>(from.beginning_at(i, j), to.beginning_at(i, j), high, wide, write);
          continue;
        }
      }
      write_elements<T>(from.beginning_at(i, j), to.beginning_at(i, j), high, wide, write);
    }
  }
}

/// write(target(j, i), source(i, j))
template <class T, class Write>
void transpose_box(const box_span<const T, 2>& source, const box_span<T, 2>& target,
                   const Write& write) {
  const std::size_t d = target.stride(1) <= target.stride(0) ? 0 : 1;
  const transposed_side<const T> from{source.data(), source.stride(d), source.stride(1 - d)};
  const transposed_side<T> to{target.data(), target.stride(1 - d), target.stride(d)};
  const std::size_t is = source.extent(d);
  const std::size_t js = source.extent(1 - d);
  if (from.step_i <= from.step_j) {
    write_elements<T>(from, to, is, js, write);
  } else {
    turn_blocks<T>(from, to, is, js, write);
  }
}

}  // namespace acre::algorithm
