// SPDX-License-Identifier: BSD-3-Clause
// Messages without payload, passed directly to the provider (capi/gasnet).
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

template <std::size_t Words>
struct short_message {
  fabric::message_head head;
  std::array<word, Words> words;
};
template <>
struct short_message<0> {
  fabric::message_head head;
};

/// Sends through the provider.
/// @return false if not sent: use send()
template <std::size_t Words>
[[nodiscard, gnu::always_inline]] inline bool send_directly(rank_t target,
                                                            short_message<Words>& message) {
  if (network_line.send(network_line.sender, &message, sizeof message, target) != 0) [[unlikely]]
    return false;
  count(counted::message_sent);
  return true;
}

/// For owner requests, which may be held back.
template <std::size_t Words>
[[nodiscard, gnu::always_inline]] inline bool send_request_directly(rank_t target,
                                                                    short_message<Words>& message) {
  account& there = windows_of_requests.accounts[target];
  if (!has_room(there)) return false;
  constexpr std::uint32_t units = request_units(Words, 0);
  charge(there, units);
  if (send_directly(target, message)) [[likely]] {
    return true;
  }
  discharge_rank(target, units);
  return false;
}

}  // namespace acre::runtime
