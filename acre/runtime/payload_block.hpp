// SPDX-License-Identifier: BSD-3-Clause
// A payload that is written where its receiver reads it: in a block of this rank's that a neighbour
// sees (fabric/smp_blocks.hpp). It saves a copy to whoever writes a payload only to send it.
#pragma once

#include <acre/runtime/active_message.hpp>

#include <cstddef>
#include <span>

namespace acre::runtime {

/// Given back when it is not sent.
class payload_block {
 public:
  /// Never waits. It has no place where a block would be of no use, which is for a rank of another
  /// node and for few bytes, and where no block is free or large enough: then the payload is
  /// written elsewhere, and sent as any other.
  payload_block(rank_t target, std::size_t bytes) noexcept;
  ~payload_block();
  payload_block(const payload_block&) = delete;
  payload_block& operator=(const payload_block&) = delete;

  [[nodiscard]] bool has_place() const noexcept { return !place_.empty(); }
  /// Of as many bytes as were asked for.
  [[nodiscard]] std::span<std::byte> place() const noexcept { return place_; }
  /// Now the receiver gives it back.
  [[nodiscard]] std::span<std::byte> release() noexcept;

 private:
  std::span<std::byte> place_;
};

/// As send(), of what has been written to the place of `payload`, which has one. It is none
/// afterwards.
/// @param arguments  at most six
/// @param target     for which the payload was made
void send(rank_t target, handler_id handler, std::span<const word> arguments,
          payload_block& payload);

}  // namespace acre::runtime
