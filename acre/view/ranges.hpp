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
#pragma once

#include <acre/global/team.hpp>
#include <acre/view/global_span.hpp>

#include <concepts>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>

namespace acre::ranges {

namespace detail {

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

}  // namespace detail

/// The segments of a range, in order: together they have its elements, once each, in order.
inline constexpr detail::segments_of segments{};
/// The team that a range is spread over. Algorithms are collective in it.
inline constexpr detail::members_of members{};
/// Whose memory a segment lies in: a rank of the job.
inline constexpr detail::rank_of rank{};
/// The elements of a segment as plain memory; none where that is not mapped here.
inline constexpr detail::local_of local{};

/// Elements in the memory of one rank.
template <class S>
concept segment = std::ranges::random_access_range<S> && requires(const S& s) {
  { rank(s) } -> std::same_as<rank_t>;
  { local(s) } -> std::ranges::contiguous_range;
};

/// What is spread over the ranks of a team.
template <class R>
concept distributed_range =
    std::ranges::random_access_range<R> && std::ranges::sized_range<R> && requires(R& r) {
      { segments(r) } -> std::ranges::forward_range;
      requires segment<std::remove_cvref_t<std::ranges::range_reference_t<decltype(segments(r))>>>;
      { members(r) } -> std::same_as<const team&>;
    };

/// f(index, span) of each run of this rank's own elements: the place in the range of its first, and
/// the elements as plain memory. Runs come in any order.
template <distributed_range R, class F>
void each_own_run(R&& r, F&& f) {
  const auto first = std::ranges::begin(r);
  const auto count = static_cast<std::size_t>(std::ranges::size(r));
  if constexpr (requires { first.each_own_run(count, f); }) {
    first.each_own_run(count, f);
  } else {
    std::size_t index = 0;
    for (const auto& each : segments(r)) {
      if (rank(each) == acre::rank()) f(index, local(each));
      index += static_cast<std::size_t>(std::ranges::size(each));
    }
  }
}
/// f(span) of all of this rank's own elements, in as few pieces as there are. Which elements a
/// piece has is not said.
template <distributed_range R, class F>
void each_own(R&& r, F&& f) {
  const auto first = std::ranges::begin(r);
  const auto count = static_cast<std::size_t>(std::ranges::size(r));
  if constexpr (requires { first.each_own(count, f); }) {
    first.each_own(count, f);
  } else {
    each_own_run(r, [&](std::size_t, auto piece) { f(piece); });
  }
}

/// Of what a distributed range has elements: T of array<T>.
template <class R>
using value_of = std::ranges::range_value_t<R>;

}  // namespace acre::ranges
