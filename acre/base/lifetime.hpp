// SPDX-License-Identifier: BSD-3-Clause
// Whether an object is still there, for others that have its address.
#pragma once

#include <acre/base/shared_object.hpp>

#include <atomic>

namespace acre::base {

/// A member of the object. One thread at a time.
class lifetime {
 public:
  /// Tells others. Copies tell the same.
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
  shared_object<std::atomic<bool>> has_ended_;  ///< from when somebody observes it
};

}  // namespace acre::base
