// SPDX-License-Identifier: BSD-3-Clause
// Transposes local boxes by squares, in vector registers if elements of 1, 2, 4 or 8 bytes are
// contiguous on both sides. The order of squares uses up cache lines even if rows map to one cache
// set. Portable builds need wide processors (base/wide_loops.hpp).
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
};

#if ACRE_HAS_WIDE_LOOPS
inline constexpr std::size_t vector_bytes = 32;
#elif defined(__AVX512F__)
inline constexpr std::size_t vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr std::size_t vector_bytes = 32;
#else
inline constexpr std::size_t vector_bytes = 16;
#endif

/// A row is one vector, and all rows fit in registers; 1: elements are moved singly.
template <std::size_t Bytes>
inline constexpr std::size_t square_edge =
    Bytes <= 8 && std::has_single_bit(Bytes) ? std::min(vector_bytes / Bytes, std::size_t{16}) : 1;

template <std::size_t Bytes>
struct square_row {
  using word = typename global::word_of_size<Bytes>::type;
  using type [[gnu::vector_size(square_edge<Bytes> * Bytes)]] = word;
};

/// Swaps a[i] (bit `Step` of i set) with b[i - Step].
template <std::size_t Step, class Row, std::size_t... K>
ACRE_WIDE_INLINE void exchange_lanes(Row& a, Row& b, std::index_sequence<K...>) noexcept {
  constexpr std::size_t edge = sizeof...(K);
  const Row low = __builtin_shufflevector(a, b, ((K & Step) == 0 ? K : K - Step + edge)...);
  b = __builtin_shufflevector(a, b, ((K & Step) == 0 ? K + Step : K + edge)...);
  a = low;
}
template <std::size_t Step, class Row, std::size_t... K>
ACRE_WIDE_INLINE void turn_rows(Row* rows, std::index_sequence<K...> lanes) noexcept {
  if constexpr (Step < sizeof...(K)) {
    (((K & Step) == 0 ? exchange_lanes<Step>(rows[K], rows[K + Step], lanes) : void()), ...);
    turn_rows<2 * Step>(rows, lanes);
  }
}

/// Unrolled, outside of loops: else registers spill.
template <class T, class Write, std::size_t... K>
ACRE_WIDE_NOINLINE void turn_square(const T* from, std::size_t step_i, T* to, std::size_t step_j,
                                    const Write& write, std::index_sequence<K...> lanes) {
  constexpr std::size_t edge = sizeof...(K);
  typename square_row<sizeof(T)>::type rows[edge];
  (std::memcpy(&rows[K], from + K * step_i, sizeof(rows[K])), ...);
  turn_rows<1>(rows, lanes);
  if constexpr (std::is_same_v<Write, copy_element>) {
    (std::memcpy(to + K * step_j, &rows[K], sizeof(rows[K])), ...);
  } else {
    alignas(vector_bytes) std::byte room[sizeof(rows)];
    std::memcpy(room, rows, sizeof(rows));
    const T* const turned = reinterpret_cast<const T*>(room);
    for (std::size_t j = 0; j < edge; ++j) {
      for (std::size_t i = 0; i < edge; ++i) write(to + j * step_j + i, turned + j * edge + i);
    }
  }
}

template <class T, class Write>
void write_elements(const transposed_side<const T>& from, const transposed_side<T>& to,
                    std::size_t is, std::size_t js, const Write& write) {
  for (std::size_t j = 0; j < js; ++j) {
    for (std::size_t i = 0; i < is; ++i) write(to.at(i, j), from.at(i, j));
  }
}

template <class T, class Write>
void turn_squares(const transposed_side<const T>& from, const transposed_side<T>& to,
                  std::size_t is, std::size_t js, const Write& write) {
  constexpr std::size_t edge = square_edge<sizeof(T)>;
  const std::size_t whole_is = is - is % edge;
  const std::size_t whole_js = js - js % edge;
  for (std::size_t i = 0; i < whole_is; i += edge) {
    for (std::size_t j = 0; j < whole_js; j += edge) {
      turn_square(from.at(i, j), from.step_i, to.at(i, j), to.step_j, write,
                  std::make_index_sequence<edge>());
    }
  }
  write_elements<T>({from.at(whole_is, 0), from.step_i, from.step_j},
                    {to.at(whole_is, 0), to.step_i, to.step_j}, is - whole_is, js, write);
  write_elements<T>({from.at(0, whole_js), from.step_i, from.step_j},
                    {to.at(0, whole_js), to.step_i, to.step_j}, whole_is, js - whole_js, write);
}

template <class T, class Write>
void turn_blocks(const transposed_side<const T>& from, const transposed_side<T>& to, std::size_t is,
                 std::size_t js, const Write& write) {
  constexpr std::size_t rows = 128;
  constexpr std::size_t columns = std::max<std::size_t>(64 / sizeof(T), 4);
  [[maybe_unused]] const bool turns_in_registers =
      from.step_j == 1 && to.step_i == 1 && base::processor_is_wide();
  for (std::size_t i = 0; i < is; i += rows) {
    for (std::size_t j = 0; j < js; j += columns) {
      const transposed_side<const T> source{from.at(i, j), from.step_i, from.step_j};
      const transposed_side<T> target{to.at(i, j), to.step_i, to.step_j};
      const std::size_t high = std::min(rows, is - i);
      const std::size_t wide = std::min(columns, js - j);
      if constexpr (square_edge<sizeof(T)> > 1) {
        if (turns_in_registers) {
          turn_squares<T>(source, target, high, wide, write);
          continue;
        }
      }
      write_elements<T>(source, target, high, wide, write);
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
