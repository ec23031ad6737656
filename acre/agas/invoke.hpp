// SPDX-License-Identifier: BSD-3-Clause
// Calls of objects by their names, wherever they are.
//
//     std::size_t n = acre::invoke(node, &tree_node::size).get();
//     acre::invoke_ff(node, &tree_node::add, 7);
//     auto top = acre::invoke(node, [](tree_node& n, int least) { return n.top(least); }, 3);
//
// A call goes to where its object is, runs there in progress() or a wait, and its result comes
// back. None is lost or run twice while objects move. The calls of one rank to one object begin in
// the order of issue. One runs at a time on an object, until its function has returned, or the
// future that it returned is ready; others wait. Functions that `T::acre_concurrent`, a std::tuple
// of pointers to members, names may run at the same time as others.
//
// A call that a function of the object waits for, directly or through other objects, does not wait
// behind a move, an end or other calls that wait for that function. Where it cannot run beside that
// function itself, neither could ever end: the future of the call then has an error that names the
// object and what runs on it (detail/object_watch.hpp says what is found).
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

/// A function, with the object before what it is called with.
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

/// Whether a call's function has returned, or its future is ready: the second of both ends it.
struct two_ends {
  std::atomic<bool> is_second{false};
  running_call call;
};

/// Goes with what hangs on the future of a call.
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

/// The function that a parcel names.
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

/// Something, for a call that will not compile.
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

/// invoke(), whose future promise.operator()<Brought>(issue) makes.
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

/// invoke_ff(), of a name that may carry credit: name_of_call() is called when all else is well.
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

/// How the functions of an object are called of which this is the name or a reference.
/// Specializations have its object_type, answered(object, f, arguments...) and forgotten(…).
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

/// Calls f(object, arguments...) where the object is; the future has its result or its failure.
/// Arguments and results travel as those of rpc(). Cost: M and its answer, by a right hint or to
/// the object's home; M more, and a hint that comes back, for each place from which it was passed
/// on.
/// @param object  an object_id, or an object_ref: then it lives at least until the answer has come
/// @param f  a pointer to a member function or member, a function, or a lambda as rpc() takes it
template <agas::names_object Name, class F = global::overload_to_be_chosen_by_static_cast,
          class... Arguments>
[[nodiscard]] auto invoke(const Name& object, F&& f, const Arguments&... arguments) {
  using T = typename agas::call_by<Name>::object_type;
  using function = agas::travelling_t<std::decay_t<F>>;
  constexpr auto flaw = agas::find_flaw_of_answered_invoke<function, T, Arguments...>();
  if constexpr (flaw != global::rpc_flaw::none) {
    // The compiler has already reported an overloaded function.
    if constexpr (!global::is_overloaded<F>)
      global::explain_call<flaw, function, T, Arguments...>();
    return agas::invoke_future_t<function, T, Arguments...>();
  } else {
    return agas::call_by<Name>::answered(object, f, arguments...);
  }
}

/// The same, and forgets about it: drain() and the end of the job wait until it has run. An
/// exception of f comes up in the rank where it ran, and so does the error that there is no such
/// object, at its home. Cost: M.
/// @param object  as of invoke(); an object_ref's lives at least until the call has run
template <agas::names_object Name, class F = global::overload_to_be_chosen_by_static_cast,
          class... Arguments>
void invoke_ff(const Name& object, F&& f, const Arguments&... arguments) {
  using T = typename agas::call_by<Name>::object_type;
  using function = agas::travelling_t<std::decay_t<F>>;
  constexpr auto flaw = agas::find_invoke_flaw<function, T, Arguments...>();
  if constexpr (global::is_overloaded<F>) {
    return;  // the compiler has already reported it
  } else if constexpr (flaw != global::rpc_flaw::none) {
    global::explain_call<flaw, function, T, Arguments...>();
  } else {
    agas::call_by<Name>::forgotten(object, f, arguments...);
  }
}

}  // namespace acre
