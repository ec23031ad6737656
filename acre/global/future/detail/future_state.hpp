// SPDX-License-Identifier: BSD-3-Clause
// What a promise and its future share: one word that says where things are,
// and the value or the failure.
//
// The word is 0 (pending), the address of what is to run (pending, somebody
// waits), or 1 (ready), and only moves forward:
//
//     pending ──attach──▶ continuation ──┐
//        └──────────────fulfil───────────┴──▶ ready
//
// Both arrows are one atomic instruction, so it does not matter which thread
// is first. Whoever fulfils runs the continuation, which hands back the one
// that became runnable by it: chains are run in a loop, not in a recursion.
// when_any() goes back on the first arrow (try_detach), and what shares a future
// hangs on the word as a list (shared_future.hpp).
#pragma once

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

namespace acre::global {

[[noreturn]] void throw_no_future(const char* call);
[[noreturn]] void throw_no_promise(const char* call);
[[noreturn]] void throw_already_satisfied(const char* call);
[[noreturn]] void throw_already_retrieved();
[[nodiscard]] std::exception_ptr broken_promise() noexcept;

class future_state_base;

/// Something to run when a state becomes ready. It runs as part of the call that the thread served
/// which attached it (running_code.hpp), whatever the thread that runs it serves.
class continuation {
 public:
  /// Returns the continuation that has become runnable by this, or null. The
  /// object may be gone afterwards.
  [[nodiscard]] virtual continuation* run() noexcept = 0;

  [[nodiscard]] const runtime::served_call& served() const noexcept { return served_; }

  // For those who ask what cannot become ready before the state has.
  /// What becomes ready by this, and not without it; null: unknown.
  [[nodiscard]] virtual const future_state_base* brings() const noexcept { return nullptr; }
  /// One more that waits for the same state, or null.
  [[nodiscard]] virtual const continuation* waits_with() const noexcept { return nullptr; }

 protected:
  continuation() noexcept : served_(runtime::code_here.serves) {}
  continuation(const continuation&) = default;
  continuation& operator=(const continuation&) = default;
  ~continuation() = default;

 private:
  runtime::served_call served_;
};

/// While it exists, no continuation is taken back from a state, so those of states that stay
/// pending can be followed. One thread at a time, in this process.
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

/// The stored form of a result: void has one value too.
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

  /// True stays true: there is nobody left who could add an owner.
  [[nodiscard]] bool is_last_owner() const noexcept {
    return owners_.load(std::memory_order_acquire) == 1;
  }

  [[nodiscard]] bool is_ready() const noexcept {
    return word_.load(std::memory_order_acquire) == ready;
  }

  /// Has `waiting` run on fulfilment; false: it is ready already, run it yourself.
  [[nodiscard]] bool try_attach(continuation& waiting) noexcept {
    std::uintptr_t expected = pending;
    return word_.compare_exchange_strong(expected, reinterpret_cast<std::uintptr_t>(&waiting),
                                         std::memory_order_acq_rel, std::memory_order_acquire);
  }

  /// Takes `waiting` back; false: it is run, or has been, by who fulfils.
  [[nodiscard]] bool try_detach(continuation& waiting) noexcept {
    const continuations_stay no_one_follows_it;
    auto expected = reinterpret_cast<std::uintptr_t>(&waiting);
    return word_.compare_exchange_strong(expected, pending, std::memory_order_acq_rel,
                                         std::memory_order_relaxed);
  }

  /// Has one more run on fulfilment, where only such ones wait; false: it is ready already.
  /// `added` is told before which one comes next.
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

  /// Publishes value or failure. Returns what must be run now, or null.
  [[nodiscard]] continuation* mark_ready() noexcept {
    return reinterpret_cast<continuation*>(word_.exchange(ready, std::memory_order_acq_rel));
  }

  /// The same by an owner, which it is no longer then.
  [[nodiscard]] continuation* publish() noexcept {
    continuation* next = mark_ready();
    drop_owner();
    return next;
  }

  /// Of one that stays pending meanwhile: what waits for it, or null.
  [[nodiscard]] const continuation* waiting() const noexcept {
    const std::uintptr_t word = word_.load(std::memory_order_acquire);
    return word == ready ? nullptr : reinterpret_cast<const continuation*>(word);
  }

  /// What a wait for it waits for, for people, after "future::get"; empty: nobody knows.
  [[nodiscard]] virtual std::string what_it_awaits() const { return {}; }

  void set_failure(std::exception_ptr failure) noexcept { failure_ = std::move(failure); }

  /// The failure, to look at; null if there is a value. It counts as seen.
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
  std::atomic<bool> seen_{false};  ///< several who share it may look at once
  std::exception_ptr failure_;
};

/// What a wait for a state waits for, for the stall watch.
[[nodiscard]] std::string describe_awaited(const void* state);

template <class T>
class future_state : public future_state_base {
 public:
  explicit future_state(std::uint32_t owners) noexcept : future_state_base(owners) {}

  template <class... Arguments>
  void set_value(Arguments&&... arguments) {
    ::new (static_cast<void*>(&value_)) stored<T>(std::forward<Arguments>(arguments)...);
    has_value_ = true;
  }

  /// What make() returns, made in its place.
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

  /// Only when it is ready and has not failed.
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

/// A state that is ready, of which the caller is the owner.
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
