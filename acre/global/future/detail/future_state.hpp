// SPDX-License-Identifier: BSD-3-Clause
// State of a promise and its future. Its word is 0 (pending), a continuation's address (pending) or
// 1 (ready):
//
//     pending ──attach──▶ continuation ──┐
//        └──────────────fulfil───────────┴──▶ ready
//
// Each transition is one atomic instruction. The fulfilling thread runs the continuation, which
// returns the next: no recursion. when_any() reverts the first transition; shared futures attach a
// list.
#pragma once

#include <acre/base/site.hpp>
#include <acre/base/spin_lock.hpp>
#include <acre/global/wire/detail/roomy.hpp>
#include <acre/runtime/block_pool.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/running_code.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

namespace acre::runtime {

/// Declared here: wait.hpp includes much more.
void wait_until(bool (*ready)(const void* subject), const void* subject,
                std::string (*describe)(const void* subject), const char* what, site where);

}  // namespace acre::runtime

namespace acre::global {

[[noreturn]] void throw_no_future(const char* call);
[[noreturn]] void throw_no_promise(const char* call);
[[noreturn]] void throw_already_satisfied(const char* call);
[[noreturn]] void throw_already_retrieved();
[[nodiscard]] std::exception_ptr broken_promise() noexcept;

class future_state_base;

/// Runs when a state becomes ready, as part of the code that attached it: the program or a
/// served call (running_code.hpp).
class continuation {
 public:
  /// Returns the next to run, or null. May destroy the object.
  [[nodiscard]] virtual continuation* run() noexcept = 0;

  [[nodiscard]] const runtime::served_call& served() const noexcept { return served_; }

  /// State that only this continuation makes ready, or null.
  [[nodiscard]] virtual const future_state_base* brings() const noexcept { return nullptr; }
  /// Next continuation attached to the same state, or null.
  [[nodiscard]] virtual const continuation* waits_with() const noexcept { return nullptr; }

 protected:
  continuation() noexcept : served_(runtime::code_here.serves) {}
  continuation(const continuation&) = default;
  continuation& operator=(const continuation&) = default;
  ~continuation() = default;

 private:
  runtime::served_call served_;
};

/// A process-wide lock against detaching, so continuations of pending states can be followed.
class continuations_stay {
 public:
  continuations_stay() noexcept { detaching.lock(); }
  ~continuations_stay() { detaching.unlock(); }
  continuations_stay(const continuations_stay&) = delete;
  continuations_stay& operator=(const continuations_stay&) = delete;

 private:
  static inline constinit spin_lock detaching;
};

inline void run_chain(continuation* next) noexcept {
  if (next == nullptr) return;
  const runtime::serving this_one(next->served());
  while ((next = next->run()) != nullptr) runtime::code_here.serves = next->served();
}

struct unit {};
template <class T>
using stored = std::conditional_t<std::is_void_v<T>, unit, T>;

class future_state_base : public runtime::pooled {
 public:
  future_state_base(const future_state_base&) = delete;
  future_state_base& operator=(const future_state_base&) = delete;

  void add_owner() noexcept { owners_.fetch_add(1, std::memory_order_relaxed); }

  void drop_owner() noexcept {
    if (is_last_owner() || owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  [[nodiscard]] bool is_last_owner() const noexcept {
    return owners_.load(std::memory_order_acquire) == 1;
  }

  [[nodiscard]] bool is_ready() const noexcept {
    return word_.load(std::memory_order_acquire) == ready;
  }

  /// False if ready: `waiting` is then not attached.
  [[nodiscard]] bool try_attach(continuation& waiting) noexcept {
    std::uintptr_t expected = pending;
    return word_.compare_exchange_strong(expected, reinterpret_cast<std::uintptr_t>(&waiting),
                                         std::memory_order_acq_rel, std::memory_order_acquire);
  }

  /// False if `waiting` has run or will run.
  [[nodiscard]] bool try_detach(continuation& waiting) noexcept {
    const continuations_stay no_one_follows_it;
    auto expected = reinterpret_cast<std::uintptr_t>(&waiting);
    return word_.compare_exchange_strong(expected, pending, std::memory_order_acq_rel,
                                         std::memory_order_relaxed);
  }

  /// Attaches `added` in front of those attached; calls added.set_next() before. False if ready.
  template <class Waiter>
  [[nodiscard]] bool try_attach_also(Waiter& added) noexcept {
    std::uintptr_t first = word_.load(std::memory_order_acquire);
    do {
      if (first == ready) return false;
      added.set_next(static_cast<Waiter*>(reinterpret_cast<continuation*>(first)));
    } while (!word_.compare_exchange_weak(
        first, reinterpret_cast<std::uintptr_t>(static_cast<continuation*>(&added)),
        std::memory_order_acq_rel, std::memory_order_acquire));
    return true;
  }

  /// Publishes. Returns the continuation to run, or null.
  [[nodiscard]] continuation* mark_ready() noexcept {
    return reinterpret_cast<continuation*>(word_.exchange(ready, std::memory_order_acq_rel));
  }

  [[nodiscard]] continuation* publish() noexcept {
    continuation* next = mark_ready();
    drop_owner();
    return next;
  }

  /// First attached continuation, or null. Only for states that stay pending.
  [[nodiscard]] const continuation* waiting() const noexcept {
    const std::uintptr_t word = word_.load(std::memory_order_acquire);
    return word == ready ? nullptr : reinterpret_cast<const continuation*>(word);
  }

  [[nodiscard]] virtual std::string what_it_awaits() const { return {}; }

  /// @throws acre::error where waiting could not end
  virtual void require_may_wait(const char* /*call*/, const site& /*where*/) const {}

  void set_failure(std::exception_ptr failure) noexcept { failure_ = std::move(failure); }

  /// Failure, or null; marks it as seen.
  [[nodiscard]] const std::exception_ptr& see_failure() noexcept {
    seen_.store(true, std::memory_order_relaxed);
    return failure_;
  }

  [[nodiscard]] bool has_failed() const noexcept { return failure_ != nullptr; }

 protected:
  explicit future_state_base(std::uint32_t owners) noexcept : owners_(owners) {}

  virtual ~future_state_base() {
    if (failure_ != nullptr && !seen_.load(std::memory_order_relaxed))
      runtime::keep_lost_failure(std::move(failure_));
  }

 private:
  static constexpr std::uintptr_t pending = 0;
  static constexpr std::uintptr_t ready = 1;

  std::atomic<std::uintptr_t> word_{pending};
  std::atomic<std::uint32_t> owners_;
  std::atomic<bool> seen_{false};  ///< sharers may set it concurrently
  std::exception_ptr failure_;
};

[[nodiscard]] std::string describe_awaited(const void* state);

/// Waits until the state is ready. @throws what require_may_wait(), a lost peer or the stall watch
/// throws
inline void await_state(const future_state_base& state, const char* call, const site& where) {
  if (state.is_ready()) return;
  state.require_may_wait(call, where);
  runtime::wait_until(
      [](const void* subject) {
        return static_cast<const future_state_base*>(subject)->is_ready();
      },
      &state, describe_awaited, call, where);
}

template <class T>
class future_state : public future_state_base {
 public:
  explicit future_state(std::uint32_t owners) noexcept : future_state_base(owners) {}

  template <class... Arguments>
  void set_value(Arguments&&... arguments) {
    ::new (static_cast<void*>(&value_)) stored<T>(std::forward<Arguments>(arguments)...);
    has_value_ = true;
  }

  template <class Make>
  void set_value_by(Make&& make) {
    if constexpr (std::is_void_v<T>) {
      make();
      set_value();
    } else {
      ::new (static_cast<void*>(&value_)) stored<T>(make());
      has_value_ = true;
    }
  }

  [[nodiscard]] stored<T>& value() noexcept { return value_; }

 protected:
  ~future_state() override {
    if (has_value_) value_.~stored<T>();
  }

 private:
  union {
    stored<T> value_;
  };
  bool has_value_ = false;
};

template <class T, class... Arguments>
[[nodiscard]] future_state<T>* make_ready_state(Arguments&&... arguments) {
  auto* const state = new future_state<T>(1);
  try {
    state->set_value(std::forward<Arguments>(arguments)...);
  } catch (...) {
    state->drop_owner();
    throw;
  }
  run_chain(state->mark_ready());
  return state;
}

}  // namespace acre::global
