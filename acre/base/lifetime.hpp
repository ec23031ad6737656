// SPDX-License-Identifier: BSD-3-Clause
// Detects the destruction of an object through a shared flag.
#pragma once

#include <acre/base/shared_object.hpp>

#include <atomic>

namespace acre::base {

/// Member of an object whose destruction others observe. Not thread-safe.
class lifetime {
 public:
  class watch {
   public:
    [[nodiscard]] bool has_ended() const noexcept {
      return has_ended_ == nullptr || has_ended_->load(std::memory_order_relaxed);
    }

   private:
    friend class lifetime;
    explicit watch(shared_object<std::atomic<bool>> has_ended) noexcept
        : has_ended_(std::move(has_ended)) {}

    shared_object<std::atomic<bool>> has_ended_;
  };

  lifetime() = default;
  lifetime(const lifetime&) = delete;
  lifetime& operator=(const lifetime&) = delete;
  ~lifetime() { end(); }

  [[nodiscard]] watch observe() {
    if (has_ended_ == nullptr) has_ended_ = shared_object<std::atomic<bool>>::make(false);
    return watch(has_ended_);
  }
  void end() noexcept {
    if (has_ended_ != nullptr) has_ended_->store(true, std::memory_order_relaxed);
  }

 private:
  shared_object<std::atomic<bool>> has_ended_;
};

}  // namespace acre::base
