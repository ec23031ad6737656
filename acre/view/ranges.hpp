// SPDX-License-Identifier: BSD-3-Clause
// Contract between distributed ranges and algorithms.
//
//     for (auto segment : acre::ranges::segments(a)) {         // in order
//       if (acre::ranges::rank(segment) == acre::rank()) …     // owner
//     }
//     acre::ranges::each_own(a, [](std::span<double> mine) { … });   // this rank's elements
//
// A segment is a run of consecutive elements of a range at one rank. A range, or its iterators,
// have segments() and members() (its team); so have views that keep the iterators (take, drop,
// counted, subrange). Iterators may define each_own_run() and each_own(), which save the walk over
// other ranks' segments.
//
//     distributed_range     readable: loops, reductions, copies
//     writable_range        assignable in place: fill, transform
//     memory_range          contiguous segments: sort, scans, transfers
//
// Tables, queues and bags are a distributed_container: algorithm/elements.hpp.
#pragma once

#include <acre/global/team/team.hpp>
#include <acre/view/global_span.hpp>

#include <concepts>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>

namespace acre::ranges {

namespace view {

template <class R>
concept counted = std::ranges::random_access_range<R> && std::ranges::sized_range<R>;

struct segments_of {
  template <class R>
    requires requires(R&& r) { r.segments(); }
  [[nodiscard]] constexpr auto operator()(R&& r) const {
    return r.segments();
  }
  template <counted R>
    requires(!requires(R&& r) { r.segments(); }) &&
            requires(R&& r) { std::ranges::begin(r).segments(std::size_t{}); }
  [[nodiscard]] constexpr auto operator()(R&& r) const {
    return std::ranges::begin(r).segments(static_cast<std::size_t>(std::ranges::size(r)));
  }
};

struct members_of {
  template <class R>
    requires requires(R&& r) {
      { r.members() } -> std::same_as<const team&>;
    }
  [[nodiscard]] constexpr const team& operator()(R&& r) const {
    return r.members();
  }
  template <counted R>
    requires(!requires(R&& r) { r.members(); }) && requires(R&& r) {
      { std::ranges::begin(r).members() } -> std::same_as<const team&>;
    }
  [[nodiscard]] constexpr const team& operator()(R&& r) const {
    return std::ranges::begin(r).members();
  }
};

struct rank_of {
  template <class S>
    requires requires(const S& s) {
      { s.rank() } -> std::same_as<rank_t>;
    }
  [[nodiscard]] constexpr rank_t operator()(const S& s) const {
    return s.rank();
  }
};

struct local_of {
  template <class S>
    requires requires(const S& s) { s.local(); }
  [[nodiscard]] constexpr auto operator()(const S& s) const {
    return s.local();
  }
};

}  // namespace view

/// Segments in order.
inline constexpr view::segments_of segments{};
/// Team of a range; algorithms are collective in it.
inline constexpr view::members_of members{};
/// Owner of a segment: a rank of the job.
inline constexpr view::rank_of rank{};
/// Elements of a segment in local memory; empty if not mapped here.
inline constexpr view::local_of local{};

/// Consecutive elements at one rank, maybe computed. local(s) has all or no elements.
template <class S>
concept segment =
    std::ranges::random_access_range<S> && std::ranges::sized_range<S> && requires(const S& s) {
      { rank(s) } -> std::same_as<rank_t>;
      { local(s) } -> std::ranges::random_access_range;
    };
/// Segment in contiguous memory.
template <class S>
concept memory_segment = segment<S> && requires(const S& s) {
  { local(s) } -> std::ranges::contiguous_range;
  s.data().bits();
  s.subspan(std::size_t{}, std::size_t{});
};

/// Readable range over the ranks of a team.
template <class R>
concept distributed_range =
    std::ranges::random_access_range<R> && std::ranges::sized_range<R> && requires(R& r) {
      { segments(r) } -> std::ranges::forward_range;
      requires segment<std::remove_cvref_t<std::ranges::range_reference_t<decltype(segments(r))>>>;
      { members(r) } -> std::same_as<const team&>;
    };

/// Container whose elements have no positions. own_elements(): this rank's.
template <class C>
concept distributed_container =
    !distributed_range<C> && requires(std::remove_reference_t<C>& container) {
      { container.own_elements() } -> std::ranges::input_range;
      { container.members() } -> std::same_as<const team&>;
    };
/// Element type of a container: std::pair<K, V> of hash_map<K, V>.
template <distributed_container C>
using element_of = std::ranges::range_value_t<
    decltype(std::declval<std::remove_reference_t<C>&>().own_elements())>;

/// Element type: T of array<T>.
template <class R>
using value_of = std::ranges::range_value_t<R>;
/// Type of segments.
template <distributed_range R>
using segment_of = std::remove_cvref_t<std::ranges::range_reference_t<decltype(segments(
    std::declval<std::add_lvalue_reference_t<R>>()))>>;
/// Reference to own elements: double& for array<double>.
template <distributed_range R>
using own_reference_of =
    std::ranges::range_reference_t<decltype(local(std::declval<const segment_of<R>&>()))>;

/// Range with contiguous segments: arrays, matrices and parts; no transform, zip or strided views.
template <class R>
concept memory_range = distributed_range<R> && memory_segment<segment_of<R>>;
/// Range whose elements are assignable in place: neither const nor computed.
template <class R>
concept writable_range =
    distributed_range<R> && std::assignable_from<own_reference_of<R>, const value_of<R>&>;

/// Iterator that fulfils the contract.
template <class I>
concept segmented_iterator =
    std::random_access_iterator<I> && requires(const I& i, std::size_t count) {
      { i.segments(count) } -> std::ranges::forward_range;
      { i.members() } -> std::same_as<const team&>;
    };

template <segmented_iterator I, class F>
void each_own_run_from(const I& first, std::size_t count, F&& f) {
  if constexpr (requires { first.each_own_run(count, f); }) {
    first.each_own_run(count, f);
  } else {
    std::size_t index = 0;
    for (const auto& each : first.segments(count)) {
      if (rank(each) == acre::rank()) f(index, local(each));
      index += static_cast<std::size_t>(std::ranges::size(each));
    }
  }
}
/// Calls f(index, run) for each contiguous run of own elements, in any order. `run` begins at
/// position `index`; it is a random-access range, std::span for memory.
template <distributed_range R, class F>
void each_own_run(R&& r, F&& f) {
  const auto first = std::ranges::begin(r);
  const auto count = static_cast<std::size_t>(std::ranges::size(r));
  if constexpr (segmented_iterator<std::ranges::iterator_t<R>>) {
    each_own_run_from(first, count, f);
  } else {
    std::size_t index = 0;
    for (const auto& each : segments(r)) {
      if (rank(each) == acre::rank()) f(index, local(each));
      index += static_cast<std::size_t>(std::ranges::size(each));
    }
  }
}
/// Calls f(run) for own elements, in the fewest runs; their positions are unspecified.
template <segmented_iterator I, class F>
void each_own_from(const I& first, std::size_t count, F&& f) {
  if constexpr (requires { first.each_own(count, f); }) {
    first.each_own(count, f);
  } else {
    each_own_run_from(first, count, [&](std::size_t, auto piece) { f(piece); });
  }
}
template <distributed_range R, class F>
void each_own(R&& r, F&& f) {
  if constexpr (segmented_iterator<std::ranges::iterator_t<R>>) {
    each_own_from(std::ranges::begin(r), static_cast<std::size_t>(std::ranges::size(r)), f);
  } else {
    each_own_run(r, [&](std::size_t, auto piece) { f(piece); });
  }
}

}  // namespace acre::ranges
