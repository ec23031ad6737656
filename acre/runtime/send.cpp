// SPDX-License-Identifier: BSD-3-Clause
// Sends into rings or through the network, whole or in fragments, within windows
// (request_window.hpp).
#include <acre/base/error.hpp>
#include <acre/fabric/conduit.hpp>
#include <acre/runtime/detail/body_in_block.hpp>
#include <acre/runtime/detail/send_near.hpp>
#include <acre/runtime/detail/wait_for_room.hpp>
#include <acre/runtime/engine.hpp>
#include <acre/runtime/request_window.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace acre::runtime {

constinit request_windows windows_of_requests{};

bool engine::push_far(rank_t target, fabric::message_header header, const word* arguments,
                      const void* payload) {
  account& there = peer_words_[target];
  const std::uint32_t told = take_run(there, UINT16_MAX);
  header.flags = static_cast<std::uint16_t>(told);
  bool sent = false;
  try {
    sent = network_->try_send(target, header, arguments, payload);
  } catch (...) {
    put_back_run(there, told);
    throw;
  }
  if (!sent && told != 0) put_back_run(there, told);
  return sent;
}

bool engine::try_send_far(rank_t target, const fabric::message_header& header,
                          const word* arguments, const void* payload) {
  if (!push_far(target, header, arguments, payload)) return false;
  count_sent(header);
  return true;
}

bool engine::try_reply(rank_t target, const fabric::message_header& header, const word* arguments,
                       const void* payload) {
  const bool sent = is_neighbour(target) ? push_near(target, header, arguments, payload)
                                         : push_far(target, header, arguments, payload);
  const bool is_counted = handlers[header.handler].form.is_counted &&
                          header.handler != static_cast<std::uint8_t>(handler_ids::requests_run);
  if (sent && is_counted) count_sent(header);
  return sent;
}

bool engine::try_send(rank_t target, handler_id handler, std::span<const word> arguments,
                      std::span<const std::byte> payload, std::uint32_t tag) {
  const fabric::message_header header = header_for(handler, arguments, payload, tag);
  if (is_neighbour(target)) {
    return try_send_near(target, header, arguments.data(), payload.data());
  }
  if (!is_charged(header.handler)) {
    return try_send_far(target, header, arguments.data(), payload.data());
  }
  return has_room(peer_words_[target]) &&
         try_send_charged(target, header, arguments.data(), payload.data());
}

bool engine::try_send_charged(rank_t target, const fabric::message_header& header,
                              const word* arguments, const void* payload) {
  account& there = peer_words_[target];
  charge(there, request_units(header));
  bool sent = false;
  try {
    sent = try_send_far(target, header, arguments, payload);
  } catch (...) {
    discharge(there, request_units(header));
    throw;
  }
  if (!sent) discharge(there, request_units(header));
  return sent;
}

void engine::send_when_there_is_room(rank_t target, handler_id handler,
                                     std::span<const word> arguments,
                                     std::span<const std::byte> payload, std::uint32_t tag) {
  wait_and_send(target, handler, arguments, payload, tag, part_of_what(handler));
}

void engine::wait_and_send(rank_t target, handler_id handler, std::span<const word> arguments,
                           std::span<const std::byte> payload, std::uint32_t tag, part_of whole) {
  const fabric::message_header header = header_for(handler, arguments, payload, tag);
  const bool may_exceed = is_charged(header.handler) && !is_neighbour(target);
  wait_for_room waiting(*this, whole);
  do {
    waiting.step();
    if (may_exceed && waiting.may_exceed_window_of(target) &&
        try_send_charged(target, header, arguments.data(), payload.data())) {
      return;
    }
  } while (!try_send(target, handler, arguments, payload, tag));
}

std::size_t engine::most_at_once(rank_t target) const noexcept {
  return is_neighbour(target) ? most_near : max_payload_;
}

void engine::send_large(rank_t target, handler_id handler, std::span<const word> arguments,
                        std::span<const std::byte> payload, std::uint32_t tag) {
  const part_of whole = part_of_what(handler);
  if (payload.size() <= most_at_once(target)) {
    send_whole(target, handler, arguments, payload, tag, whole);
  } else {
    send_fragments(target, handler, arguments, payload, tag);
  }
  if (whole == part_of::a_request) run_what_came();
}

void engine::send_whole(rank_t target, handler_id handler, std::span<const word> arguments,
                        std::span<const std::byte> payload, std::uint32_t tag, part_of whole) {
  if (is_neighbour(target) && send_in_block(target, handler, arguments, payload, tag, whole)) {
    return;
  }
  if (!try_send(target, handler, arguments, payload, tag)) {
    wait_and_send(target, handler, arguments, payload, tag, whole);
  }
}

void engine::send_fragments(rank_t target, handler_id handler, std::span<const word> arguments,
                            std::span<const std::byte> payload, std::uint32_t tag) {
  if (payload.size() > UINT32_MAX) {
    throw error("send", "a message of " + std::to_string(payload.size()) + " bytes is too large",
                "send at most 4 GiB at once");
  }
  const fabric::message_header header = header_for(handler, arguments, payload, tag);
  const std::size_t most = most_at_once(target);
  hold_back(target, header);
  const word number = fragmented_messages_.fetch_add(1, std::memory_order_relaxed);
  const auto send_part = [&](std::size_t begin, std::span<const std::byte> part) {
    const auto words = std::bit_cast<fragment_arguments>(
        fragment_head{.number = number, .begin = begin, .whole = header});
    send_whole(target, handler_ids::fragment, words, part, 0, part_of_what(handler));
  };
  if (!arguments.empty()) send_part(0, std::as_bytes(arguments));
  for (std::size_t done = 0; done < payload.size(); done += most) {
    send_part(arguments.size_bytes() + done,
              payload.subspan(done, std::min(most, payload.size() - done)));
  }
}

/// Waits for room in the window and charges the whole message: its fragments are never held back.
void engine::hold_back(rank_t target, const fabric::message_header& header) {
  if (is_neighbour(target) || !is_charged(header.handler)) return;
  account& there = peer_words_[target];
  if (!has_room(there)) {
    wait_for_room waiting(*this, part_of::a_request);
    do {
      waiting.step();
    } while (!has_room(there) && !waiting.may_exceed_window_of(target));
  }
  charge(there, request_units(header));
}

std::size_t max_payload() noexcept { return the_engine->max_payload(); }

bool try_send(rank_t target, handler_id handler, std::span<const word> arguments,
              std::span<const std::byte> payload, std::uint32_t tag) {
  return the_engine->try_send(target, handler, arguments, payload, tag);
}

void send(rank_t target, handler_id handler, std::span<const word> arguments,
          std::span<const std::byte> payload, std::uint32_t tag) {
  if (payload.size() > most_in_cells) {
    the_engine->send_large(target, handler, arguments, payload, tag);
    return;
  }
  if (!the_engine->try_send(target, handler, arguments, payload, tag)) [[unlikely]] {
    the_engine->send_when_there_is_room(target, handler, arguments, payload, tag);
  }
}

}  // namespace acre::runtime
