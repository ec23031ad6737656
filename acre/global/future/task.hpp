// SPDX-License-Identifier: BSD-3-Clause
// Coroutines that wait for futures without blocking.
//
//     acre::task<int> sum(acre::global_ptr<int> p, acre::global_ptr<int> q) {
//       auto first = acre::get_async(p);
//       auto second = acre::get_async(q);
//       co_return co_await first + co_await second;
//     }
//
// A task is the future of its coroutine, which starts at once, suspends at a co_await of a pending
// future, and resumes in the call that fulfils it. Exceptions pass to the future. Dropping the task
// does not stop the coroutine, which reference parameters and lambda captures must outlive.
#pragma once

#include <acre/global/future/future.hpp>
#include <acre/runtime/running_code.hpp>

#include <coroutine>
#include <cstddef>
#include <exception>
#include <type_traits>
#include <utility>

namespace acre {

template <class T = void>
using task = future<T>;

namespace global {

/// A coroutine that this thread is resuming. resume() returns `next` to its caller, so that long
/// chains need no deep stack.
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

/// Runs `next`: after the current resumption if that is of `coroutine`, else now.
inline void run_after(void* coroutine, continuation* next) noexcept {
  resumption* current = current_resumption;
  if (current != nullptr && current->coroutine == coroutine && current->next == nullptr) {
    current->next = next;
  } else {
    run_chain(next);
  }
}

class suspended_coroutine {
 public:
  template <class Promise>
  void suspend(std::coroutine_handle<Promise> waiting) noexcept {
    waiting_ = waiting;
    call_ = runtime::current_call();
    if constexpr (requires { waiting.promise().brings(); }) brings_ = waiting.promise().brings();
  }
  /// Resumes the waiting coroutine, which may destroy this awaiter.
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

template <class T>
class future_awaiter final : public continuation {
 public:
  explicit future_awaiter(future<T>&& source) : source_(std::move(source)) {
    if (!source_.is_valid()) throw_no_future("co_await");
  }
  future_awaiter(const future_awaiter&) = delete;
  future_awaiter& operator=(const future_awaiter&) = delete;

  [[nodiscard]] bool await_ready() const noexcept { return source_.is_ready(); }

  /// Suspends. Once attached, the coroutine may resume on another thread before this call returns.
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
    // The analyzer misses the promise's construction.
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

/// As get(), but suspends instead of blocking.
template <class T>
[[nodiscard]] global::future_awaiter<T> operator co_await(future<T>& source) {
  return global::future_awaiter<T>(std::move(source));
}
template <class T>
[[nodiscard]] global::future_awaiter<T> operator co_await(future<T>&& source) {
  return global::future_awaiter<T>(std::move(source));
}

/// As get(); a temporary shared future yields a copy.
template <class T>
[[nodiscard]] auto operator co_await(const shared_future<T>& source) {
  return global::shared_future_awaiter<T, std::add_lvalue_reference_t<const T>>(source);
}
template <class T>
[[nodiscard]] auto operator co_await(shared_future<T>&& source) {
  return global::shared_future_awaiter<T, T>(std::move(source));
}

}  // namespace acre
