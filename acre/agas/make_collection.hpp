// SPDX-License-Identifier: BSD-3-Clause
// Collective creation of collections, without messages per member. Extents are a number, or {rows,
// columns, …}.
#pragma once

#include <acre/agas/object_collection.hpp>
#include <acre/base/site.hpp>
#include <acre/layout/distribution.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace acre {
namespace agas {

template <class How, std::size_t N>
concept says_owner =
    std::invocable<const How&, const member_index<N>&> &&
    std::convertible_to<std::invoke_result_t<const How&, const member_index<N>&>, rank_t>;
template <class How, std::size_t N>
concept placement =
    layout::pattern<How> || (N == 1 && layout::distribution<How>) || says_owner<How, N>;

template <std::size_t N>
[[nodiscard]] auto boxes_for(const layout::coordinates<N>& extents) {
  return [&]<std::size_t... D>(std::index_sequence<D...>) {
    return make_distribution(extents, size(), (static_cast<void>(D), dist::balanced)...);
  }(std::make_index_sequence<N>{});
}

template <layout::pattern P>
void set_homes(collection_plan& plan, const P& pattern) {
  static_assert(layout::is_dense<P>,
                "a pattern for a collection must have no gaps: create it with make_distribution()");
  check_pattern(plan.extents, pattern.size(), pattern.members());
  plan.homes = std::make_unique<homes_by<P>>(pattern);
}

template <class T, std::size_t N, class How>
[[nodiscard]] collection_plan plan_collection(const layout::coordinates<N>& extents,
                                              const How& how) {
  collection_plan plan;
  plan.type = &type_of<T>();
  plan.extents.assign(extents.begin(), extents.end());
  if constexpr (layout::pattern<How>) {
    set_homes(plan, how);
  } else if constexpr (N == 1 && layout::distribution<How>) {
    set_homes(plan, make_distribution(extents, size(), how));
  } else {
    set_homes(plan, boxes_for<N>(extents));
    if constexpr (N == 1) {
      plan.owner_of = how;
    } else {
      plan.owner_of = [how, extents](std::size_t number) {
        return static_cast<rank_t>(how(layout::row_major::at<N>(number, extents)));
      };
    }
  }
  return plan;
}
template <class T, std::size_t N>
[[nodiscard]] collection_plan plan_collection(const layout::coordinates<N>& extents) {
  return plan_collection<T, N>(extents, boxes_for<N>(extents));
}

template <class>
inline constexpr bool is_std_tuple = false;
template <class... Each>
inline constexpr bool is_std_tuple<std::tuple<Each...>> = true;

/// Constructs a member from one argument, or from a tuple of arguments.
template <class T, class Made>
[[nodiscard]] object_owner host_member(Made&& made) {
  std::unique_ptr<hosted<T>> object;
  if constexpr (is_std_tuple<std::remove_cvref_t<Made>> && !std::constructible_from<T, Made>) {
    object = std::apply(
        [](auto&&... each) {
          return std::make_unique<hosted<T>>(std::forward<decltype(each)>(each)...);
        },
        std::forward<Made>(made));
  } else {
    object = std::make_unique<hosted<T>>(std::forward<Made>(made));
  }
  object->type = &type_of<T>();
  return object_owner(object.release());
}

template <class T, class Made>
inline constexpr bool makes_member = std::is_constructible_v<T, Made>;
template <class T, class... Each>
inline constexpr bool makes_member<T, std::tuple<Each...>> =
    std::is_constructible_v<T, std::tuple<Each...>> || std::is_constructible_v<T, Each...>;

template <class T, std::size_t N, class Make>
[[nodiscard]] object_collection<T, N> build_collection(collection_plan plan, const Make& make,
                                                       const site& where) {
  constexpr bool has_constructor =
      makes_member<T, std::remove_cvref_t<std::invoke_result_t<const Make&, member_index<N>>>>;
  static_assert(has_constructor,
                "no member can be created from this: the function of make_collection() must return "
                "a T, an argument of a constructor of T, or std::tuple(arguments...) of one; "
                "without a function, T must be default-constructible");
  if constexpr (has_constructor) {
    auto all = std::make_unique<collection_state>(std::move(plan));
    all->populate("make_collection", where, [&](std::size_t number) {
      return host_member<T>(make(agas::index_of<N>(*all, number)));
    });
    return collection_access::make<T, N>(std::move(all), where);
  } else {
    return {};
  }
}

/// Compile error.
template <class T, std::size_t N, class... Given>
[[nodiscard]] object_collection<T, N> refuse_makers() {
  static_assert(sizeof...(Given) == 0,
                "make_collection<T>(extents, make) and make_collection<T>(extents, owners, make) "
                "take a function of a member's index that creates it (a std::size_t in one "
                "dimension, else coordinates); `owners` is a distribution, a pattern or a "
                "function of the index that returns a rank");
  return {};
}
template <class Make, std::size_t N>
concept member_maker = std::invocable<const Make&, const member_index<N>&>;
template <class T>
concept is_site = std::convertible_to<const T&, site>;

template <class T>
struct default_maker {
  std::tuple<> operator()(const auto&) const { return {}; }
};

}  // namespace agas

/// Makes T() for each index, in blocks of equal size. Collective over the job. Cost: 5 allreduces
/// (3 if it reuses slots of an ended collection), and l per object here.
/// @throws acre::error above 2^31 members per home; on all ranks if types, extents or owners
/// differ; a constructor's exception, and acre::error on the other ranks
template <class T, std::integral Extent>
[[nodiscard]] object_collection<T> make_collection(Extent extent,
                                                   const site& where = site::current()) {
  return agas::build_collection<T, 1>(
      agas::plan_collection<T, 1>({static_cast<std::size_t>(extent)}), agas::default_maker<T>(),
      where);
}

/// As above, in several dimensions; each rank owns a box.
template <class T, std::size_t N>
  requires(N > 1)
[[nodiscard]] object_collection<T, N> make_collection(const std::size_t (&extents)[N],
                                                      const site& where = site::current()) {
  return agas::build_collection<T, N>(agas::plan_collection<T, N>(std::to_array(extents)),
                                      agas::default_maker<T>(), where);
}

/// As above, with make(index), which runs on the owner and returns a T, a constructor argument, or
/// a std::tuple of constructor arguments (T need not be movable).
template <class T, std::integral Extent, std::invocable<std::size_t> Make>
[[nodiscard]] object_collection<T> make_collection(Extent extent, const Make& make,
                                                   const site& where = site::current()) {
  return agas::build_collection<T, 1>(
      agas::plan_collection<T, 1>({static_cast<std::size_t>(extent)}), make, where);
}
template <class T, std::size_t N, std::invocable<const layout::coordinates<N>&> Make>
  requires(N > 1)
[[nodiscard]] object_collection<T, N> make_collection(const std::size_t (&extents)[N],
                                                      const Make& make,
                                                      const site& where = site::current()) {
  const auto all = std::to_array(extents);
  return agas::build_collection<T, N>(agas::plan_collection<T, N>(all), make, where);
}

/// @param how  dist::cyclic etc. in one dimension; a pattern of these extents over all ranks; or a
/// function from index to rank (cost: an alltoallv more)
template <class T, std::integral Extent, agas::placement<1> How, std::invocable<std::size_t> Make>
[[nodiscard]] object_collection<T> make_collection(Extent extent, const How& how, const Make& make,
                                                   const site& where = site::current()) {
  return agas::build_collection<T, 1>(
      agas::plan_collection<T, 1>({static_cast<std::size_t>(extent)}, how), make, where);
}
template <class T, std::size_t N, agas::placement<N> How,
          std::invocable<const layout::coordinates<N>&> Make>
  requires(N > 1)
[[nodiscard]] object_collection<T, N> make_collection(const std::size_t (&extents)[N],
                                                      const How& how, const Make& make,
                                                      const site& where = site::current()) {
  const auto all = std::to_array(extents);
  return agas::build_collection<T, N>(agas::plan_collection<T, N>(all, how), make, where);
}

/// Compile error.
template <class T, std::integral Extent, class Make>
  requires(!agas::member_maker<Make, 1> && !agas::is_site<Make>)
object_collection<T> make_collection(Extent, const Make&, const site& = site::current()) {
  return agas::refuse_makers<T, 1, Make>();
}
template <class T, std::size_t N, class Make>
  requires(N > 1 && !agas::member_maker<Make, N> && !agas::is_site<Make>)
object_collection<T, N> make_collection(const std::size_t (&)[N], const Make&,
                                        const site& = site::current()) {
  return agas::refuse_makers<T, N, Make>();
}
template <class T, std::integral Extent, class How, class Make>
  requires(!(agas::placement<How, 1> && agas::member_maker<Make, 1>) && !agas::is_site<Make>)
object_collection<T> make_collection(Extent, const How&, const Make&,
                                     const site& = site::current()) {
  return agas::refuse_makers<T, 1, How, Make>();
}
template <class T, std::size_t N, class How, class Make>
  requires(N > 1 && !(agas::placement<How, N> && agas::member_maker<Make, N>) &&
           !agas::is_site<Make>)
object_collection<T, N> make_collection(const std::size_t (&)[N], const How&, const Make&,
                                        const site& = site::current()) {
  return agas::refuse_makers<T, N, How, Make>();
}

namespace agas {
/// Compilers print the line of the deleted constructor.
struct a_number_of_members {
  template <class X>
    requires(!std::integral<X> && !std::is_array_v<X>)
  a_number_of_members(const X&) = delete;  // make_collection<T>(4), make_collection<T>({4, 3})
  template <std::size_t Size>
  a_number_of_members(const char (&)[Size]) = delete;  // write make_collection<T>(4)
};
struct the_class_of_the_members {
  template <std::integral X>
  the_class_of_the_members(X) = delete;  // write make_collection<T>(4)
};
}  // namespace agas
template <class T>
object_collection<T> make_collection(agas::a_number_of_members, const site& = site::current());
void make_collection(agas::the_class_of_the_members);

}  // namespace acre
