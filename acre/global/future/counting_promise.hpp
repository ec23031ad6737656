// SPDX-License-Identifier: BSD-3-Clause
// A promise that expects many arrivals, and its future.
//
//     acre::counting_promise all;
//     for (int i = 0; i < n; ++i) acre::put_async(p + i, x[i], acre::on_operation(all));
//     all.close().wait();
//
// The future is ready after close() (or the destructor), once all expected arrivals are in. An
// operation that receives the promise calls expect() and arrive() itself: two atomic instructions
// each, no allocation. Completions may arrive on any thread; one thread at a time uses the object.
#pragma once

#include <acre/global/future/future.hpp>
#include <acre/global/future/shared_future.hpp>

#include <atomic>
#include <cstddef>
#include <exception>
#include <utility>

namespace acre {
namespace global {

[[noreturn]] void throw_too_many_arrivals();

class counting_state final : public future_state<void> {
 public:
  counting_state() noexcept : future_state<void>(1) {}

  void expect(std::size_t more) noexcept { missing_.fetch_add(more, std::memory_order_relaxed); }

  void arrive(std::size_t arrived) {
    const std::size_t missing = missing_.fetch_sub(arrived, std::memory_order_acq_rel);
    if ((missing & ~open) < arrived) {
      missing_.fetch_add(arrived, std::memory_order_relaxed);
      throw_too_many_arrivals();
    }
    if (missing == arrived) run_chain(mark_ready());
  }

  void close() noexcept {
    if (missing_.fetch_and(~open, std::memory_order_acq_rel) == open) run_chain(mark_ready());
  }

  void note_failure(std::exception_ptr failure) noexcept {
    if (!has_note_.exchange(true, std::memory_order_acq_rel)) set_failure(std::move(failure));
  }

 private:
  static constexpr std::size_t open = ~(~std::size_t{0} >> 1);

  std::atomic<std::size_t> missing_{open};
  std::atomic<bool> has_note_{false};
};

class expected_arrival {
 public:
  explicit expected_arrival(counting_state& counts) noexcept : counts_(&counts) {
    counts_->add_owner();
    counts_->expect(1);
  }
  expected_arrival(expected_arrival&& other) noexcept
      : counts_(std::exchange(other.counts_, nullptr)) {}
  expected_arrival& operator=(expected_arrival&&) = delete;
  ~expected_arrival() { arrive(); }

  void arrive() {
    if (counts_ == nullptr) return;
    counting_state* const counts = std::exchange(counts_, nullptr);
    counts->arrive(1);
    counts->drop_owner();
  }

  void fail(std::exception_ptr failure) {
    counts_->note_failure(std::move(failure));
    arrive();
  }

 private:
  counting_state* counts_;
};

class counting_access;

}  // namespace global

class counting_promise {
 public:
  counting_promise() : counts_(new global::counting_state) {}

  counting_promise(counting_promise&& other) noexcept
      : counts_(std::exchange(other.counts_, nullptr)), open_(other.open_) {}
  counting_promise& operator=(counting_promise&& other) noexcept {
    counting_promise taken(std::move(other));
    std::swap(counts_, taken.counts_);
    std::swap(open_, taken.open_);
    return *this;
  }
  ~counting_promise() {
    if (counts_ == nullptr) return;
    if (open_) counts_->close();
    counts_->drop_owner();
  }

  /// Expects `more` further arrivals. Call it only before close(), or while an expected arrival is
  /// missing.
  void expect(std::size_t more = 1) { state("counting_promise::expect").expect(more); }

  /// Counts `arrived` arrivals.
  /// @throws acre::error if more than expected
  void arrive(std::size_t arrived = 1) { state("counting_promise::arrive").arrive(arrived); }

  /// Counts one arrival with a failure. The future fails with the first failure once all arrivals
  /// are in.
  void arrive_failed(std::exception_ptr failure) {
    auto& counts = state("counting_promise::arrive_failed");
    counts.note_failure(std::move(failure));
    counts.arrive(1);
  }

  /// Lets the future become ready when all expected arrivals are in. Returns get_future().
  shared_future<> close() {
    auto result = get_future();
    if (std::exchange(open_, false)) counts_->close();
    return result;
  }

  /// Future of all expected arrivals; callable repeatedly, also after close().
  [[nodiscard]] shared_future<> get_future() const {
    auto& counts = state("counting_promise::get_future");
    counts.add_owner();
    return global::future_access::share(static_cast<global::future_state<void>*>(&counts)).share();
  }

 private:
  friend class global::counting_access;

  [[nodiscard]] global::counting_state& state(const char* call) const {
    if (counts_ == nullptr) global::throw_no_promise(call);
    return *counts_;
  }

  global::counting_state* counts_;
  bool open_ = true;
};

namespace global {
class counting_access {
 public:
  [[nodiscard]] static expected_arrival expect_one(const counting_promise& promise) {
    return expected_arrival(promise.state("on_operation"));
  }
};
}  // namespace global

}  // namespace acre
