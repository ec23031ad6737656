// SPDX-License-Identifier: BSD-3-Clause
// Fast path of sends into the ring of a rank of this node.
#pragma once

#include <acre/runtime/counters.hpp>
#include <acre/runtime/engine.hpp>
#include <acre/runtime/rank_box.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace acre::runtime {

[[nodiscard]] inline bool is_neighbour(rank_t rank) noexcept { return world.bases[rank] != 0; }

[[nodiscard]] inline fabric::message_header header_for(handler_id handler,
                                                       std::span<const word> arguments,
                                                       std::span<const std::byte> payload,
                                                       std::uint32_t tag = 0) noexcept {
  return {.payload_bytes = static_cast<std::uint32_t>(payload.size()),
          .handler = static_cast<std::uint8_t>(handler),
          .argument_count = static_cast<std::uint8_t>(arguments.size()),
          .source = world.rank,
          .tag = tag};
}

inline void count_sent(const fabric::message_header& header) noexcept {
  count(counted::message_sent);
  count(counted::message_bytes, header.payload_bytes);
}

inline bool engine::push_near(rank_t target, const fabric::message_header& header,
                              const word* arguments, const void* payload) {
  if (!box_of(target).ring.try_push(peer_words_[target], header, arguments, payload)) return false;
  ring_bell(target);
  return true;
}

inline bool engine::try_send_near(rank_t target, const fabric::message_header& header,
                                  const word* arguments, const void* payload) {
  if (!push_near(target, header, arguments, payload)) return false;
  count_sent(header);
  return true;
}

}  // namespace acre::runtime
