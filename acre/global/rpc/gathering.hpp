// SPDX-License-Identifier: BSD-3-Clause
// Gathers items in one message per target rank, sent when full or by flush(). An add() more than 1
// ms after the first item since flush() sends all.
#pragma once

#include <acre/base/spin_lock.hpp>
#include <acre/global/wire/packed_items.hpp>
#include <acre/runtime/active_message.hpp>

#include <chrono>
#include <cstddef>
#include <span>
#include <vector>

namespace acre::global {

/// Thread-safe.
class gathering {
 public:
  explicit gathering(runtime::handler_id handler, void (*sent)() = nullptr) noexcept
      : handler_(handler), sent_(sent) {}

  /// Adds an item that consists of `head` and `body`. Sending runs no user code.
  /// @param most_bytes  maximum message size, more than the item
  void add(rank_t target, std::span<const std::byte> head, std::span<const std::byte> body,
           std::size_t most_bytes);
  void flush(rank_t target);
  void flush();
  void clear() noexcept;

 private:
  using clock = std::chrono::steady_clock;

  void send(rank_t target, const packed_items& batch) const;

  runtime::handler_id handler_;
  void (*sent_)();
  spin_lock lock_;
  std::vector<packed_items> of_rank_;
  std::vector<rank_t> targets_;
  clock::time_point begin_;
};

}  // namespace acre::global
