// SPDX-License-Identifier: BSD-3-Clause
// Detects overlap of source and destination, equally on all members: by covered elements
// (view/covered_elements.hpp), else by segments.
#pragma once

#include <acre/runtime/mapped_segments.hpp>
#include <acre/runtime/world.hpp>
#include <acre/view/box_span.hpp>
#include <acre/view/boxes.hpp>
#include <acre/view/covered_elements.hpp>
#include <acre/view/memory_of_members.hpp>
#include <acre/view/ranges.hpp>

#include <cstddef>
#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

namespace acre::algorithm {

/// Calls f(first, end) with the global memory of a segment's elements.
template <class S, class F>
void each_memory_of(const S& segment, const F& f) {
  if constexpr (ranges::memory_segment<S>) {
    const auto first = segment.data();
    f(first.bits(), (first + static_cast<std::ptrdiff_t>(segment.size())).bits());
  } else if constexpr (requires { segment.base(); }) {
    each_memory_of(segment.base(), f);
  } else if constexpr (requires { segment.parts(); }) {
    std::apply([&](const auto&... part) { (each_memory_of(part, f), ...); }, segment.parts());
  }
}
template <class R>
[[nodiscard]] std::vector<view::memory_of_member> memory_of_segments(R& range) {
  std::vector<view::memory_of_member> all;
  if (std::ranges::size(range) == 0) return all;
  for (const auto& segment : ranges::segments(range)) {
    each_memory_of(segment, [&](std::uint64_t first, std::uint64_t end) {
      if (first != end) all.push_back({first, end});
    });
  }
  return all;
}

template <ranges::distributed_range From, ranges::distributed_range To>
[[nodiscard]] view::overlap overlap_of(From& from, To& to) {
  if constexpr (view::tells_covered<std::ranges::iterator_t<From>>::value &&
                view::tells_covered<std::ranges::iterator_t<To>>::value) {
    view::overlap found = view::overlap::none;
    const auto count = static_cast<std::size_t>(std::ranges::size(to));
    if (count == 0) return found;
    view::each_covered(std::ranges::begin(from), count, [&](const auto& read) {
      view::each_covered(std::ranges::begin(to), count, [&](const auto& written) {
        found = view::worse(found, overlap_of(read, written));
      });
    });
    return found;
  } else {
    if constexpr (std::same_as<From, To>) {
      if (&from == &to) return view::overlap::same;
    }
    return view::have_common(memory_of_segments(from), memory_of_segments(to))
               ? view::overlap::other
               : view::overlap::none;
  }
}

/// Includes gaps. Requires a piece that is not empty.
template <class T, std::size_t N>
[[nodiscard]] view::memory_of_member memory_of_piece(const global_box<T, N>& piece) {
  std::size_t last = 0;
  for (std::size_t d = 0; d < N; ++d) last += (piece.extents()[d] - 1) * piece.strides()[d];
  return {piece.data().bits(), (piece.data() + static_cast<std::ptrdiff_t>(last + 1)).bits()};
}
template <ranges::distributed_box B>
[[nodiscard]] std::vector<view::memory_of_member> memory_of_pieces(const B& box) {
  std::vector<view::memory_of_member> all;
  box.each_piece(ranges::whole(box), [&](const auto&, const auto& piece) {
    if (piece.size() != 0) all.push_back(memory_of_piece(piece));
  });
  return all;
}
template <ranges::distributed_box B>
[[nodiscard]] const auto& box_of_matrix(const B& box) {
  if constexpr (requires { box.view(); }) {
    return box.view();
  } else {
    return box;
  }
}

/// True if boxes share elements. Without matrices, gaps between rows count, too.
template <ranges::distributed_box From, ranges::distributed_box To>
[[nodiscard]] bool boxes_overlap(const From& from, const To& to) {
  const auto& read = box_of_matrix(from);
  const auto& written = box_of_matrix(to);
  if constexpr (requires { read.base(), read.part(), written.base(), written.part(); }) {
    return view::have_common_elements(read, written);
  } else {
    return view::have_common(memory_of_pieces(from), memory_of_pieces(to));
  }
}
template <class From, class To>
[[nodiscard]] bool are_one_box(const From& from, const To& to) {
  if constexpr (requires { from.base(), from.part(), to.base(), to.part(); }) {
    return static_cast<const void*>(&from.base()) == &to.base() && from.part() == to.part();
  }
  return false;
}

/// True if `memory` overlaps elements, or the elements they are computed from.
template <ranges::distributed_range R, class T>
[[nodiscard]] bool has_elements_of(R& range, std::span<T> memory) {
  if (memory.empty() || !runtime::may_be_in_a_segment(memory.data())) return false;
  bool found = false;
  for (const auto& segment : ranges::segments(range)) {
    each_memory_of(segment, [&](std::uint64_t first, std::uint64_t end) {
      found = found || (first != end && view::is_mapped_between({first, end}, memory.data(),
                                                                memory.data() + memory.size()));
    });
  }
  return found;
}
template <ranges::distributed_box B, class T, std::size_t N>
[[nodiscard]] bool has_elements_of(const B& box, const box_span<T, N>& memory) {
  if (memory.empty() || !runtime::may_be_in_a_segment(memory.data())) return false;
  const T* end = memory.data() + 1;
  for (std::size_t d = 0; d < N; ++d) end += (memory.extent(d) - 1) * memory.stride(d);
  bool found = false;
  box.each_piece(ranges::whole(box), [&](const auto&, const auto& piece) {
    found = found || (piece.size() != 0 &&
                      view::is_mapped_between(memory_of_piece(piece), memory.data(), end));
  });
  return found;
}

template <class T, class U, std::size_t N>
void copy_box_here(const box_span<const T, N>& from, const box_span<U, N>& to) {
  layout::coordinates<N> at{};
  for (std::size_t left = to.size(); left != 0; --left) {
    to[at] = static_cast<U>(from[at]);
    layout::row_major::advance(at, to.extents());
  }
}

}  // namespace acre::algorithm
