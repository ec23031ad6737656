// SPDX-License-Identifier: BSD-3-Clause
// Calls of objects by name, wherever they are.
//
//     std::size_t n = acre::invoke(node, &tree_node::size).get();
//     acre::invoke_ff(node, &tree_node::add, 7);
//
// A call runs on the object's rank, in progress() or a wait. Moves neither lose nor double calls.
// One rank's calls to one object start in issue order. A call is exclusive until its function has
// returned and the returned future is ready; functions in `T::acre_concurrent`, a std::tuple of
// member pointers, may overlap others.
//
// An awaited call from within the object's running function, direct or indirect, passes moves, ends
// and calls that wait for that function. If it must wait for the function itself, its
// future fails (detail/object_watch.hpp).
#pragma once

#include <acre/agas/detail/delivery.hpp>
#include <acre/agas/detail/member_call.hpp>
#include <acre/agas/detail/sending.hpp>
#include <acre/agas/object_id.hpp>
#include <acre/global/rpc/rpc.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace acre {
namespace agas {

template <class F, class T>
struct on_object {
  template <class... Arguments>
    requires std::invocable<F&, T&, Arguments...>
  std::invoke_result_t<F&, T&, Arguments...> operator()(Arguments&&...) const;
};

template <class F, class T, class... Arguments>
consteval global::rpc_flaw find_invoke_flaw() {
  if constexpr (global::std_function_like<F>) {
    return global::rpc_flaw::is_std_function;
  } else if constexpr (!global::travelling_function<F>) {
    return global::rpc_flaw::captures_what_cannot_travel;
  } else if constexpr (global::captures_address<F>()) {
    return global::rpc_flaw::captures_an_address;
  } else if constexpr (!(serializable<Arguments> && ...)) {
    return global::find_type_flaw<typename global::first_not_sendable<Arguments...>::type>();
  } else if constexpr (!std::invocable<F&, T&, received_t<Arguments>...> &&
                       !std::invocable<F&, T&, global::owned_t<Arguments>...>) {
    return global::find_call_flaw<on_object<F, T>, Arguments...>();
  } else {
    return global::rpc_flaw::none;
  }
}

template <class F, class T, class... Arguments>
struct invoked {
  using arriving = global::arriving_for<on_object<F, T>, Arguments...>;
  using result = typename global::call_with<on_object<F, T>, arriving>::result;
  using brought = global::brought_t<result>;
};

/// A call that returns a future ends once the function has returned and the future is ready.
struct two_ends {
  std::atomic<bool> is_second{false};
  running_call call;
};

class lasting_end {
 public:
  lasting_end(const gid& name, std::shared_ptr<two_ends> ends)
      : name_(name), ends_(std::move(ends)) {}
  lasting_end(const lasting_end&) = delete;
  lasting_end& operator=(const lasting_end&) = delete;
  ~lasting_end() {
    if (ends_->is_second.exchange(true)) end_call(name_, ends_->call);
  }

 private:
  gid name_;
  std::shared_ptr<two_ends> ends_;
};

template <class T, class F, class Arriving>
struct object_function;
template <class T, class F, class... Received>
struct object_function<T, F, global::arriving<Received...>> {
  using result = std::invoke_result_t<F&, T&, Received...>;

  static bool invoke(hosted_object* object, reader& arguments, const parcel_header& parcel) {
    if (object == nullptr) {
      static_cast<void>(global::read_roomy_function<F>(arguments));
      static_cast<void>(global::read_arguments<Received...>(arguments));
      return true;
    }
    T& value = value_of<T>(*object);
    const global::rpc_return_address caller = caller_of(parcel);
    if constexpr (global::is_future<std::remove_cvref_t<result>>) {
      const auto ends = std::make_shared<two_ends>();
      auto end = std::make_shared<lasting_end>(parcel.target, ends);
      const global::future_state_base* ends_by = nullptr;
      const auto read = [&](reader& from) {
        return global::read_each<T&, Received...>(from, [&]<class Each>(reader& here) -> Each {
          if constexpr (std::is_reference_v<Each>) {
            return value;
          } else {
            return here.read<Each>();
          }
        });
      };
      global::reply_later(caller, [&](auto take) {
        ends_by = global::future_access::state_of(global::call_lasting<F>(
            arguments, read, [end = std::move(end), take](auto& done) { take(done); }));
      });
      if (ends->is_second.load()) return true;
      let_go_on(*object, ends->call, ends_by);
      if (!ends->is_second.exchange(true)) return false;
      take_back(*object, ends->call);
      return true;
    } else {
      const auto call = [&]() -> decltype(auto) {
        global::roomy<F> function = global::read_roomy_function<F>(arguments);
        auto values = global::read_arguments<Received...>(arguments);
        return global::call_with_read(
            [&](Received&&... each) -> decltype(auto) {
              return std::invoke(*function, value, std::move(each)...);
            },
            values);
      };
      if (caller.is_awaited()) {
        global::reply_with(caller, call);
      } else {
        static_cast<void>(call());
      }
      return true;
    }
  }
};

template <class T, class F, class... Arguments>
void issue_call(const gid& name, std::uint64_t promise, global::rpc_finisher finisher,
                const F& function, const Arguments&... arguments) {
  using arriving = typename invoked<F, T, Arguments...>::arriving;
  const parcel_header header{
      .target = name,
      .invoker = token_of<&object_function<T, F, arriving>::invoke>(),
      .answer = global::lend_answer(promise, finisher),
      .kind = is_concurrent<T>(function) ? parcel_kind::concurrent_call : parcel_kind::call};
  if constexpr (global::stateless<F>) {
    send_parcel_of(header, arguments...);
  } else {
    send_parcel_of(header, function, arguments...);
  }
}

/// Future of an ill-formed call.
template <global::rpc_flaw Flaw, class F, class T, class... Arguments>
struct invoke_future {
  using type = future<global::fits_everything>;
};
template <class F, class T, class... Arguments>
struct invoke_future<global::rpc_flaw::none, F, T, Arguments...> {
  using type =
      future<typename global::rpc_value<typename invoked<F, T, Arguments...>::brought>::type>;
};

template <class F, class T, class... Arguments>
consteval global::rpc_flaw find_flaw_of_answered_invoke() {
  constexpr global::rpc_flaw of_call = find_invoke_flaw<F, T, Arguments...>();
  if constexpr (of_call != global::rpc_flaw::none) {
    return of_call;
  } else {
    return global::find_result_flaw<typename invoked<F, T, Arguments...>::brought>();
  }
}
template <class F, class T, class... Arguments>
using invoke_future_t = typename invoke_future<find_flaw_of_answered_invoke<F, T, Arguments...>(),
                                               F, T, Arguments...>::type;

template <class T, class Promise, class F, class... Arguments>
[[nodiscard]] auto invoke_answered(const gid& name, const Promise& promise, F&& f,
                                   const Arguments&... arguments) {
  using function = travelling_t<std::decay_t<F>>;
  using brought = typename invoked<function, T, Arguments...>::brought;
  return invoke_future_t<function, T, Arguments...>(
      promise.template operator()<brought>([&](std::uint64_t word, global::rpc_finisher finisher) {
        issue_call<T>(name, word, finisher, function(f), arguments...);
      }));
}

/// `name_of_call()` may return a name with credit.
template <class T, class NameOfCall, class F, class... Arguments>
void invoke_forgotten(NameOfCall&& name_of_call, F&& f, const Arguments&... arguments) {
  using function = travelling_t<std::decay_t<F>>;
  const gid name = name_of_call();
  try {
    issue_call<T>(name, 0, nullptr, function(f), arguments...);
  } catch (...) {
    return_credit(name);
    throw;
  }
}

/// Specialised for each kind of name. Members: object_type, answered(object, f, arguments...) and
/// forgotten(…).
template <class Name>
struct call_by;
template <class Name>
concept names_object = requires { typename call_by<Name>::object_type; };

template <class T>
struct call_by<object_id<T>> {
  using object_type = T;

  template <class F, class... Arguments>
  static auto answered(const object_id<T>& object, F&& f, const Arguments&... arguments) {
    const auto promise = [&]<class Brought>(auto&& issue) {
      return promise_own_call<Brought>(object.name(), parcel_kind::call, {}, issue);
    };
    return invoke_answered<T>(object.name(), promise, f, arguments...);
  }
  template <class F, class... Arguments>
  static void forgotten(const object_id<T>& object, F&& f, const Arguments&... arguments) {
    invoke_forgotten<T>([&] { return object.name(); }, f, arguments...);
  }
};

}  // namespace agas

/// Calls f(object, arguments...) on the object's rank; returns a future of the result or exception.
/// Serializes as rpc(). Cost: 2 M at home or with a correct hint; M for each forwarding and for its
/// hint.
/// @param object  an object_id, or an object_ref (keeps the object alive until the answer)
/// @param f  a member pointer, function, or lambda as for rpc()
template <agas::names_object Name, class F = global::overload_to_be_chosen_by_static_cast,
          class... Arguments>
[[nodiscard]] auto invoke(const Name& object, F&& f, const Arguments&... arguments) {
  using T = typename agas::call_by<Name>::object_type;
  using function = agas::travelling_t<std::decay_t<F>>;
  constexpr auto flaw = agas::find_flaw_of_answered_invoke<function, T, Arguments...>();
  if constexpr (flaw != global::rpc_flaw::none) {
    // The compiler reports overloaded functions itself.
    if constexpr (!global::is_overloaded<F>)
      global::explain_call<flaw, function, T, Arguments...>();
    return agas::invoke_future_t<function, T, Arguments...>();
  } else {
    return agas::call_by<Name>::answered(object, f, arguments...);
  }
}

/// As invoke(), without result; drain() and job end wait for it. Exceptions are reported on the
/// rank where f ran, a missing object at its home or last rank. Cost: M.
/// @param object  an object_ref keeps it alive until the call has run
template <agas::names_object Name, class F = global::overload_to_be_chosen_by_static_cast,
          class... Arguments>
void invoke_ff(const Name& object, F&& f, const Arguments&... arguments) {
  using T = typename agas::call_by<Name>::object_type;
  using function = agas::travelling_t<std::decay_t<F>>;
  constexpr auto flaw = agas::find_invoke_flaw<function, T, Arguments...>();
  if constexpr (global::is_overloaded<F>) {
    return;
  } else if constexpr (flaw != global::rpc_flaw::none) {
    global::explain_call<flaw, function, T, Arguments...>();
  } else {
    agas::call_by<Name>::forgotten(object, f, arguments...);
  }
}

}  // namespace acre
