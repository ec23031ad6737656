// SPDX-License-Identifier: BSD-3-Clause
// A value that will be there later, and the promise to bring it.
//
//     acre::future<int> answer = acre::rpc(1, compute, 6);
//     std::move(answer).then([](int x) { return x * 7; }).then(print);
//     int both = when_all(ask(1), ask(2)).then([](int a, int b) { return a + b; }).get();
//
// A future has one owner (it moves, it is not copied), and whatever takes its
// result — get, then, co_await, when_all — takes it out of the future. So a
// value is moved through a chain and never copied, it may be of a type that
// cannot be copied, and a failure has exactly one place where it can be lost:
// a future that is destroyed unseen. Such a failure is not lost: it is thrown at
// the end of the rank's next progress(), wait for a future, or collective
// (runtime/lost_failure.hpp). What several want, one shares: shared_future.hpp.
//
// A future that is ready when it is made (a get from this node) holds its
// value itself: no allocation, and `then` calls the function at once. A pending
// one shares a block from a thread's free list with its promise.
//
// Continuations run inside the call that fulfils the promise, on that thread;
// the runtime fulfils what users can see in the owner's own calls only
// (progress, waits). A promise may be fulfilled by another thread than the
// one that waits; one future or promise object must not be used by two
// threads at once.
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

namespace runtime {

/// Makes progress until `ready(subject)`; the runtime provides it. `describe`, `what` and
/// `where` are for the stall watch.
void wait_until(bool (*ready)(const void* subject), const void* subject,
                std::string (*describe)(const void* subject), const char* what, site where);

}  // namespace runtime

namespace global {

class future_access;

template <class T>
class task_promise;

template <class...>
inline constexpr bool never = false;

/// How a function given to then() takes the result.
enum class call_form { none, value, elements, whole_future };

template <class F, class T>
consteval call_form find_call_form();

}  // namespace global

/// What then(f) accepts for a future<T>: f(T), f() for void, f(elements...) for
/// a tuple, or f(future<T>) to see failures too.
template <class F, class T>
concept continuation_of = global::find_call_form<std::decay_t<F>, T>() != global::call_form::none;

template <class T>
class future {
  static_assert(!std::is_reference_v<T> && std::same_as<T, std::remove_cv_t<T>>,
                "a future holds a value: future<T>, not future<T&> or future<const T>");

 public:
  using value_type = T;
  using promise_type = global::task_promise<T>;  ///< see task.hpp

  /// No future: good for being assigned to.
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

  /// Whether there is a result to come or here. Not after it has been taken.
  [[nodiscard]] bool is_valid() const noexcept { return home_ != home::nowhere; }

  /// Whether the result, or the failure, is here. Makes no progress.
  [[nodiscard]] bool is_ready() const noexcept {
    return home_ == home::here || (home_ == home::shared && state_->is_ready());
  }

  /// Whether it is ready and get() would throw. The failure stays to be seen.
  [[nodiscard]] bool has_failed() const noexcept {
    return home_ == home::shared && state_->is_ready() && state_->has_failed();
  }

  /// Makes progress until the result is here, and leaves it in the future.
  /// @throws the failure, if it failed; acre::error if its result was taken
  void wait(site where = site::current()) { complete("future::wait", where); }

  /// Makes progress until the result is here, and takes it.
  /// @throws the failure, if it failed; acre::error if its result was taken
  T get(site where = site::current()) {
    complete("future::get", where);
    return take_value();
  }

  /// Calls `function` with the result as soon as it is here (now, if it is) and
  /// gives a future of what the function returns; a returned future is
  /// unwrapped, and so is a shared one, of whose value it has a copy. If this future fails, or the
  /// function throws, that future fails (and `function` is not called, unless it takes the future
  /// itself). Takes the result, and says so: `std::move(answer).then(f)`.
  template <class F>
  auto then(F&& function) &&;

  /// A second then() on the same future would find it empty: so none on a name.
  template <class F>
  void then(F&& /*function*/) & {
    static_assert(global::never<F>,
                  "then() takes the result out of this future: write std::move(f).then(...), or, "
                  "for several, auto s = f.share() and s.then(...) as often as you like");
  }

  /// Turns it into one that can be copied, and asked as often as one likes. Takes the result.
  [[nodiscard]] shared_future<T> share();

 private:
  using stored_value = global::stored<T>;
  using state = global::future_state<T>;
  enum class home : std::uint8_t { nowhere, here, shared };

  friend class global::future_access;

  /// Shares `owned`, one owner of which it becomes.
  explicit future(state* owned) noexcept : state_(owned), home_(home::shared) {}

  template <class... Arguments>
  explicit future(std::in_place_t, Arguments&&... arguments) {
    place(std::forward<Arguments>(arguments)...);
  }

  /// A large value would strain the stack with each future that is passed on: it is in a block.
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
    if (!state_->is_ready()) {
      runtime::wait_until(
          [](const void* subject) {
            return static_cast<const global::future_state_base*>(subject)->is_ready();
          },
          static_cast<const global::future_state_base*>(state_), global::describe_awaited, call,
          where);
    }
    if (state_->has_failed()) std::rethrow_exception(state_->see_failure());
  }

  /// The value of a future that is ready and has not failed.
  T take_value() {
    struct emptied_at_return {
      future& source;
      ~emptied_at_return() { source.clear(); }
    } const guard{*this};
    if constexpr (!std::is_void_v<T>) return std::move(value_in_place());
  }

  /// Of one that is ready and has not failed.
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

/// The side that brings the result. A promise that is destroyed without one
/// gives its future the failure "broken promise".
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

  /// The future of this promise, once; before or after it is fulfilled.
  /// @throws acre::error the second time
  [[nodiscard]] future<T> get_future();

  /// Constructs the result from `arguments` (none for void) and runs what waits for it.
  /// @throws acre::error when there is a result or a failure already
  template <class... Arguments>
    requires std::constructible_from<global::stored<T>, Arguments...>
  void set_value(Arguments&&... arguments) {
    require_unsatisfied("promise::set_value");
    state_->set_value(std::forward<Arguments>(arguments)...);
    publish();
  }

  /// The same with what make() returns, which is made where it stays.
  template <class Make>
    requires std::convertible_to<std::invoke_result_t<Make&>, T>
  void set_value_by(Make&& make) {
    require_unsatisfied("promise::set_value_by");
    state_->set_value_by(std::forward<Make>(make));
    publish();
  }

  /// Fails the future.
  /// @throws acre::error when there is a result or a failure already
  void set_exception(std::exception_ptr failure) {
    require_unsatisfied("promise::set_exception");
    state_->set_failure(std::move(failure));
    publish();
  }

  /// Gives the promise away as a word, to travel through a message or a C
  /// callback; the promise is empty then. Exactly one from_word() must follow,
  /// in this process. Take the future first.
  [[nodiscard]] std::uint64_t to_word() && noexcept {
    return reinterpret_cast<std::uintptr_t>(std::exchange(state_, nullptr));
  }

  /// The promise that to_word() gave away, to be fulfilled. Its future has been taken.
  [[nodiscard]] static promise from_word(std::uint64_t word) noexcept {
    return promise(reinterpret_cast<global::future_state<T>*>(static_cast<std::uintptr_t>(word)));
  }

 private:
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

/// A future that is ready. No allocation.
template <class T>
[[nodiscard]] future<std::decay_t<T>> make_ready_future(T&& value);
[[nodiscard]] future<void> make_ready_future();

/// A future that has failed.
template <class T = void>
[[nodiscard]] future<T> make_failed_future(std::exception_ptr failure);

/// A future of all results, ready when all are: a tuple without the voids, or
/// void if nothing remains. If some fail it fails, once all are ready, with the
/// failure of the first in the order of the arguments; the others count as seen.
/// Of shared futures, which may be among them, it has copies.
template <class... T>
[[nodiscard]] auto when_all(future<T>&&... sources);

/// The same for any number: a future<std::vector<T>>, or future<void> for void.
template <class T>
[[nodiscard]] auto when_all(std::vector<future<T>>&& sources);

}  // namespace acre

#include <acre/global/future/detail/future_join.hpp>
#include <acre/global/future/detail/future_then.hpp>
