// SPDX-License-Identifier: BSD-3-Clause
// Coroutines that wait for futures without blocking.
//
//     acre::task<int> sum(acre::global_ptr<int> p, acre::global_ptr<int> q) {
//       auto first = acre::get_async(p);
//       auto second = acre::get_async(q);
//       co_return co_await first + co_await second;
//     }
//
// A task is the future of what its coroutine returns: pass it wherever a
// future goes. It starts at once and runs until its first co_await of
// something that is not ready; it goes on inside the call that fulfils that,
// on that thread. Exceptions leave the coroutine through its future. Dropping
// the future does not stop the coroutine.
//
// The usual care with coroutines: parameters taken by reference, and what a
// lambda captured, must outlive the task; take parameters by value.
#pragma once

#include <acre/global/future/future.hpp>
#include <acre/runtime/running_code.hpp>

#include <coroutine>
#include <cstddef>
#include <exception>
#include <type_traits>
#include <utility>

namespace acre {

/// What a coroutine returns. The word tells the reader; the type is future.
template <class T = void>
using task = future<T>;

namespace global {

/// A resumption that is under way on this thread. When its coroutine ends, what
/// waited for it is left here and run by the loop below the resumption, so that
/// a chain of a million tasks does not need a stack of a million frames.
struct resumption {
  void* coroutine = nullptr;
  continuation* next = nullptr;
  resumption* outer = nullptr;
};

inline constinit thread_local resumption* current_resumption = nullptr;

inline continuation* resume(std::coroutine_handle<> coroutine) {
  resumption here{coroutine.address(), nullptr, current_resumption};
  current_resumption = &here;
  coroutine.resume();
  current_resumption = here.outer;
  return here.next;
}

/// Has `next` run: after the resumption of the coroutine that ended, if there
/// is one, else now.
inline void run_after(void* coroutine, continuation* next) noexcept {
  resumption* current = current_resumption;
  if (current != nullptr && current->coroutine == coroutine && current->next == nullptr) {
    current->next = next;
  } else {
    run_chain(next);
  }
}

/// A coroutine that waits: what goes on with it, as a piece of which call, and what it brings.
class suspended_coroutine {
 public:
  template <class Promise>
  void suspend(std::coroutine_handle<Promise> waiting) noexcept {
    waiting_ = waiting;
    call_ = runtime::current_call();
    if constexpr (requires { waiting.promise().brings(); }) brings_ = waiting.promise().brings();
  }
  /// What waits for it is gone afterwards.
  continuation* go_on() const noexcept {
    const runtime::within_call here(call_, brings_);
    return resume(waiting_);
  }
  [[nodiscard]] const future_state_base* brings() const noexcept { return brings_; }

 private:
  std::coroutine_handle<> waiting_;
  const future_state_base* brings_ = nullptr;
  runtime::call_tag call_;
};

/// co_await on a future.
template <class T>
class future_awaiter final : public continuation {
 public:
  explicit future_awaiter(future<T>&& source) : source_(std::move(source)) {
    if (!source_.is_valid()) throw_no_future("co_await");
  }
  future_awaiter(const future_awaiter&) = delete;
  future_awaiter& operator=(const future_awaiter&) = delete;

  [[nodiscard]] bool await_ready() const noexcept { return source_.is_ready(); }

  /// After a successful attach the coroutine may go on, on another thread.
  template <class Promise>
  [[nodiscard]] bool await_suspend(std::coroutine_handle<Promise> waiting) noexcept {
    waiting_.suspend(waiting);
    return future_access::try_attach(source_, *this);
  }

  T await_resume() {
    if (auto failure = future_access::see_failure(source_)) std::rethrow_exception(failure);
    return future_access::take(source_);
  }

  continuation* run() noexcept override { return waiting_.go_on(); }
  [[nodiscard]] const future_state_base* brings() const noexcept override {
    return waiting_.brings();
  }

 private:
  future<T> source_;
  suspended_coroutine waiting_;
};

/// co_await on a shared future.
template <class T, class Result>
class shared_future_awaiter final : public continuation {
 public:
  explicit shared_future_awaiter(shared_future<T> source) : source_(std::move(source)) {
    if (!source_.is_valid()) throw_no_future("co_await");
  }
  shared_future_awaiter(const shared_future_awaiter&) = delete;
  shared_future_awaiter& operator=(const shared_future_awaiter&) = delete;

  [[nodiscard]] bool await_ready() const noexcept { return source_.is_ready(); }
  template <class Promise>
  [[nodiscard]] bool await_suspend(std::coroutine_handle<Promise> waiting) noexcept {
    waiting_.suspend(waiting);
    return attachment_.try_attach(source_, *this);
  }
  Result await_resume() const { return source_.get(); }

  continuation* run() noexcept override { return waiting_.go_on(); }
  [[nodiscard]] const future_state_base* brings() const noexcept override {
    return waiting_.brings();
  }

 private:
  shared_future<T> source_;
  attachment<shared_future<T>> attachment_;
  suspended_coroutine waiting_;
};

/// The part of a task's frame that the compiler calls.
template <class T>
class task_promise_base : public runtime::pooled {
 public:
  task_promise_base() : state_(new future_state<T>(1)) {}
  task_promise_base(const task_promise_base&) = delete;
  task_promise_base& operator=(const task_promise_base&) = delete;
  ~task_promise_base() { state_->drop_owner(); }

  [[nodiscard]] future<T> get_return_object() noexcept {
    state_->add_owner();
    return future_access::share(state_);
  }
  [[nodiscard]] std::suspend_never initial_suspend() const noexcept { return {}; }
  void unhandled_exception() noexcept { state_->set_failure(std::current_exception()); }
  [[nodiscard]] const future_state_base* brings() const noexcept { return state_; }

 protected:
  /// The coroutine's variables are gone; its frame goes when this returns.
  std::suspend_never finish(void* coroutine) noexcept {
    run_after(coroutine, state_->mark_ready());
    return {};
  }

  future_state<T>* state_;
};

template <class T>
class task_promise : public task_promise_base<T> {
 public:
  [[nodiscard]] std::suspend_never final_suspend() noexcept {
    return this->finish(std::coroutine_handle<task_promise>::from_promise(*this).address());
  }

  template <class Value = T>
    requires std::constructible_from<T, Value>
  void return_value(Value&& value) {
    // The analyzer does not see that a coroutine's promise is made before its body.
    this->state_->set_value(std::forward<Value>(value));  // NOLINT(clang-analyzer-core.*)
  }
};

template <>
class task_promise<void> : public task_promise_base<void> {
 public:
  [[nodiscard]] std::suspend_never final_suspend() noexcept {
    return finish(std::coroutine_handle<task_promise>::from_promise(*this).address());
  }

  void return_void() { state_->set_value(); }  // NOLINT(clang-analyzer-core.*)
};

}  // namespace global

/// Takes the result, as get() does, but suspends instead of blocking.
template <class T>
[[nodiscard]] global::future_awaiter<T> operator co_await(future<T>& source) {
  return global::future_awaiter<T>(std::move(source));
}
template <class T>
[[nodiscard]] global::future_awaiter<T> operator co_await(future<T>&& source) {
  return global::future_awaiter<T>(std::move(source));
}

/// Reads the result, as get() does; of a shared future that goes at once, a copy.
template <class T>
[[nodiscard]] auto operator co_await(const shared_future<T>& source) {
  return global::shared_future_awaiter<T, std::add_lvalue_reference_t<const T>>(source);
}
template <class T>
[[nodiscard]] auto operator co_await(shared_future<T>&& source) {
  return global::shared_future_awaiter<T, T>(std::move(source));
}

}  // namespace acre
