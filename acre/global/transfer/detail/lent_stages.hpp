// SPDX-License-Identifier: BSD-3-Clause
// Memory that ranks of other nodes have lent to this one, for what it wants to put there in one
// piece before it is taken to its place: stages of stage_bytes.
//
// Whom this rank puts to again has lent already: a stage is asked for once, and kept until another
// rank's is needed more. So a rank borrows a few of each other one, and not many of all. Who is
// asked lends as long as most of its private heap is free.
#pragma once

#include <acre/runtime/world.hpp>

#include <cstdint>
#include <utility>

namespace acre::global {

/// A stage that has been borrowed, or none. One that is not kept goes back to its owner: its use
/// has failed, and a put to it may be under way, which the message that frees it comes behind.
class lent_stage {
 public:
  lent_stage() noexcept = default;
  /// @param bits  of a pointer to it
  explicit lent_stage(std::uint64_t bits) noexcept : bits_(bits) {}
  lent_stage(lent_stage&& other) noexcept : bits_(std::exchange(other.bits_, 0)) {}
  lent_stage& operator=(lent_stage&&) = delete;
  ~lent_stage();

  [[nodiscard]] explicit operator bool() const noexcept { return bits_ != 0; }
  [[nodiscard]] std::uint64_t bits() const noexcept { return bits_; }
  /// It is in use until give_stage_back().
  void keep() noexcept { bits_ = 0; }

 private:
  std::uint64_t bits_ = 0;
};

/// A stage that nobody uses; waits while all are in use, and for the owner that has to be asked
/// first: 2 M then. Any thread.
/// @return none when its owner does not lend now
/// @throws acre::error when the network is lost
[[nodiscard]] lent_stage borrow_stage(rank_t owner);

/// It may be borrowed again. Any thread, in handlers too.
void give_stage_back(std::uint64_t bits) noexcept;

}  // namespace acre::global
