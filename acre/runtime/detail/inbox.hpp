// SPDX-License-Identifier: BSD-3-Clause
// Work for a rank's owner: tasks, answers and requests, in this order, each first in, first out;
// then tasks for the end. A gate restricts the threads that may run it. Checks read one word: the
// queue length and a gate bit.
#pragma once

#include <acre/base/spin_lock.hpp>
#include <acre/runtime/detail/queued_message.hpp>
#include <acre/runtime/progress.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace acre::runtime {

template <class Node>
class fifo {
 public:
  [[nodiscard]] bool empty() const noexcept { return first_ == nullptr; }
  void append(Node* added) noexcept {
    added->next = nullptr;
    (first_ == nullptr ? first_ : last_->next) = added;
    last_ = added;
  }
  [[nodiscard]] Node* pop() noexcept {
    Node* const taken = first_;
    if (taken != nullptr) first_ = taken->next;
    return taken;
  }

 private:
  Node* first_ = nullptr;
  Node* last_ = nullptr;
};

/// Thread-safe.
class inbox {
 public:
  struct work {
    deferred_task* task;
    queued_message* mail;
    bool unacknowledged;
  };
  enum class share { nothing, all_but_requests, all };

  /// Requests are held until admitted.
  inbox() = default;
  inbox(const inbox&) = delete;
  inbox& operator=(const inbox&) = delete;
  ~inbox();

  void append(deferred_task& task) noexcept;
  void append_at_end(deferred_task& task) noexcept;
  void append_answer(queued_message* kept) noexcept;
  void append_request(queued_message* kept) noexcept;
  [[nodiscard]] work pop(bool requests_too) noexcept;
  [[nodiscard]] deferred_task* pop_at_end() noexcept;

  [[nodiscard]] bool is_clear() const noexcept {
    return size_.load(std::memory_order_acquire) == 0;
  }
  [[nodiscard]] bool is_open() const noexcept {
    const std::uint32_t size = size_.load(std::memory_order_acquire);
    return size != 0 && (size & gate_bit) == 0;
  }
  [[nodiscard]] bool has_gate() const noexcept {
    return (size_.load(std::memory_order_acquire) & gate_bit) != 0;
  }
  [[nodiscard]] std::uint32_t size() const noexcept {
    return size_.load(std::memory_order_acquire) & ~gate_bit;
  }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] bool has_work_for(share of_thread) const noexcept;

  struct charge_of {
    rank_t source;
    std::uint32_t units;
  };
  /// Counts the oldest unacknowledged request as acknowledged.
  /// @return its sender and size, or no value if all are acknowledged
  [[nodiscard]] std::optional<charge_of> pop_unacknowledged() noexcept;

  void hold_requests() noexcept;
  void admit_requests() noexcept;
  /// Reserves user code for the calling thread until released equally often.
  /// @return false if another thread has it
  [[nodiscard]] bool take_user_code() noexcept;
  bool give_up_user_code() noexcept;
  [[nodiscard]] bool another_thread_has_user_code() const noexcept;
  [[nodiscard]] share share_of_this_thread() const noexcept {
    if (has_gate()) [[unlikely]] {
      return share_behind_gate();
    }
    return share::all;
  }

 private:
  static constexpr std::uint32_t gate_bit = std::uint32_t{1} << 31;

  void count_in(const queued_message& kept) noexcept;
  void set_gate(bool held, const void* runner, std::uint32_t times) noexcept;
  [[nodiscard]] share share_behind_gate() const noexcept;

  mutable spin_lock lock_;
  fifo<deferred_task> tasks_;
  fifo<queued_message> answers_;
  fifo<queued_message> requests_;
  fifo<deferred_task> at_end_;
  std::atomic<std::uint32_t> size_{gate_bit};
  bool held_ = true;
  const void* runner_ = nullptr;  ///< thread that runs user code
  std::uint32_t runner_times_ = 0;
  std::atomic<std::size_t> bytes_{0};  ///< written under the lock
  queued_message* first_unacknowledged_ = nullptr;
};

}  // namespace acre::runtime
