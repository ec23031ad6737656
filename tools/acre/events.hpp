// SPDX-License-Identifier: BSD-3-Clause
// Events of the descriptors that a launcher watches: output and connections of ranks, signals, and
// its own input and output.
#pragma once

#include <acre/base/descriptor.hpp>
#include <acre/fabric/message.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <sys/epoll.h>

namespace acre::tool {

using fabric::rank_t;

/// The descriptor of an event; of pmi, output and errors each rank has one.
enum class source : std::uint32_t { signals, sinks, pmi, output, errors, terminal, input };

struct event {
  source what;
  rank_t rank;
  std::uint32_t flags;  ///< EPOLLIN, EPOLLOUT, …
};

/// @return `opened`, which `call` has returned
/// @throws not_started when it is negative, as the launcher cannot watch its ranks without it
[[nodiscard]] descriptor needed(const char* call, int opened);

/// @throws not_started where the system refuses a call
class event_queue {
 public:
  event_queue();

  void add(int number, std::uint32_t flags, source what, rank_t rank = 0);
  void change(int number, std::uint32_t flags, source what, rank_t rank);
  void remove(int number);

  /// @param milliseconds the longest time to wait; -1 waits without limit
  /// @return the next events, valid until the next call
  [[nodiscard]] std::span<const event> wait(int milliseconds);

 private:
  void control(int how, int number, epoll_event asked);

  descriptor epoll_;
  std::array<event, 64> events_;
};

}  // namespace acre::tool
