// SPDX-License-Identifier: BSD-3-Clause
// Messages without a payload to ranks of other nodes, straight through the provider: the way of
// those who count instructions (capi/gasnet).
#pragma once

#include <acre/fabric/message.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/network_line.hpp>
#include <acre/runtime/request_window.hpp>
#include <acre/runtime/world.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <sys/types.h>

namespace acre::runtime {

using fabric::word;

/// A message without a payload, as it travels.
template <std::size_t Words>
struct short_message {
  fabric::message_header header;
  std::array<word, Words> words;
};
template <>
struct short_message<0> {
  fabric::message_header header;
};

/// Sends to a rank of another node straight through the provider.
/// @return false: it was not sent, and send() is the way
template <std::size_t Words>
[[nodiscard, gnu::always_inline]] inline bool send_directly(rank_t target,
                                                            const short_message<Words>& message) {
  const ssize_t result = network_line.send(network_line.end, &message, sizeof message, target);
  count(counted::message_sent);
  return result == 0;
}

/// The same for a request of the owner's, which may be held back.
template <std::size_t Words>
[[nodiscard, gnu::always_inline]] inline bool send_request_directly(
    rank_t target, const short_message<Words>& message) {
  account& there = windows_of_requests.accounts[target];
  if (!has_room(there)) return false;
  constexpr std::uint32_t units = request_units(Words, 0);
  charge(there, units);
  if (send_directly(target, message)) [[likely]] {
    return true;
  }
  discharge(there, units);
  return false;
}

}  // namespace acre::runtime
