// SPDX-License-Identifier: BSD-3-Clause
// Objects that collect items before sending them. Some are still alive at the end of the job:
// static objects, and objects that are never destroyed. Items left in them make the job fail.
//
// A rank keeps these objects in one list, under a lock. Constructors and destructors update it;
// collecting an item costs nothing extra.
#pragma once

#include <acre/base/site.hpp>

#include <cstdint>
#include <string>

namespace acre::container {

class pending_items {
 public:
  pending_items(const pending_items&) = delete;
  pending_items& operator=(const pending_items&) = delete;

  /// Calls keep_loss() of each object of this rank.
  static void keep_losses() noexcept;

 protected:
  pending_items() noexcept;
  ~pending_items();

  /// Keeps the exception of throw_if_pending() for the next call that may throw.
  void keep_loss() const noexcept;

 private:
  /// At the end of the job: no call of another rank runs any more.
  /// @throws acre::error that names the object and what it holds, unless it is empty
  virtual void throw_if_pending() const = 0;

  pending_items* previous_ = nullptr;
  pending_items* next_ = nullptr;
};

/// The error of a buffered writer or reader.
/// @param what  "writer" or "reader"
/// @param where  where that was made
[[noreturn]] void throw_pending(const char* what, std::uint64_t items, const site& where);

}  // namespace acre::container
