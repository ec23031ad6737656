// SPDX-License-Identifier: BSD-3-Clause
// Scope of a spin lock.
#pragma once

#include <acre/base/spin_lock.hpp>

namespace acre::container {

class lock_held {
 public:
  explicit lock_held(spin_lock& lock) noexcept : lock_(lock) { lock.lock(); }
  ~lock_held() { lock_.unlock(); }
  lock_held(const lock_held&) = delete;
  lock_held& operator=(const lock_held&) = delete;

 private:
  spin_lock& lock_;
};

}  // namespace acre::container
