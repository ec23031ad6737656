// SPDX-License-Identifier: BSD-3-Clause
// What waits for a rank's owner: tasks, answers and requests, run in this order, each first in,
// first out; and tasks that run when those have. And the gate before it, which says who may run it:
// while there is one, messages go no short way, and each look at the inbox asks first. Private to
// the runtime.
//
// Who looks whether anything waits reads one word, without the lock: how much does, and a bit that
// says that there is a gate.
#pragma once

#include <acre/base/spin_lock.hpp>
#include <acre/runtime/detail/letter.hpp>
#include <acre/runtime/progress.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace acre::runtime {

/// First in, first out, through the `next` of what it holds and does not own.
template <class Node>
class fifo {
 public:
  [[nodiscard]] bool empty() const noexcept { return first_ == nullptr; }
  void append(Node* added) noexcept {
    added->next = nullptr;
    (first_ == nullptr ? first_ : last_->next) = added;
    last_ = added;
  }
  /// The oldest, or null.
  [[nodiscard]] Node* take() noexcept {
    Node* const taken = first_;
    if (taken != nullptr) first_ = taken->next;
    return taken;
  }

 private:
  Node* first_ = nullptr;
  Node* last_ = nullptr;
};

/// Any thread calls any of these.
class inbox {
 public:
  /// What the owner does next; both null when there is nothing.
  struct work {
    deferred_task* task;
    letter* mail;
    bool untold;  ///< its sender has not been told yet
  };
  /// What a thread may run of what waits.
  enum class share { nothing, all_but_requests, all };

  /// Nobody runs requests until they are admitted.
  inbox() = default;
  inbox(const inbox&) = delete;
  inbox& operator=(const inbox&) = delete;
  /// What is left is not run.
  ~inbox();

  void append(deferred_task& task) noexcept;
  void append_at_end(deferred_task& task) noexcept;
  void append_answer(letter* kept) noexcept;
  void append_request(letter* kept) noexcept;
  [[nodiscard]] work take(bool requests_too) noexcept;
  /// Of those that run at the end; or null.
  [[nodiscard]] deferred_task* take_at_end() noexcept;

  /// Whether nothing waits, and there is no gate.
  [[nodiscard]] bool is_clear() const noexcept {
    return size_.load(std::memory_order_acquire) == 0;
  }
  /// Whether something waits, and no gate keeps it there.
  [[nodiscard]] bool is_open() const noexcept {
    const std::uint32_t size = size_.load(std::memory_order_acquire);
    return size != 0 && (size & gate_bit) == 0;
  }
  [[nodiscard]] bool has_gate() const noexcept {
    return (size_.load(std::memory_order_acquire) & gate_bit) != 0;
  }
  /// How many tasks and letters wait.
  [[nodiscard]] std::uint32_t size() const noexcept {
    return size_.load(std::memory_order_acquire) & ~gate_bit;
  }
  /// Of the letters.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_.load(std::memory_order_relaxed);
  }
  /// Whether a thread with this share has something to run.
  [[nodiscard]] bool has_work_for(share of_thread) const noexcept;

  /// What a sender of a request has charged for it (request_window.hpp).
  struct charge_of {
    rank_t source;
    std::uint32_t units;
  };
  /// Of the oldest request whose sender has not been told. It counts as told then.
  [[nodiscard]] std::optional<charge_of> take_untold() noexcept;

  // The gate.
  void hold_requests() noexcept;
  void admit_requests() noexcept;
  /// Until it is given up, the calling thread alone runs what may be user code: requests, answers
  /// and tasks. It may take it several times.
  /// @return false: another thread has it
  [[nodiscard]] bool take_user_code() noexcept;
  /// @return false: this thread did not have it
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

  void count_in(const letter& kept) noexcept;
  void set_gate(bool held, const void* runner, std::uint32_t times) noexcept;
  [[nodiscard]] share share_behind_gate() const noexcept;

  mutable spin_lock lock_;
  fifo<deferred_task> tasks_;
  fifo<letter> answers_;
  fifo<letter> requests_;
  fifo<deferred_task> at_end_;
  std::atomic<std::uint32_t> size_{gate_bit};  ///< of all four, and whether there is a gate
  bool held_ = true;                           ///< no requests are run
  const void* runner_ = nullptr;               ///< a word of the only thread that runs user code
  std::uint32_t runner_times_ = 0;             ///< how often that thread has taken it
  std::atomic<std::size_t> bytes_{0};          ///< written under the lock
  letter* first_untold_ = nullptr;  ///< of requests_: from it on, senders have not been told
};

}  // namespace acre::runtime
