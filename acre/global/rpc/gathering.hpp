// SPDX-License-Identifier: BSD-3-Clause
// Items for ranks of other nodes that are gathered, so that many go in one message: one for each
// rank, which goes when it is full, when the first of all has waited for a millisecond as the next
// is added, or when whoever gathers says so.
#pragma once

#include <acre/base/spin_lock.hpp>
#include <acre/global/wire/packed_items.hpp>
#include <acre/runtime/active_message.hpp>

#include <chrono>
#include <cstddef>
#include <span>
#include <vector>

namespace acre::global {

/// Any thread calls it.
class gathering {
 public:
  /// @param sent  is called for each message, before it is sent
  explicit gathering(runtime::handler_id handler, void (*sent)() = nullptr) noexcept
      : handler_(handler), sent_(sent) {}

  /// One item, of two parts. Its sends run no code of users.
  /// @param most_bytes  that a message has; the item is smaller
  void add(rank_t target, std::span<const std::byte> head, std::span<const std::byte> body,
           std::size_t most_bytes);
  /// Sends what has been gathered: for a rank, for all.
  void flush(rank_t target);
  void flush();
  /// Forgets what has been gathered.
  void clear() noexcept;

 private:
  using clock = std::chrono::steady_clock;

  void send(rank_t target, const packed_items& batch) const;

  runtime::handler_id handler_;
  void (*sent_)();
  spin_lock lock_;
  std::vector<packed_items> of_rank_;
  std::vector<rank_t> targets_;  ///< for which something has been gathered
  clock::time_point begin_;      ///< when the first of it came
};

}  // namespace acre::global
