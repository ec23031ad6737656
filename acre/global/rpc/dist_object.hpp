// SPDX-License-Identifier: BSD-3-Clause
// Distributed objects: one object per team member, under one name.
//
//     using part = std::unordered_map<std::string, std::string>;
//     acre::dist_object<part> parts(acre::world());          // on all members
//
//     acre::rpc(home_of(key), [](acre::dist_object<part>& mine, std::string key, std::string value)
//     {
//       mine->emplace(std::move(key), std::move(value));     // the target's own part
//     }, parts, key, value).get();
//
//     const part copy = parts.fetch(2).get();                // member 2's
//
// Members create their distributed objects in the same order. An early call waits at the target;
// other calls proceed. Calls of one rank to one object run in order of issue.
//
// Destruction is local. Running calls, and those with pending futures, keep the value; later calls
// fail. So call drain() before, or wait for your calls and then call barrier().
#pragma once

#include <acre/global/rpc/detail/named_objects.hpp>
#include <acre/global/rpc/rpc.hpp>
#include <acre/global/team/collective_end.hpp>
#include <acre/global/team/member.hpp>
#include <acre/global/team/team.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace acre {

template <class T>
class dist_object;

namespace global {

template <class T>
inline constexpr bool is_dist_object = false;
template <class T>
inline constexpr bool is_dist_object<dist_object<T>> = true;
template <class T>
inline constexpr bool has_one_at_target<dist_object<T>> = true;

struct dist_object_access;

template <class T>
struct arguments_of_a_constructor {
  template <class X>
    requires(!std::same_as<std::remove_cvref_t<X>, dist_object<T>> &&
             !std::same_as<std::remove_cvref_t<X>, team> && !std::constructible_from<T, X>)
  arguments_of_a_constructor(X&&) = delete;  // dist_object<T>(team, arguments of a T)
};

}  // namespace global

/// rpc(), rpc_ff() and then_at_target() pass the target's own object, as (const) dist_object<T>&; a
/// call waits until all its objects exist. A returned future keeps them alive. The target must be
/// in their teams. Extra cost: l for teams other than the world.
///
/// Moving is local and does not affect calls. One thread at a time uses a handle.
/// @tparam T  copied or moved only by fetch()
template <class T>
class dist_object {
  static_assert(std::is_object_v<T> && !std::is_const_v<T> && !std::is_array_v<T>,
                "a distributed object holds a value on each member: dist_object<T>");

 public:
  using value_type = T;

  /// Constructs this rank's object, without waiting, in the same order on all members. Cost: l.
  /// @throws exceptions of T; calls to this rank fail then
  template <class... Arguments>
    requires std::constructible_from<T, Arguments...>
  explicit dist_object(const team& members, Arguments&&... arguments)
      : state_(make(members, std::forward<Arguments>(arguments)...)) {}
  /// As above, for the team of all ranks.
  dist_object()
    requires std::default_initializable<T>
      : dist_object(world()) {}
  template <class First, class... Rest>
    requires(!std::same_as<std::remove_cvref_t<First>, team> &&
             !std::same_as<std::remove_cvref_t<First>, dist_object> &&
             std::constructible_from<T, First, Rest...>)
  explicit dist_object(First&& first, Rest&&... rest)
      : dist_object(world(), std::forward<First>(first), std::forward<Rest>(rest)...) {}

  explicit dist_object(global::arguments_of_a_constructor<T>);
  dist_object(const team&, global::arguments_of_a_constructor<T>);

  /// Leaves `other` empty.
  dist_object(dist_object&& other) noexcept = default;
  dist_object& operator=(dist_object&& other) noexcept {
    if (this != &other) {
      retire();
      state_ = std::move(other.state_);
    }
    return *this;
  }
  ~dist_object() { retire(); }

  [[nodiscard]] T& operator*() { return get("dist_object::operator*").value; }
  [[nodiscard]] const T& operator*() const { return get("dist_object::operator*").value; }
  [[nodiscard]] T* operator->() { return &get("dist_object::operator->").value; }
  [[nodiscard]] const T* operator->() const { return &get("dist_object::operator->").value; }

  /// Copies the value of member `number` of the team, once created. Cost: 2 M and the member's
  /// attention.
  /// @throws acre::error if the member does not exist; in the future, if the object was destroyed
  [[nodiscard]] future<T> fetch(rank_t number) const
    requires collectable<T>
  {
    return fetch(members()[number]);
  }
  [[nodiscard]] future<T> fetch(member who) const
    requires collectable<T>
  {
    return rpc(
        who.world_rank(), [](const dist_object& there) -> const T& { return *there; }, *this);
  }

  [[nodiscard]] const team& members() const { return get("dist_object::members").members(); }
  [[nodiscard]] const object_name& name() const { return get("dist_object::name").name(); }
  /// True unless moved from.
  [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }

 private:
  friend struct global::dist_object_access;

  struct state final : global::named_object {
    template <class... Arguments>
    state(const object_name& name, const team& members, Arguments&&... arguments)
        : global::named_object(name, members),
          value(std::forward<Arguments>(arguments)...),
          seen_by_calls(lent, *this) {}

    T value;
    dist_object seen_by_calls;
  };

  enum lending { lent };
  dist_object(lending, state& from) noexcept : state_(std::shared_ptr<void>(), &from) {}
  [[nodiscard]] bool is_owner() const noexcept { return state_.use_count() != 0; }

  template <class... Arguments>
  static std::shared_ptr<state> make(const team& members, Arguments&&... arguments) {
    global::next_object_name next(members, typeid(T));
    auto made =
        std::make_shared<state>(next.name(), members, std::forward<Arguments>(arguments)...);
    next.publish(made);
    return made;
  }

  void retire() noexcept {
    if (is_owner()) global::retire_object(*state_);
  }

  [[nodiscard]] state& get(const char* call) const {
    return global::require_object(state_.get(), call, "object", "dist_object<T>{team, arguments…}");
  }

  std::shared_ptr<state> state_;
};

template <class T>
struct received<dist_object<T>> {
  using type = dist_object<T>&;
};

namespace global {

struct dist_object_access {
  template <class T>
  static const named_object& named(const dist_object<T>& object) {
    return object.get("rpc");
  }
  template <class T>
  static dist_object<T>& seen_by_calls(named_object& object) noexcept {
    return static_cast<typename dist_object<T>::state&>(object).seen_by_calls;
  }
};

// Payload: object names, function unless stateless, arguments; one byte per argument that is an
// object.

struct stands_for_object {};

template <class T>
decltype(auto) as_carried(const T& argument) noexcept {
  if constexpr (is_dist_object<T>) {
    return stands_for_object{};
  } else {
    return (argument);
  }
}

template <class... Arguments>
inline constexpr std::size_t objects_among = (std::size_t{is_dist_object<Arguments>} + ... + 0);

template <class... Arguments>
auto types_of_objects() {
  std::array<const std::type_info*, objects_among<Arguments...>> types{};
  auto next = types.begin();
  const auto add = [&]<class T>(std::type_identity<T>) {
    if constexpr (is_dist_object<T>) *next++ = &typeid(typename T::value_type);
  };
  (add(std::type_identity<Arguments>{}), ...);
  return types;
}

template <class... Arguments>
auto names_of_objects(rank_t target, const Arguments&... arguments) {
  std::array<object_name, objects_among<Arguments...>> names;
  auto next = names.begin();
  const auto add = [&]<class T>(const T& argument) {
    if constexpr (is_dist_object<T>) {
      const named_object& object = dist_object_access::named(argument);
      require_object_at(target, object);
      *next++ = object.name();
    }
  };
  (add(arguments), ...);
  return names;
}

template <class Received>
Received take_argument(reader& from, const named_object_ref*& objects) {
  if constexpr (is_dist_object<std::remove_cvref_t<Received>>) {
    static_cast<void>(from.read<stands_for_object>());
    using value = typename std::remove_cvref_t<Received>::value_type;
    return dist_object_access::seen_by_calls<value>(**objects++);
  } else {
    return from.read<Received>();
  }
}

template <class... Received>
std::tuple<roomy<Received>...> read_arguments_for(reader& from, const named_object_ref* objects) {
  return read_each<Received...>(
      from, [&]<class Each>(reader& here) -> Each { return take_argument<Each>(here, objects); });
}

template <class F, class... Received>
decltype(auto) call_on_objects(reader& arguments, const named_object_ref* objects) {
  roomy<F> function = read_roomy_function<F>(arguments);
  auto values = read_arguments_for<Received...>(arguments, objects);
  return call_with_read(*function, values);
}

template <class F, class Arriving, class... Arguments>
struct object_call;
template <class F, class... Received, class... Arguments>
struct object_call<F, arriving<Received...>, Arguments...> {
  static void invoke(reader& arguments, const rpc_return_address& caller) {
    std::array<named_object_ref, objects_among<Arguments...>> objects;
    if (!find(arguments, caller, objects)) return;
    using result = decltype(call_on_objects<F, Received...>(arguments, objects.data()));
    if constexpr (is_future<std::remove_cvref_t<result>>) {
      const auto read = [&](reader& from) {
        return read_arguments_for<Received...>(from, objects.data());
      };
      reply_later(caller, [&](auto take) {
        call_lasting<F>(arguments, read, [kept = objects, take](auto& done) { take(done); });
      });
    } else if (!caller.is_awaited()) {
      static_cast<void>(call_on_objects<F, Received...>(arguments, objects.data()));
    } else {
      reply_with(caller, [&]() -> decltype(auto) {
        return call_on_objects<F, Received...>(arguments, objects.data());
      });
    }
  }

 private:
  static bool find(reader& arguments, const rpc_return_address& caller,
                   std::span<named_object_ref> objects) {
    reader all = arguments;
    const std::size_t bytes = all.remaining();
    const arrived_call call{
        .payload = {all.take(bytes), bytes}, .invoker = &invoke, .caller = caller};
    try {
      const auto names = arguments.read<std::array<object_name, objects_among<Arguments...>>>();
      return find_objects(names, types_of_objects<Arguments...>(), objects, call);
    } catch (...) {
      if (!caller.is_awaited()) throw;
      send_rpc_failure(caller, std::current_exception());
      return false;
    }
  }
};

template <class F, class... Arguments>
  requires(is_dist_object<Arguments> || ...)
struct request<F, Arguments...> {
  static callable_token invoker() {
    return token_of<&object_call<F, arriving_for<F, Arguments...>, Arguments...>::invoke>();
  }
  /// @throws acre::error if `target` is not in the team of an object
  template <class Write>
  static void pack(rank_t target, Write&& write, const F& function, const Arguments&... arguments) {
    const auto names = names_of_objects(target, arguments...);
    if constexpr (stateless<F>) {
      write(names, as_carried(arguments)...);
    } else {
      write(names, function, as_carried(arguments)...);
    }
  }
};

}  // namespace global
}  // namespace acre
