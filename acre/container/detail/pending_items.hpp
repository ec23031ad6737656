// SPDX-License-Identifier: BSD-3-Clause
// Base of objects that buffer items: items left make the job fail at its end.
#pragma once

#include <acre/base/site.hpp>

#include <cstdint>
#include <string>

namespace acre::container {

class pending_items {
 public:
  pending_items(const pending_items&) = delete;
  pending_items& operator=(const pending_items&) = delete;

  static void keep_losses() noexcept;

 protected:
  pending_items() noexcept;
  ~pending_items();

  /// Keeps the exception for the next call that may throw.
  void keep_loss() const noexcept;

 private:
  /// Called at the end of the job, without further remote calls.
  /// @throws acre::error unless empty
  virtual void throw_if_pending() const = 0;

  pending_items* previous_ = nullptr;
  pending_items* next_ = nullptr;
};

[[noreturn]] void throw_pending(const char* what, std::uint64_t items, const site& where);

}  // namespace acre::container
