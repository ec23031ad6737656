// SPDX-License-Identifier: BSD-3-Clause
// Counts elements being read into a buffer.
#pragma once

#include <acre/global/memory/put_get.hpp>
#include <acre/global/transfer/completion.hpp>

#include <cstddef>
#include <utility>

namespace acre::algorithm {

/// The destructor waits, so declare it after the buffer.
class under_way {
 public:
  under_way() = default;
  under_way(under_way&& other) noexcept : count_(std::exchange(other.count_, 0)) {}
  ~under_way() {
    if (count_ == 0) return;
    try {
      quiet();
    } catch (...) {  // NOLINT(bugprone-empty-catch): what passes already says what is wrong
    }
  }

  void add(std::size_t more) noexcept { count_ += more; }
  void clear() noexcept { count_ = 0; }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }

 private:
  std::size_t count_ = 0;
};

}  // namespace acre::algorithm
