// SPDX-License-Identifier: BSD-3-Clause
// Replies of built-in handlers that wait for room, or until the message that is answered has been
// released. The oldest goes first. Private to the runtime.
#pragma once

#include <acre/base/spin_lock.hpp>
#include <acre/runtime/detail/letter.hpp>

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

namespace acre::runtime {

/// Any thread calls any of these.
class reply_queue {
 public:
  /// A look without the lock.
  [[nodiscard]] bool empty() const noexcept { return count_.load(std::memory_order_acquire) == 0; }

  void append(std::unique_ptr<letter> reply) {
    const std::lock_guard hold(lock_);
    replies_.push_back(std::move(reply));
    note_count();
  }

  /// Sends replies until there is no room for the next one.
  /// @param try_send  takes a letter; returns whether it has gone
  template <class TrySend>
  void flush(TrySend&& try_send) {
    if (empty()) return;
    const std::lock_guard hold(lock_);
    while (!replies_.empty() && try_send(std::as_const(*replies_.front()))) {
      replies_.pop_front();
      note_count();  // also for when the next one throws
    }
  }

 private:
  void note_count() noexcept {
    count_.store(static_cast<std::uint32_t>(replies_.size()), std::memory_order_release);
  }

  spin_lock lock_;
  std::deque<std::unique_ptr<letter>> replies_;
  std::atomic<std::uint32_t> count_{0};
};

}  // namespace acre::runtime
