// SPDX-License-Identifier: BSD-3-Clause
// Stable merges of sorted runs without branches, which would be mispredicted.
#pragma once

#include <acre/base/plain_buffer.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace acre::algorithm {

/// Moves both runs if they are in order; else returns false.
template <class T, class Before>
[[nodiscard]] bool moves_in_order(std::span<const T> earlier, std::span<const T> later, T* target,
                                  const Before& before) {
  if (!earlier.empty() && !later.empty() && before(later.front(), earlier.back())) return false;
  base::move_elements(target, earlier);
  base::move_elements(target + earlier.size(), later);
  return true;
}

/// Hidden from the compiler, which would branch.
[[nodiscard]] inline std::size_t as_number(bool condition) noexcept {
  std::size_t number = condition ? 1 : 0;
  asm("" : "+r"(number));
  return number;
}
template <class T>
[[nodiscard]] const T* choose(std::size_t second, const T* a, const T* b) noexcept {
  const auto first = reinterpret_cast<std::uintptr_t>(a);
  const auto other = reinterpret_cast<std::uintptr_t>(b);
  return reinterpret_cast<const T*>(first ^ ((first ^ other) & (std::uintptr_t{0} - second)));
}

/// `later` may be the end of the target.
template <class T, class Before>
void merge_from_front(std::span<const T> earlier, std::span<const T> later, T* target,
                      const Before& before) {
  if (moves_in_order(earlier, later, target, before)) return;
  const T* a = earlier.data();
  const T* const a_end = a + earlier.size();
  const T* b = later.data();
  const T* const b_end = b + later.size();
  while (a != a_end && b != b_end) {
    const std::size_t takes_later = as_number(before(*b, *a));
    std::memcpy(target++, choose(takes_later, a, b), sizeof(T));
    b += takes_later;
    a += 1 - takes_later;
  }
  base::move_elements(target, std::span<const T>(a, a_end));
  base::move_elements(target + (a_end - a), std::span<const T>(b, b_end));
}

/// `earlier` may be the beginning of the target.
template <class T, class Before>
void merge_from_back(std::span<const T> earlier, std::span<const T> later, T* target,
                     const Before& before) {
  if (moves_in_order(earlier, later, target, before)) return;
  const T* const a = earlier.data();
  const T* a_end = a + earlier.size();
  const T* const b = later.data();
  const T* b_end = b + later.size();
  T* end = target + earlier.size() + later.size();
  while (a != a_end && b != b_end) {
    const std::size_t takes_earlier = as_number(before(b_end[-1], a_end[-1]));
    std::memcpy(--end, choose(takes_earlier, b_end - 1, a_end - 1), sizeof(T));
    a_end -= takes_earlier;
    b_end -= 1 - takes_earlier;
  }
  base::move_elements(target + (a_end - a), std::span<const T>(b, b_end));
  base::move_elements(target, std::span<const T>(a, a_end));
}

/// Merges adjacent runs pairwise, until `target` holds one.
/// @param ends     of the runs in `source`
/// @param source   scratch afterwards
template <class T, class Before>
void merge_runs(std::vector<std::size_t> ends, std::span<T> source, std::span<T> target,
                const Before& before) {
  std::span<T> from = source;
  std::span<T> to = target;
  while (ends.size() > 1) {
    std::vector<std::size_t> merged;
    std::size_t first = 0;
    for (std::size_t i = 0; i < ends.size(); i += 2) {
      const std::size_t middle = ends[i];
      const std::size_t last = i + 1 < ends.size() ? ends[i + 1] : middle;
      merge_from_front<T>(from.subspan(first, middle - first), from.subspan(middle, last - middle),
                          to.data() + first, before);
      merged.push_back(last);
      first = last;
    }
    ends = std::move(merged);
    std::swap(from, to);
  }
  base::move_elements<T>(target.data(), from);
}

template <class T, class Before>
void insertion_sort(std::span<T> run, const Before& before) {
  alignas(T) std::byte room[sizeof(T)];
  const T* const kept = reinterpret_cast<const T*>(room);
  for (std::size_t i = 1; i < run.size(); ++i) {
    std::size_t to = i;
    while (to > 0 && before(run[i], run[to - 1])) --to;
    if (to == i) continue;
    std::memcpy(room, &run[i], sizeof(T));
    std::memmove(run.data() + to + 1, run.data() + to, (i - to) * sizeof(T));
    std::memcpy(run.data() + to, kept, sizeof(T));
  }
}

template <class T, class Before>
void merge_sort(std::span<T> run, std::span<T> copy, const Before& before) {
  constexpr std::size_t few = 16;
  if (run.size() <= few) return insertion_sort(run, before);
  const std::size_t half = run.size() / 2;
  merge_sort(copy.first(half), run.first(half), before);
  merge_sort(copy.subspan(half), run.subspan(half), before);
  merge_from_front<T>(copy.first(half), copy.subspan(half), run.data(), before);
}

}  // namespace acre::algorithm
