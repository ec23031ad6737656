// SPDX-License-Identifier: BSD-3-Clause
// Stages: memory that ranks of other nodes lend for packed puts while most of their private heap is
// free, at most 4 by one rank and 16 in all. A rank keeps a borrowed stage until it needs one of
// another rank.
#pragma once

#include <acre/runtime/world.hpp>

#include <cstdint>
#include <utility>

namespace acre::global {

/// A borrowed stage, or empty. Unless keep() was called, the destructor frees it after any pending
/// put.
class lent_stage {
 public:
  lent_stage() noexcept = default;
  explicit lent_stage(std::uint64_t bits) noexcept : bits_(bits) {}
  lent_stage(lent_stage&& other) noexcept : bits_(std::exchange(other.bits_, 0)) {}
  lent_stage& operator=(lent_stage&&) = delete;
  ~lent_stage();

  [[nodiscard]] explicit operator bool() const noexcept { return bits_ != 0; }
  [[nodiscard]] std::uint64_t bits() const noexcept { return bits_; }
  void keep() noexcept { bits_ = 0; }

 private:
  std::uint64_t bits_ = 0;
};

/// Borrows a stage; waits while all are in use. Cost of a new one: 2 M. Thread-safe.
/// @return empty if the owner does not lend now
[[nodiscard]] lent_stage borrow_stage(rank_t owner);

void give_stage_back(std::uint64_t bits) noexcept;

}  // namespace acre::global
