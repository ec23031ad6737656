// Collections: many objects of one type, made together, and found by their index on every rank.
//
//     auto cells = acre::make_collection<cell>({40, 30}, [](auto at) { return at[0] * at[1]; });
//     acre::invoke_ff(cells[{3, 4}], &cell::add, 1.0);      // one of them, wherever it is
//     acre::invoke_all(cells, &cell::step, 0.1);            // all, each once; on all ranks
//     double sum = acre::invoke_reduce(cells, acre::op::sum, &cell::mass);
//     acre::balance(cells, acre::curve_balancer{}, &cell::load);
//
// A collection is what Charm++ calls a chare array. All ranks make it, and end it; between that
// each calls members as it likes. Their names are computed: no rank has a table of them, and none
// is asked. Members move as all objects do, and keep their names.
#pragma once

#include <acre/agas/balance.hpp>
#include <acre/agas/detail/call_digest.hpp>
#include <acre/agas/detail/collection_state.hpp>
#include <acre/agas/invoke.hpp>
#include <acre/agas/object_id.hpp>
#include <acre/agas/object_ref.hpp>
#include <acre/base/error.hpp>
#include <acre/global/rpc/rpc.hpp>
#include <acre/global/team/collective_end.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/team/team.hpp>
#include <acre/layout/box.hpp>
#include <acre/layout/distribution.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace acre {

template <class T, std::size_t N = 1>
class object_collection;

/// Which member: a number in one dimension, else coordinates.
template <std::size_t N>
using member_index = std::conditional_t<N == 1, std::size_t, layout::coordinates<N>>;

namespace detail {

template <std::size_t N>
[[nodiscard]] layout::coordinates<N> coordinates_of(const member_index<N>& index) noexcept {
  if constexpr (N == 1) {
    return {index};
  } else {
    return index;
  }
}
template <std::size_t N>
[[nodiscard]] layout::coordinates<N> extents_of(const collection_state& all) noexcept {
  layout::coordinates<N> extents{};
  for (std::size_t d = 0; d < N; ++d) extents[d] = all.extents()[d];
  return extents;
}
template <std::size_t N>
[[nodiscard]] member_index<N> index_of(const collection_state& all, std::size_t number) noexcept {
  if constexpr (N == 1) {
    return number;
  } else {
    return layout::row_major::at<N>(number, extents_of<N>(all));
  }
}

/// For c[i, j], of which C++20 gives operator[] the last number alone.
template <class T, std::size_t N>
object_id<T> index_by_braces() {
  static_assert(N == 0, "a collection of several dimensions takes its index in braces: c[{i, j}]");
  return {};
}

/// @throws acre::error when there is no such member
template <class T, std::size_t N>
[[nodiscard]] object_id<T> member_of(const collection_state& all, const member_index<N>& index) {
  const auto at = coordinates_of<N>(index);
  const auto extents = extents_of<N>(all);
  if (!layout::box<N>{.extents = extents}.contains(at)) [[unlikely]] {
    throw_no_such_index(all, at);
  }
  return trusted_id<T>(all.name_of(layout::row_major::number<N>(at, extents)));
}

struct collection_access;

template <class T, std::size_t N>
inline constexpr bool travels_by_id<object_collection<T, N>> = true;

}  // namespace detail

/// The name of a collection, as object_id is that of an object: 16 bytes that mean the same on all
/// ranks, also in calls and members. It does not keep the collection.
template <class T, std::size_t N = 1>
class collection_id {
 public:
  using object_type = T;
  using index_type = member_index<N>;

  constexpr collection_id() noexcept = default;

  [[nodiscard]] constexpr explicit operator bool() const noexcept { return bool(handle_); }
  [[nodiscard]] friend constexpr bool operator==(const collection_id&,
                                                 const collection_id&) noexcept = default;

  /// l: a look through the collections of this rank.
  /// @throws acre::error when there is no such member, or the collection has ended
  [[nodiscard]] object_id<T> operator[](const index_type& index) const {
    return detail::member_of<T, N>(state(), index);
  }
  template <std::integral Number>
    requires(N > 1)
  object_id<T> operator[](Number) const {
    return detail::index_by_braces<T, N>();
  }
  [[nodiscard]] std::size_t size() const { return state().size(); }
  [[nodiscard]] layout::coordinates<N> extents() const { return detail::extents_of<N>(state()); }

 private:
  friend struct detail::collection_access;

  constexpr explicit collection_id(const gid& handle) noexcept : handle_(handle) {}
  [[nodiscard]] const detail::collection_state& state() const {
    return detail::collection_of(handle_, detail::type_of<T>(), N);
  }

  gid handle_;
};

/// A member of a collection that is here.
template <class T, std::size_t N = 1>
struct local_member {
  member_index<N> index{};
  object_id<T> object;
};

/// What make_collection() returns, on all ranks. Moved, not copied; others get its id().
template <class T, std::size_t N>
class object_collection {
 public:
  using object_type = T;
  using index_type = member_index<N>;
  static constexpr std::size_t dimensions = N;

  /// None.
  object_collection() = default;
  object_collection(object_collection&&) noexcept = default;
  /// As the destructor, of what was here.
  object_collection& operator=(object_collection&& other) noexcept {
    object_collection taken(std::move(other));
    std::swap(state_, taken.state_);
    std::swap(end_, taken.end_);
    return *this;
  }
  /// Ends all members, wherever they are, and whoever refers to them: calls that come later fail.
  /// Collective; calls that are under way run before. Nothing, if the job has ended. Cost:
  /// drain(), 2 B.
  ~object_collection() {
    if (state_ == nullptr || state_->has_outlived_job()) return;
    if (end_.meet(world(), state_->identity())) state_->end();
  }

  [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }
  /// How many there are by their indices, also those that were destroyed one by one.
  [[nodiscard]] std::size_t size() const { return state("size").size(); }
  [[nodiscard]] layout::coordinates<N> extents() const {
    return detail::extents_of<N>(state("extents"));
  }
  [[nodiscard]] collection_id<T, N> id() const;

  /// The name of a member. l. @throws acre::error when there is no such index
  [[nodiscard]] object_id<T> operator[](const index_type& index) const {
    return detail::member_of<T, N>(state("operator[]"), index);
  }
  template <std::integral Number>
    requires(N > 1)
  object_id<T> operator[](Number) const {
    return detail::index_by_braces<T, N>();
  }
  /// The index of a member, by its name; none where it is of something else. l.
  [[nodiscard]] std::optional<index_type> index_of(const object_id<T>& member) const {
    const auto number = state("index_of").number_of(member.name());
    if (!number) return std::nullopt;
    return detail::index_of<N>(*state_, *number);
  }
  /// A reference to a member, for what takes one, as names do. The member ends with the collection
  /// nevertheless. Cost: 2 M.
  [[nodiscard]] future<object_ref<T>> ref(const index_type& index) const {
    return detail::refer_to((*this)[index].name()).then([](future<detail::reference> come) {
      return object_ref<T>(come.get());
    });
  }

  /// The members that are on this rank now, by their indices. They may leave while calls run.
  /// Cost: l for each, and for each other object that has come here from its home.
  [[nodiscard]] std::vector<local_member<T, N>> local_members() const {
    std::vector<local_member<T, N>> here;
    for (const detail::resident& each : state("local_members").residents()) {
      here.push_back({detail::index_of<N>(*state_, each.number), detail::trusted_id<T>(each.name)});
    }
    return here;
  }
  /// A compile error for loops over all members, which shows the line.
  const T* begin() const = delete;  // loop over c.local_members(), or call all: invoke_all(c, f)
  const T* end() const;
  /// f(index, object) of those that are on this rank now, and stay meanwhile.
  template <std::invocable<const index_type&, T&> F>
  void for_each_local(F&& f) const {
    for (const local_member<T, N>& each : local_members()) {
      const pinned<T> object(each.object);
      if (object) f(each.index, *object);
    }
  }

 private:
  friend struct detail::collection_access;

  object_collection(std::unique_ptr<detail::collection_state> made, const site& where)
      : state_(std::move(made)), end_("the end of the collection", where) {}
  [[nodiscard]] const detail::collection_state& state(const char* call) const {
    return detail::require_object(state_.get(), call, "collection", "make_collection<T>(…)");
  }

  std::unique_ptr<detail::collection_state> state_;
  collective_end end_{"the end of the collection", site()};
};

namespace detail {

struct collection_access {
  template <class T, std::size_t N>
  [[nodiscard]] static const collection_state& state(const object_collection<T, N>& of) {
    return of.state("invoke");
  }
  template <class T, std::size_t N>
  [[nodiscard]] static const collection_state& state(const collection_id<T, N>& of) {
    return of.state();
  }
  template <class T, std::size_t N>
  [[nodiscard]] static collection_id<T, N> id(const gid& handle) noexcept {
    return collection_id<T, N>(handle);
  }
  template <class T, std::size_t N>
  [[nodiscard]] static gid handle(const collection_id<T, N>& of) noexcept {
    return of.handle_;
  }
  template <class T, std::size_t N>
  [[nodiscard]] static object_collection<T, N> make(std::unique_ptr<collection_state> made,
                                                    const site& where) {
    return {std::move(made), where};
  }
};

/// Something that says where members are, for these extents.
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
                "a pattern for a collection has no gaps: make it with make_distribution()");
  check_pattern(plan.extents, pattern.size(), pattern.members());
  plan.homes = std::make_unique<homes_by<P>>(pattern);
}

/// What is said of where members are.
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

/// An object of what a function of its index has returned: a tuple of arguments for the
/// constructor, or one.
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

/// Whether host_member() can make a T of this.
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
                "no member can be made of this: the function of make_collection() returns a T, an "
                "argument of a constructor of T, or std::tuple(arguments...) of one; without a "
                "function T has a constructor that takes nothing");
  if constexpr (has_constructor) {
    auto all = std::make_unique<collection_state>(std::move(plan));
    all->populate("make_collection", where, [&](std::size_t number) {
      return host_member<T>(make(detail::index_of<N>(*all, number)));
    });
    return collection_access::make<T, N>(std::move(all), where);
  } else {
    return {};
  }
}

/// Stops the compiler where the arguments behind the extents are none that make_collection() takes.
template <class T, std::size_t N, class... Given>
[[nodiscard]] object_collection<T, N> refuse_makers() {
  static_assert(sizeof...(Given) == 0,
                "make_collection<T>(extents, make) and make_collection<T>(extents, owners, make) "
                "take a function of a member's index that makes it (a std::size_t in one "
                "dimension, else coordinates), and before it a distribution, a pattern or a "
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

}  // namespace detail

template <class T, std::size_t N>
collection_id<T, N> object_collection<T, N>::id() const {
  return detail::collection_access::id<T, N>(state("id").handle());
}

// --- making one ----------------------------------------------------------------------------
//
// Collective over the job. Each rank makes those members that it is to have; no object costs a
// message. Extents are a number, {rows, columns} or more dimensions; indices begin at 0.

/// T() for each index, in blocks of as many on each rank.
/// Cost: 4 allreduces, and l for each object of this rank.
/// @throws acre::error when there are more than 2^31 for a rank, or on all ranks when they make
/// collections of other types, extents or owners; what a constructor throws, and an error on the
/// other ranks then
template <class T, std::integral Extent>
[[nodiscard]] object_collection<T> make_collection(Extent extent,
                                                   const site& where = site::current()) {
  return detail::build_collection<T, 1>(
      detail::plan_collection<T, 1>({static_cast<std::size_t>(extent)}), detail::default_maker<T>(),
      where);
}

/// The same in several dimensions, in boxes.
template <class T, std::size_t N>
  requires(N > 1)
[[nodiscard]] object_collection<T, N> make_collection(const std::size_t (&extents)[N],
                                                      const site& where = site::current()) {
  return detail::build_collection<T, N>(detail::plan_collection<T, N>(std::to_array(extents)),
                                        detail::default_maker<T>(), where);
}

/// make(index) for each: a T, what one is constructed from, or a std::tuple of arguments of a
/// constructor, in which case T need not be moved. It runs on the rank where the object will be.
template <class T, std::integral Extent, std::invocable<std::size_t> Make>
[[nodiscard]] object_collection<T> make_collection(Extent extent, const Make& make,
                                                   const site& where = site::current()) {
  return detail::build_collection<T, 1>(
      detail::plan_collection<T, 1>({static_cast<std::size_t>(extent)}), make, where);
}
template <class T, std::size_t N, std::invocable<const layout::coordinates<N>&> Make>
  requires(N > 1)
[[nodiscard]] object_collection<T, N> make_collection(const std::size_t (&extents)[N],
                                                      const Make& make,
                                                      const site& where = site::current()) {
  const auto all = std::to_array(extents);
  return detail::build_collection<T, N>(detail::plan_collection<T, N>(all), make, where);
}

/// @param how  where each will be: dist::cyclic and its like, in one dimension; any pattern of
///             these extents over the ranks of the job, as make_distribution() makes them; or a
///             function of the index that names a rank. By a pattern members are made at home. By
///             a function their homes are boxes, which are told where they are: an alltoallv more.
template <class T, std::integral Extent, detail::placement<1> How, std::invocable<std::size_t> Make>
[[nodiscard]] object_collection<T> make_collection(Extent extent, const How& how, const Make& make,
                                                   const site& where = site::current()) {
  return detail::build_collection<T, 1>(
      detail::plan_collection<T, 1>({static_cast<std::size_t>(extent)}, how), make, where);
}
template <class T, std::size_t N, detail::placement<N> How,
          std::invocable<const layout::coordinates<N>&> Make>
  requires(N > 1)
[[nodiscard]] object_collection<T, N> make_collection(const std::size_t (&extents)[N],
                                                      const How& how, const Make& make,
                                                      const site& where = site::current()) {
  const auto all = std::to_array(extents);
  return detail::build_collection<T, N>(detail::plan_collection<T, N>(all, how), make, where);
}

/// An argument that is neither a function of the index nor an owner is an error that says so.
template <class T, std::integral Extent, class Make>
  requires(!detail::member_maker<Make, 1> && !detail::is_site<Make>)
object_collection<T> make_collection(Extent, const Make&, const site& = site::current()) {
  return detail::refuse_makers<T, 1, Make>();
}
template <class T, std::size_t N, class Make>
  requires(N > 1 && !detail::member_maker<Make, N> && !detail::is_site<Make>)
object_collection<T, N> make_collection(const std::size_t (&)[N], const Make&,
                                        const site& = site::current()) {
  return detail::refuse_makers<T, N, Make>();
}
template <class T, std::integral Extent, class How, class Make>
  requires(!(detail::placement<How, 1> && detail::member_maker<Make, 1>) && !detail::is_site<Make>)
object_collection<T> make_collection(Extent, const How&, const Make&,
                                     const site& = site::current()) {
  return detail::refuse_makers<T, 1, How, Make>();
}
template <class T, std::size_t N, class How, class Make>
  requires(N > 1 && !(detail::placement<How, N> && detail::member_maker<Make, N>) &&
           !detail::is_site<Make>)
object_collection<T, N> make_collection(const std::size_t (&)[N], const How&, const Make&,
                                        const site& = site::current()) {
  return detail::refuse_makers<T, N, How, Make>();
}

namespace detail {
/// Takes what is no number of members: compilers show the line of a deleted constructor.
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
}  // namespace detail
template <class T>
object_collection<T> make_collection(detail::a_number_of_members, const site& = site::current());
void make_collection(detail::the_class_of_the_members);

// --- calls of all --------------------------------------------------------------------------

namespace detail {

/// Calls those that are believed to be here; the future has all results.
template <class T, class F, class... Arguments>
[[nodiscard]] auto invoke_each(std::span<const gid> names, const F& function,
                               const Arguments&... arguments) {
  std::vector<decltype(invoke(object_id<T>(), function, arguments...))> coming;
  coming.reserve(names.size());
  for (const gid& each : names) {
    coming.push_back(invoke(trusted_id<T>(each), function, arguments...));
  }
  return when_all(std::move(coming));
}

/// The same of members elsewhere, in one message to their owner and one back. One that has left
/// meanwhile is called nevertheless, from there.
template <class T, class F, class... Arguments>
[[nodiscard]] auto invoke_each_at(rank_t owner, const std::vector<gid>& names, const F& function,
                                  const Arguments&... arguments) {
  return rpc(
      owner,
      [](const std::vector<gid>& here, const F& called, const owned_t<Arguments>&... each) {
        return invoke_each<T>(std::span(here), called, each...);
      },
      names, function, arguments...);
}

/// Calls all members of this home, grouped by where they are: take(names, future of all results)
/// for each group.
template <class T, class Take, class F, class... Arguments>
void invoke_homed(const collection_state& all, Take&& take, const F& f,
                  const Arguments&... arguments) {
  const travelling_t<F> function(f);
  for (const auto& [owner, names] : all.members_by_owner()) {
    if (owner == rank()) {
      take(names, invoke_each<T>(std::span(names), function, arguments...));
    } else {
      take(names, invoke_each_at<T>(owner, names, function, arguments...));
    }
  }
}

/// The part of a call of all members that must be equal on all ranks.
template <class F, class... Arguments>
[[nodiscard]] common_call call_of_all(const char* name, const collection_state& all, const F& f,
                                      const Arguments&... arguments) {
  call_digest given;
  (given.add(arguments), ...);
  return common_call(name, site())
      .with_identity("the collection", all.identity())
      .with_identity("the function", call_digest().add_function(travelling_t<F>(f)).number())
      .with_identity("the arguments", given.number());
}

/// A rank's part of a call of all by one: its own home's members, and its half of the other ranks,
/// which are `ranks` from here on, and round again.
template <class T, std::size_t N, class F, class... Arguments>
void spread_call(rank_t ranks, const collection_id<T, N>& all, const F& function,
                 const Arguments&... arguments) {
  while (ranks > 1) {
    const rank_t half = ranks / 2;
    const rank_t there = (rank() + ranks - half) % size();
    rpc_ff(
        there,
        [](rank_t part, const collection_id<T, N>& of, const F& called,
           const owned_t<Arguments>&... each) { spread_call(part, of, called, each...); },
        half, all, function, arguments...);
    ranks -= half;
  }
  for (const auto& [owner, names] : collection_access::state(all).members_by_owner()) {
    const auto call_each = [](const std::vector<gid>& here, const F& called, const auto&... each) {
      for (const gid& name : here) invoke_ff(trusted_id<T>(name), called, each...);
    };
    if (owner == rank()) {
      call_each(names, function, arguments...);
    } else {
      rpc_ff(
          owner,
          [](const std::vector<gid>& here, const F& called, const owned_t<Arguments>&... each) {
            for (const gid& name : here) invoke_ff(trusted_id<T>(name), called, each...);
          },
          names, function, arguments...);
    }
  }
}

/// The number of coordinates along a Z-order curve: their bits in turn (Morton, 1966).
template <std::size_t N>
[[nodiscard]] constexpr std::uint64_t place_on_curve(const member_index<N>& index) noexcept {
  if constexpr (N == 1) {
    return index;
  } else {
    std::uint64_t place = 0;
    for (std::size_t bit = 64 / N; bit-- > 0;) {
      for (const std::size_t each : index) place = place << 1 | (each >> bit & 1);
    }
    return place;
  }
}

}  // namespace detail

/// Calls f(member, arguments...) of each member once, wherever they go meanwhile, and returns when
/// all have run. Collective: all ranks give the same function and arguments, and each sees to the
/// members whose home it is. Cost: 1 allreduce; a call for each member, here where it is at home;
/// 2 M for each rank that has members of this home.
/// @throws what one of the calls threw, on the rank that is its home; an error on the others. An
///         error on all ranks when they have named other collections, functions or arguments: then
///         each has called its members as it said. (Lambdas are not compared.)
template <class T, std::size_t N, class F = detail::overload_to_be_chosen_by_static_cast,
          class... Arguments>
void invoke_all(const object_collection<T, N>& members, F&& f, const Arguments&... arguments) {
  using function = detail::travelling_t<std::decay_t<F>>;
  constexpr auto flaw = detail::find_flaw_of_answered_invoke<function, T, Arguments...>();
  if constexpr (detail::is_overloaded<F>) {
    return;  // the compiler has said so
  } else if constexpr (flaw != detail::rpc_flaw::none) {
    detail::explain_call<flaw, detail::on_object<function, T>, Arguments...>();
  } else {
    const detail::collection_state& all = detail::collection_access::state(members);
    const auto call = detail::call_of_all("invoke_all", all, std::decay_t<F>(f), arguments...);
    detail::succeed_together(world(), call, [&] {
      std::vector<future<void>> running;
      detail::invoke_homed<T>(
          all,
          [&](const std::vector<gid>&, auto coming) {
            running.push_back(std::move(coming).then(
                [](decltype(coming) done) { static_cast<void>(done.get()); }));
          },
          std::decay_t<F>(f), arguments...);
      when_all(std::move(running)).get();
    });
  }
}

/// The same by one rank, which does not wait: drain() does. The others hear of it in a tree.
/// Failures come up where they happen, as of invoke_ff(). Cost: at most log2 P M from each rank,
/// and those of invoke_all().
template <class T, std::size_t N, class F = detail::overload_to_be_chosen_by_static_cast,
          class... Arguments>
void invoke_all_ff(const collection_id<T, N>& members, F&& f, const Arguments&... arguments) {
  using function = detail::travelling_t<std::decay_t<F>>;
  constexpr auto flaw = detail::find_invoke_flaw<function, T, Arguments...>();
  if constexpr (detail::is_overloaded<F>) {
    return;  // the compiler has said so
  } else if constexpr (flaw != detail::rpc_flaw::none) {
    detail::explain_call<flaw, detail::on_object<function, T>, Arguments...>();
  } else {
    detail::spread_call(size(), members, function(f), arguments...);
  }
}
template <class T, std::size_t N, class F = detail::overload_to_be_chosen_by_static_cast,
          class... Arguments>
void invoke_all_ff(const object_collection<T, N>& members, F&& f, const Arguments&... arguments) {
  invoke_all_ff(members.id(), std::forward<F>(f), arguments...);
}

namespace detail {

template <class Result, class T, std::size_t N, class Operation, class F, class... Arguments>
[[nodiscard]] Result reduce_members(const object_collection<T, N>& members, Operation operation,
                                    const F& f, const Arguments&... arguments) {
  std::pair<bool, Result> mine{};
  const collection_state& state = collection_access::state(members);
  const auto call = call_of_all("invoke_reduce", state, f, arguments...)
                        .with_identity("the operation", number_of_operation(typeid(Operation)))
                        .with_type("results of", typeid(Result));
  succeed_together(world(), call, [&] {
    std::vector<std::pair<std::uint32_t, Result>> results;
    std::vector<future<void>> running;
    invoke_homed<T>(
        state,
        [&](const std::vector<gid>& names, auto coming) {
          running.push_back(std::move(coming).then([&results, names](decltype(coming) done) {
            const auto values = done.get();
            for (std::size_t i = 0; i < names.size(); ++i) {
              results.emplace_back(names[i].slot(), values[i]);
            }
          }));
        },
        f, arguments...);
    when_all(std::move(running)).get();
    std::ranges::sort(results, {}, [](const auto& each) { return each.first; });
    for (const auto& [slot, value] : results) {
      mine = {true, mine.first ? operation(mine.second, value) : value};
    }
  });
  const auto combine = [&](const auto& a, const auto& b) {
    if (!a.first || !b.first) return a.first ? a : b;
    return std::pair<bool, Result>(true, operation(a.second, b.second));
  };
  return world().allreduce(mine, combine).second;
}

}  // namespace detail

/// Calls f(member, arguments...) of each member once, as invoke_all(), and combines the results, on
/// all ranks: those of each home in the order of its indices, then those of ranks. So the result
/// has the same bits wherever members are, on the same number of ranks.
/// Without members the result is result(), as that of reduce_on_all() without elements.
/// @throws as invoke_all()
template <class T, std::size_t N, class Operation,
          class F = detail::overload_to_be_chosen_by_static_cast, class... Arguments>
[[nodiscard]] auto invoke_reduce(const object_collection<T, N>& members, Operation operation, F&& f,
                                 const Arguments&... arguments) {
  using function = detail::travelling_t<std::decay_t<F>>;
  constexpr auto flaw = detail::find_flaw_of_answered_invoke<function, T, Arguments...>();
  if constexpr (detail::is_overloaded<F>) {
    return detail::fits_everything();
  } else if constexpr (flaw != detail::rpc_flaw::none) {
    detail::explain_call<flaw, detail::on_object<function, T>, Arguments...>();
    return detail::fits_everything();
  } else {
    using result = typename detail::invoked<function, T, Arguments...>::brought;
    constexpr bool is_void = std::is_void_v<result>;
    static_assert(!is_void,
                  "this function returns nothing to combine: call it by invoke_all(), or return "
                  "a value");
    if constexpr (is_void) {
      return detail::fits_everything();
    } else if constexpr (!combinable<result>) {
      static_assert(is_void,
                    "what this function returns has no fixed size, so allreduce() cannot combine "
                    "it: return numbers, or a trivially copyable struct");
      return detail::fits_everything();
    } else if constexpr (!operation_on<Operation, result>) {
      static_assert(is_void,
                    "this operation cannot combine two of the results: it takes two of them and "
                    "returns a third, as acre::op::sum does");
      return detail::fits_everything();
    } else {
      return detail::reduce_members<result>(members, operation, std::decay_t<F>(f), arguments...);
    }
  }
}

/// invoke() is for one member.
template <class T, std::size_t N>
struct detail::call_by<object_collection<T, N>> {
  using object_type = T;

  template <class... Call>
  static future<fits_everything> answered(const Call&...) {
    static_assert(N == 0, "call one member, invoke(c[i], f, ...), or all, invoke_all(c, f, ...)");
    return {};
  }
  template <class... Call>
  static void forgotten(const Call&...) {
    static_assert(N == 0,
                  "call one member, invoke_ff(c[i], f, ...), or all, invoke_all_ff(c, f, ...)");
  }
};

/// Migrates members as the balancer says, as balance() of objects.
/// @param load  of a member, in any unit: std::invoke(load, member), as by a load_meter of its own;
///              where it throws, on any rank, nothing moves
/// Their places are their numbers; in several dimensions those along a Z-order curve.
template <class T, std::size_t N, balancer How, std::invocable<T&> Load>
balance_report balance(const object_collection<T, N>& members, const How& how, Load&& load) {
  std::vector<object_load<T>> mine;
  const auto call =
      detail::common_call("balance", site())
          .with_identity("the collection", detail::collection_access::state(members).identity())
          .with_identity("the balancer", detail::number_of_operation(typeid(How)));
  detail::succeed_together(world(), call, [&] {
    for (const local_member<T, N>& each : members.local_members()) {
      const pinned<T> object(each.object);
      if (!object) continue;  // leaves, and is balanced next time
      mine.push_back({each.object, static_cast<double>(std::invoke(load, *object)),
                      detail::place_on_curve<N>(each.index)});
    }
  });
  return balance(mine, how);
}

}  // namespace acre
