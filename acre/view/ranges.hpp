// SPDX-License-Identifier: BSD-3-Clause
// The contract between whatever is spread over ranks and the algorithms that work on it.
//
//     for (auto segment : acre::ranges::segments(a)) {         // in order, together all of a
//       if (acre::ranges::rank(segment) == acre::rank()) …     // whose memory
//     }
//     acre::ranges::each_own(a, [](std::span<double> mine) { … });   // this rank's, plain memory
//     acre::ranges::members(a).barrier();                            // the team that has it
//
// A container fulfils it by what its iterators say: `i.segments(count)` for the elements from i on,
// and `i.members()`. So what std::views make of it without changing its iterators (take, drop,
// counted, subrange) fulfils it too. Or it has segments() and members() itself. Iterators that also
// have `i.each_own_run(count, f)`, and `i.each_own(count, f)`, save each rank the walk over the
// segments of others.
//
// Views (strided.hpp, transformed.hpp, zipped.hpp, shifted.hpp) are such iterators on others, in a
// std::ranges::subrange. What a range may be used for is said by its concepts:
//
//     distributed_range     may be read: loops, reductions, copies from it, comparisons
//     writable_range        its elements may be assigned to, where they lie: fill, transform to it
//     memory_range          its elements lie beside each other, run by run: sort, scans, transfers
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

/// How many elements a range has, and its first.
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

/// The segments of a range, in order: together they have its elements, once each, in order.
inline constexpr view::segments_of segments{};
/// The team that a range is spread over. Algorithms are collective in it.
inline constexpr view::members_of members{};
/// Whose memory a segment lies in: a rank of the job.
inline constexpr view::rank_of rank{};
/// The elements of a segment where they lie; none where that is not mapped here.
inline constexpr view::local_of local{};

/// Elements at one rank. Where they are mapped there, local(s) gives them, all of them; elsewhere
/// it is empty. They may be computed from what lies there, as those of views are.
template <class S>
concept segment =
    std::ranges::random_access_range<S> && std::ranges::sized_range<S> && requires(const S& s) {
      { rank(s) } -> std::same_as<rank_t>;
      { local(s) } -> std::ranges::random_access_range;
    };
/// Elements that lie beside each other in the memory of one rank, as those of a global_span do.
template <class S>
concept memory_segment = segment<S> && requires(const S& s) {
  { local(s) } -> std::ranges::contiguous_range;
  s.data().bits();
  s.subspan(std::size_t{}, std::size_t{});
};

/// What is spread over the ranks of a team. It may be read.
template <class R>
concept distributed_range =
    std::ranges::random_access_range<R> && std::ranges::sized_range<R> && requires(R& r) {
      { segments(r) } -> std::ranges::forward_range;
      requires segment<std::remove_cvref_t<std::ranges::range_reference_t<decltype(segments(r))>>>;
      { members(r) } -> std::same_as<const team&>;
    };

/// Of what a distributed range has elements: T of array<T>.
template <class R>
using value_of = std::ranges::range_value_t<R>;
/// What it has for each rank.
template <distributed_range R>
using segment_of = std::remove_cvref_t<std::ranges::range_reference_t<decltype(segments(
    std::declval<std::add_lvalue_reference_t<R>>()))>>;
/// What a rank's own elements are for it: double& of array<double>.
template <distributed_range R>
using own_reference_of =
    std::ranges::range_reference_t<decltype(local(std::declval<const segment_of<R>&>()))>;

/// One whose elements are memory, run by run: arrays, matrices and parts of them; no transform or
/// zip view, nor every n-th element of something. What moves many elements at once asks for it.
template <class R>
concept memory_range = distributed_range<R> && memory_segment<segment_of<R>>;
/// One whose elements may be assigned to where they lie: not of const, and not computed.
template <class R>
concept writable_range =
    distributed_range<R> && std::assignable_from<own_reference_of<R>, const value_of<R>&>;

/// An iterator that says what is asked of a range, of the elements from it on.
template <class I>
concept segmented_iterator =
    std::random_access_iterator<I> && requires(const I& i, std::size_t count) {
      { i.segments(count) } -> std::ranges::forward_range;
      { i.members() } -> std::same_as<const team&>;
    };

/// The same of `count` elements from an iterator on.
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
/// f(index, run) of each run of this rank's own elements: the place in the range of its first, and
/// the elements as a random-access range; a std::span where they are memory. Runs come in any
/// order.
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
/// f(run) of all of this rank's own elements, in as few pieces as there are. Which elements a piece
/// has is not said.
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
