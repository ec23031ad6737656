// SPDX-License-Identifier: BSD-3-Clause
// Events of the descriptors that a launcher watches.
#pragma once

#include <acre/base/descriptor.hpp>
#include <acre/fabric/message.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <sys/epoll.h>

namespace acre::tool {

using fabric::rank_t;

/// pmi, output and errors exist per rank.
enum class source : std::uint32_t { signals, sinks, pmi, output, errors, terminal, input };

struct event {
  source what;
  rank_t rank;
  std::uint32_t flags;  ///< EPOLLIN, EPOLLOUT, …
};

/// @throws not_started if `opened` is negative
[[nodiscard]] descriptor needed(const char* call, int opened);

/// @throws not_started if a call fails
class event_queue {
 public:
  event_queue();

  void add(int number, std::uint32_t flags, source what, rank_t rank = 0);
  void change(int number, std::uint32_t flags, source what, rank_t rank);
  void remove(int number);

  /// @param milliseconds timeout; -1: unlimited
  /// @return events, valid until the next call
  [[nodiscard]] std::span<const event> wait(int milliseconds);

 private:
  void control(int how, int number, epoll_event asked);

  descriptor epoll_;
  std::array<event, 64> events_;
};

}  // namespace acre::tool
