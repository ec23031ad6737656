// SPDX-License-Identifier: BSD-3-Clause
// Replies that wait for room, or for the release of the answered message.
#pragma once

#include <acre/base/spin_lock.hpp>
#include <acre/runtime/detail/queued_message.hpp>

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

namespace acre::runtime {

/// Thread-safe.
class reply_queue {
 public:
  [[nodiscard]] bool empty() const noexcept { return count_.load(std::memory_order_acquire) == 0; }

  void append(std::unique_ptr<queued_message> reply) {
    const std::lock_guard hold(lock_);
    replies_.push_back(std::move(reply));
    note_count();
  }

  template <class TrySend>
  void flush(TrySend&& try_send) {
    if (empty()) return;
    const std::lock_guard hold(lock_);
    while (!replies_.empty() && try_send(std::as_const(*replies_.front()))) {
      replies_.pop_front();
      note_count();
    }
  }

 private:
  void note_count() noexcept {
    count_.store(static_cast<std::uint32_t>(replies_.size()), std::memory_order_release);
  }

  spin_lock lock_;
  std::deque<std::unique_ptr<queued_message>> replies_;
  std::atomic<std::uint32_t> count_{0};
};

}  // namespace acre::runtime
