// SPDX-License-Identifier: BSD-3-Clause
// View of the elements at equal positions of several ranges, as tuples.
//
//     acre::for_each(acre::views::zip(a, b), [](auto pair) {
//       auto& [x, y] = pair;                                       // references in place
//       x += 2 * y;
//     });
//     for (const auto& [i, x] : acre::views::enumerate(a)) …
//
// Elements at equal positions must be on one rank. acre::transform(a, b, c, f) accepts other
// ranges. Plain views, e.g. std::views::iota, must be equal on all ranks.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/view/covered_elements.hpp>
#include <acre/view/random_steps.hpp>
#include <acre/view/ranges.hpp>
#include <acre/view/segment_walk.hpp>

#include <algorithm>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <utility>

namespace acre {

namespace view {

/// Tuple of references, for which C++20 defines no common reference with tuples of values.
template <class... T>
struct zipped_references : std::tuple<T...> {
  using std::tuple<T...>::tuple;
};

}  // namespace view

}  // namespace acre

template <class... T>
struct std::tuple_size<acre::view::zipped_references<T...>> : std::tuple_size<std::tuple<T...>> {};
template <std::size_t I, class... T>
struct std::tuple_element<I, acre::view::zipped_references<T...>>
    : std::tuple_element<I, std::tuple<T...>> {};
template <class... T, class... U, template <class> class Q, template <class> class P>
struct std::basic_common_reference<acre::view::zipped_references<T...>, std::tuple<U...>, Q, P> {
  using type = std::tuple<U...>;
};
template <class... T, class... U, template <class> class Q, template <class> class P>
struct std::basic_common_reference<std::tuple<U...>, acre::view::zipped_references<T...>, Q, P> {
  using type = std::tuple<U...>;
};

namespace acre {

namespace view {

[[noreturn]] void throw_not_spread_alike(rank_t a, rank_t b);

template <std::random_access_iterator... I>
class zip_iterator : public random_steps<zip_iterator<I...>, std::tuple<std::iter_value_t<I>...>,
                                         zipped_references<std::iter_reference_t<I>...>> {
 public:
  using reference = zipped_references<std::iter_reference_t<I>...>;
  using iterator_category = std::input_iterator_tag;

  constexpr zip_iterator() = default;
  constexpr explicit zip_iterator(I... at) : at_(std::move(at)...) {}

  [[nodiscard]] constexpr reference operator*() const {
    return std::apply([](const I&... at) { return reference(*at...); }, at_);
  }
  [[nodiscard]] constexpr reference operator[](std::ptrdiff_t n) const { return *(*this + n); }
  constexpr zip_iterator& operator+=(std::ptrdiff_t n) {
    std::apply([&](I&... at) { ((at += static_cast<std::iter_difference_t<I>>(n)), ...); }, at_);
    return *this;
  }
  friend constexpr std::ptrdiff_t operator-(const zip_iterator& a, const zip_iterator& b) {
    return static_cast<std::ptrdiff_t>(std::get<0>(a.at_) - std::get<0>(b.at_));
  }
  friend constexpr bool operator==(const zip_iterator& a, const zip_iterator& b) {
    return std::get<0>(a.at_) == std::get<0>(b.at_);
  }
  friend constexpr auto operator<=>(const zip_iterator& a, const zip_iterator& b) {
    return a - b <=> 0;
  }

  [[nodiscard]] std::size_t index() const { return leading().index(); }
  void require_room(std::size_t count, const char* call, const site& where) const {
    std::apply([&](const I&... at) { (view::require_room(at, count, call, where), ...); }, at_);
  }
  void require_same(const zip_iterator& other, const char* call, const site& where) const {
    [&]<std::size_t... Each>(std::index_sequence<Each...>) {
      (view::require_same(std::get<Each>(at_), std::get<Each>(other.at_), call, where), ...);
    }(std::index_sequence_for<I...>());
  }
  [[nodiscard]] std::uint64_t identity() const {
    std::uint64_t all = 0;
    std::apply([&](const I&... at) { ((all = mix_bits(all + identity_at(at) + 1)), ...); }, at_);
    return all;
  }
  [[nodiscard]] const team& members() const
    requires(ranges::segmented_iterator<I> || ...)
  {
    return leading().members();
  }
  static constexpr bool bases_tell_covered =
      ((!ranges::segmented_iterator<I> || tells_covered<I>::value) && ...);
  template <class F>
  void each_base(std::size_t count, F&& f) const {
    const auto with = [&]<class Base>(const Base& base) {
      if constexpr (ranges::segmented_iterator<Base>) f(base, count, std::size_t{1});
    };
    std::apply([&](const I&... base) { (with(base), ...); }, at_);
  }
  [[nodiscard]] segment_walk<zip_iterator> segments(std::size_t count) const
    requires(ranges::segmented_iterator<I> || ...)
  {
    return {*this, count};
  }
  [[nodiscard]] auto first_segment(std::size_t count) const
    requires(ranges::segmented_iterator<I> || ...);
  template <class F>
  void each_own_run(std::size_t count, F&& f) const
    requires(ranges::segmented_iterator<I> || ...);

 private:
  [[nodiscard]] const auto& leading() const {
    constexpr bool has_segments[] = {ranges::segmented_iterator<I>...};
    constexpr std::size_t first = [&] {
      std::size_t i = 0;
      while (!has_segments[i]) ++i;
      return i;
    }();
    return std::get<first>(at_);
  }

  std::tuple<I...> at_{};
};

template <class... R>
[[nodiscard]] constexpr auto zipped(const R&... parts) {
  return counted_from(zip_iterator(plain_begin(parts)...),
                      std::min({static_cast<std::size_t>(std::ranges::size(parts))...}));
}

/// Zipped elements at one rank: segments, and parts of plain ranges.
template <class... S>
class zip_segment {
 public:
  explicit zip_segment(const S&... parts) : parts_(parts...) {}

  [[nodiscard]] rank_t rank() const {
    rank_t found = 0;
    each_segment([&](const auto& part) { found = ranges::rank(part); });
    return found;
  }
  [[nodiscard]] std::size_t size() const {
    return static_cast<std::size_t>(std::ranges::size(std::get<0>(parts_)));
  }
  [[nodiscard]] auto begin() const {
    return std::apply([](const S&... part) { return zip_iterator(std::ranges::begin(part)...); },
                      parts_);
  }
  [[nodiscard]] auto end() const { return begin() + static_cast<std::ptrdiff_t>(size()); }
  [[nodiscard]] auto local() const {
    return std::apply([](const S&... part) { return zipped(local_of(part)...); }, parts_);
  }
  [[nodiscard]] zip_segment subspan(std::size_t first, std::size_t count) const {
    return std::apply([&](const S&... part) { return zip_segment(slice(part, first, count)...); },
                      parts_);
  }
  [[nodiscard]] const std::tuple<S...>& parts() const noexcept { return parts_; }

 private:
  template <class F>
  void each_segment(const F& f) const {
    std::apply(
        [&](const S&... part) {
          const auto with = [&]<class Part>(const Part& each) {
            if constexpr (ranges::segment<Part>) f(each);
          };
          (with(part), ...);
        },
        parts_);
  }
  template <class Part>
  [[nodiscard]] static auto local_of(const Part& part) {
    if constexpr (ranges::segment<Part>) {
      return ranges::local(part);
    } else {
      return part;
    }
  }

  std::tuple<S...> parts_;
};

template <class I>
[[nodiscard]] auto segment_or_part(const I& at, std::size_t count) {
  if constexpr (ranges::segmented_iterator<I>) {
    return first_segment(at, count);
  } else {
    return std::ranges::subrange(at, at + static_cast<std::iter_difference_t<I>>(count));
  }
}
template <class... S>
[[nodiscard]] auto zip_segments(const S&... parts) {
  const std::size_t size = std::min({static_cast<std::size_t>(std::ranges::size(parts))...});
  bool is_first = true;
  rank_t all = 0;
  const auto look = [&]<class Part>(const Part& part) {
    if constexpr (ranges::segment<Part>) {
      const rank_t rank = ranges::rank(part);
      if (!is_first && rank != all) throw_not_spread_alike(all, rank);
      all = rank;
      is_first = false;
    }
  };
  (look(parts), ...);
  return zip_segment(slice(parts, 0, size)...);
}

template <std::random_access_iterator... I>
auto zip_iterator<I...>::first_segment(std::size_t count) const
  requires(ranges::segmented_iterator<I> || ...)
{
  return std::apply([&](const I&... at) { return zip_segments(segment_or_part(at, count)...); },
                    at_);
}
/// Walks the own runs of the first distributed range; throws if others are elsewhere.
template <std::random_access_iterator... I>
template <class F>
void zip_iterator<I...>::each_own_run(std::size_t count, F&& f) const
  requires(ranges::segmented_iterator<I> || ...)
{
  ranges::each_own_run_from(leading(), count, [&](std::size_t first, const auto& run) {
    const std::size_t end = first + static_cast<std::size_t>(std::ranges::size(run));
    for (std::size_t index = first; index < end;) {
      const auto part = (*this + static_cast<std::ptrdiff_t>(index)).first_segment(end - index);
      f(index, part.local());
      index += part.size();
    }
  });
}

/// Range without segments, equal on every rank.
template <class R>
concept plain_source =
    std::ranges::random_access_range<R> && std::ranges::view<R> && (!ranges::distributed_range<R>);
template <class R>
concept zippable = plain_source<std::remove_cvref_t<R>> || viewable<R>;
template <class... R>
concept zipped_together = (zippable<R> && ...) && (ranges::distributed_range<R> || ...);

template <zippable R>
[[nodiscard]] auto zip_begin(R&& range) {
  if constexpr (ranges::distributed_range<R>) {
    return segmented_begin(std::forward<R>(range));
  } else {
    return std::ranges::begin(range);
  }
}
template <class R>
[[nodiscard]] std::size_t zip_size(const R& range) {
  if constexpr (std::ranges::sized_range<const R>) {
    return static_cast<std::size_t>(std::ranges::size(range));
  } else {
    return ~std::size_t{0};
  }
}

}  // namespace view

namespace views {

/// Tuples of elements at equal positions, up to the shortest size. Requests for segments
/// throw acre::error if distributions differ.
template <class... R>
  requires view::zipped_together<R...>
[[nodiscard]] auto zip(R&&... range) {
  const std::size_t size = std::min({view::zip_size(range)...});
  return view::counted_from(view::zip_iterator(view::zip_begin(std::forward<R>(range))...), size);
}

/// Returns the tuples (0, first), (1, second), …
template <view::viewable R>
[[nodiscard]] auto enumerate(R&& range) {
  return zip(std::views::iota(std::size_t{0}), std::forward<R>(range));
}
[[nodiscard]] inline auto enumerate() {
  return view::range_adaptor{[]<class R>(R&& range) { return enumerate(std::forward<R>(range)); }};
}

template <std::ranges::range First, class... R>
  requires(!view::zipped_together<First, R...>)
view::refused_view<First> zip(First&&, R&&...) {
  constexpr bool is_view_of_distributed = view::zipped_together<First, R...>;
  static_assert(is_view_of_distributed,
                "zip requires at least one named distributed range, and otherwise std::views, for "
                "example iota: a temporary is destroyed before its view is used");
  __builtin_unreachable();
}
template <std::ranges::range R>
  requires(!view::viewable<R>)
view::refused_view<R> enumerate(R&&) {
  return view::explain_view<R>();
}

}  // namespace views
}  // namespace acre
