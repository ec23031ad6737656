// SPDX-License-Identifier: BSD-3-Clause
// Future: a value that is available later. Promise: its producer.
//
//     acre::future<int> answer = acre::rpc(1, compute, 6);
//     std::move(answer).then([](int x) { return x * 7; }).then(print);
//     int both = when_all(ask(1), ask(2)).then([](int a, int b) { return a + b; }).get();
//
// get, then, co_await and when_all move the result out. A failure destroyed unseen is thrown at the
// end of the rank's next progress(), wait for a future, or collective (runtime/lost_failure.hpp).
//
// Continuations run in the fulfilling call, on its thread; the runtime fulfils user-visible
// promises only in calls of their rank. Any thread may fulfil a promise; two threads must not use
// one object at once.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/future/detail/future_state.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre {

template <class T = void>
class future;
template <class T = void>
class promise;
template <class T = void>
class shared_future;

namespace global {

class future_access;

template <class T>
class task_promise;

template <class...>
inline constexpr bool never = false;

enum class call_form { none, value, elements, whole_future };

template <class F, class T>
consteval call_form find_call_form();

}  // namespace global

/// Functions that then() accepts: f(T), f() for void, f(elements...) for a tuple, or f(future<T>),
/// which also sees failures.
template <class F, class T>
concept continuation_of = global::find_call_form<std::decay_t<F>, T>() != global::call_form::none;

template <class T>
class future {
  static_assert(!std::is_reference_v<T> && std::same_as<T, std::remove_cv_t<T>>,
                "a future holds a value: future<T>, not future<T&> or future<const T>");

 public:
  using value_type = T;
  using promise_type = global::task_promise<T>;

  /// Creates a future without a result (is_valid() is false).
  future() noexcept {}

  future(future&& other) noexcept(std::is_nothrow_move_constructible_v<stored_value>) {
    take_from(other);
  }
  future& operator=(future&& other) noexcept(std::is_nothrow_move_constructible_v<stored_value>) {
    if (this != &other) {
      clear();
      take_from(other);
    }
    return *this;
  }
  ~future() { clear(); }

  /// True if this future has a result, pending or present.
  [[nodiscard]] bool is_valid() const noexcept { return home_ != home::nowhere; }

  /// True if result or failure is present. Makes no progress.
  [[nodiscard]] bool is_ready() const noexcept {
    return home_ == home::here || (home_ == home::shared && state_->is_ready());
  }

  /// True if ready and get() would throw. The failure stays unseen.
  [[nodiscard]] bool has_failed() const noexcept {
    return home_ == home::shared && state_->is_ready() && state_->has_failed();
  }

  /// Makes progress until ready.
  /// @throws the failure; acre::error if the result was taken
  void wait(site where = site::current()) { complete("future::wait", where); }

  /// Waits and moves the result out.
  /// @throws as wait()
  T get(site where = site::current()) {
    complete("future::get", where);
    return take_value();
  }

  /// Calls `function` with the result once ready (at once if it is). Returns a future of the
  /// function's result, or, if that is a future, of its result. Failures and exceptions pass to the
  /// returned future; after a failure, `function` is called only if it takes the future.
  template <class F>
  auto then(F&& function) &&;

  /// Compile error: then() would empty a named future.
  template <class F>
  void then(F&& /*function*/) & {
    static_assert(global::never<F>,
                  "then() moves the result out of this future: write std::move(f).then(...), or, "
                  "for several callbacks, auto s = f.share() and s.then(...) for each");
  }

  /// Moves the result into a copyable future (shared_future.hpp).
  [[nodiscard]] shared_future<T> share();

 private:
  using stored_value = global::stored<T>;
  using state = global::future_state<T>;
  enum class home : std::uint8_t { nowhere, here, shared };

  friend class global::future_access;

  explicit future(state* owned) noexcept : state_(owned), home_(home::shared) {}

  template <class... Arguments>
  explicit future(std::in_place_t, Arguments&&... arguments) {
    place(std::forward<Arguments>(arguments)...);
  }

  /// Large values are in the heap state, not in the future.
  static constexpr bool is_here_if_ready = !global::is_large<stored_value>;

  template <class... Arguments>
  void place(Arguments&&... arguments) {
    if constexpr (is_here_if_ready) {
      ::new (static_cast<void*>(&value_)) stored_value(std::forward<Arguments>(arguments)...);
      home_ = home::here;
    } else {
      state_ = global::make_ready_state<T>(std::forward<Arguments>(arguments)...);
      home_ = home::shared;
    }
  }

  void take_from(future& other) {
    if constexpr (is_here_if_ready) {
      if (other.home_ == home::here) {
        place(std::move(other.value_));
        return other.clear();
      }
    }
    state_ = other.state_;
    home_ = std::exchange(other.home_, home::nowhere);
  }

  void clear() noexcept {
    const home was = std::exchange(home_, home::nowhere);
    if constexpr (is_here_if_ready) {
      if (was == home::here) value_.~stored_value();
    }
    if (was == home::shared) state_->drop_owner();
  }

  void complete(const char* call, site where) {
    if (home_ == home::here) return;
    if (home_ == home::nowhere) global::throw_no_future(call);
    global::await_state(*state_, call, where);
    if (state_->has_failed()) std::rethrow_exception(state_->see_failure());
  }

  T take_value() {
    struct emptied_at_return {
      future& source;
      ~emptied_at_return() { source.clear(); }
    } const guard{*this};
    if constexpr (!std::is_void_v<T>) return std::move(value_in_place());
  }

  [[nodiscard]] stored_value& value_in_place() noexcept {
    if constexpr (is_here_if_ready) {
      if (home_ == home::here) return value_;
    }
    return state_->value();
  }

  union {
    state* state_ = nullptr;
  };
  union {
    std::conditional_t<is_here_if_ready, stored_value, global::unit> value_;
  };
  home home_ = home::nowhere;
};

/// Producer of a result. Destroyed without one, it fails the future ("broken promise").
template <class T>
class promise {
 public:
  promise() : state_(new global::future_state<T>(1)) {}

  promise(promise&& other) noexcept
      : state_(std::exchange(other.state_, nullptr)), stage_(other.stage_) {}
  promise& operator=(promise&& other) noexcept {
    if (this != &other) {
      abandon();
      state_ = std::exchange(other.state_, nullptr);
      stage_ = other.stage_;
    }
    return *this;
  }
  ~promise() { abandon(); }

  /// Returns the future.
  /// @throws acre::error the second time
  [[nodiscard]] future<T> get_future();

  /// Constructs the result and runs the continuation.
  /// @throws acre::error if already fulfilled
  template <class... Arguments>
    requires std::constructible_from<global::stored<T>, Arguments...>
  void set_value(Arguments&&... arguments) {
    require_unsatisfied("promise::set_value");
    state_->set_value(std::forward<Arguments>(arguments)...);
    publish();
  }

  /// As set_value(), with the result of make() constructed in place.
  template <class Make>
    requires std::convertible_to<std::invoke_result_t<Make&>, T>
  void set_value_by(Make&& make) {
    require_unsatisfied("promise::set_value_by");
    state_->set_value_by(std::forward<Make>(make));
    publish();
  }

  /// Fails the future.
  /// @throws acre::error if already fulfilled
  void set_exception(std::exception_ptr failure) {
    require_unsatisfied("promise::set_exception");
    state_->set_failure(std::move(failure));
    publish();
  }

  /// Converts the promise to a 64-bit word, for a message or a C callback, and empties it. Exactly
  /// one from_word() must follow, in this process. Call get_future() before.
  [[nodiscard]] std::uint64_t to_word() && noexcept {
    return reinterpret_cast<std::uintptr_t>(std::exchange(state_, nullptr));
  }

  /// Restores the promise that to_word() converted.
  [[nodiscard]] static promise from_word(std::uint64_t word) noexcept {
    return promise(reinterpret_cast<global::future_state<T>*>(static_cast<std::uintptr_t>(word)));
  }

 private:
  friend class global::future_access;

  struct progress_made {
    bool satisfied = false;
    bool retrieved = false;
  };

  explicit promise(global::future_state<T>* owned) noexcept
      : state_(owned), stage_{.satisfied = false, .retrieved = true} {}

  void require_unsatisfied(const char* call) const {
    if (state_ == nullptr) global::throw_no_promise(call);
    if (stage_.satisfied) global::throw_already_satisfied(call);
  }

  void publish() noexcept {
    stage_.satisfied = true;
    global::run_chain(state_->mark_ready());
  }

  void abandon() noexcept {
    if (state_ == nullptr) return;
    const bool somebody_waits = !stage_.satisfied && !state_->is_last_owner();
    if (somebody_waits) {
      state_->set_failure(global::broken_promise());
      publish();
    }
    state_->drop_owner();
  }

  global::future_state<T>* state_;
  progress_made stage_;
};

/// Ready future; allocates only for large values.
template <class T>
[[nodiscard]] future<std::decay_t<T>> make_ready_future(T&& value);
[[nodiscard]] future<void> make_ready_future();

/// Future that has already failed.
template <class T = void>
[[nodiscard]] future<T> make_failed_future(std::exception_ptr failure);

/// Future of all results: a tuple without the voids, or void. It is ready when all
/// sources are. It has the first failure in argument order; others count as seen.
template <class... T>
[[nodiscard]] auto when_all(future<T>&&... sources);

/// when_all() of a vector. Returns a future<std::vector<T>>, or a future<void>.
template <class T>
[[nodiscard]] auto when_all(std::vector<future<T>>&& sources);

}  // namespace acre

#include <acre/global/future/detail/future_join.hpp>
#include <acre/global/future/detail/future_then.hpp>
