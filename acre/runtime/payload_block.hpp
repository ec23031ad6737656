// SPDX-License-Identifier: BSD-3-Clause
// Payload in a block shared with a rank of this node, which saves a copy.
#pragma once

#include <acre/runtime/active_message.hpp>

#include <cstddef>
#include <span>

namespace acre::runtime {

/// The destructor frees an unsent block.
class payload_block {
 public:
  /// Never waits. Has no place if `target` is on another node, `bytes` are at most 256, or no block
  /// is free: then send() a span.
  payload_block(rank_t target, std::size_t bytes) noexcept;
  ~payload_block();
  payload_block(const payload_block&) = delete;
  payload_block& operator=(const payload_block&) = delete;

  [[nodiscard]] bool has_place() const noexcept { return !place_.empty(); }
  /// Memory of the requested size.
  [[nodiscard]] std::span<std::byte> place() const noexcept { return place_; }
  /// Passes ownership to the receiver.
  [[nodiscard]] std::span<std::byte> release() noexcept;

 private:
  std::span<std::byte> place_;
};

/// As send(). `payload` must have a place for `target`, and is empty afterwards.
/// @param arguments  at most six
void send(rank_t target, handler_id handler, std::span<const word> arguments,
          payload_block& payload);

}  // namespace acre::runtime
