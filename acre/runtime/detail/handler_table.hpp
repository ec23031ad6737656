// SPDX-License-Identifier: BSD-3-Clause
// Table of message handlers, and the flow-control charges of messages.
#pragma once

#include <acre/runtime/active_message.hpp>
#include <acre/runtime/request_window.hpp>

#include <array>
#include <cstdint>

namespace acre::runtime {

struct handler_entry {
  builtin_handler builtin = nullptr;
  owner_handler owner = nullptr;
  bool is_answer = false;
  message_form form = {};
};

extern constinit std::array<handler_entry, 256> handlers;

/// True if the source is a rank of the job and the handler can read the message.
[[nodiscard]] inline bool is_sound(const fabric::message_header& header) noexcept {
  const message_form& least = handlers[header.handler].form;
  return header.source < world.size && header.argument_count >= least.arguments &&
         header.argument_count <= fabric::max_arguments &&
         header.payload_bytes >= least.payload_bytes;
}

[[nodiscard]] inline bool is_request(std::uint8_t handler) noexcept {
  return handlers[handler].owner != nullptr && !handlers[handler].is_answer;
}

/// True for messages charged to their sender's window until the owner starts them.
[[nodiscard]] inline bool is_charged(std::uint8_t handler) noexcept {
  return is_request(handler) || handlers[handler].form.brings_requests;
}

[[nodiscard]] inline std::uint32_t charged_units(const fabric::message_header& header) noexcept {
  return is_charged(header.handler) ? request_units(header) : 0;
}

/// Kind of a send. Only the wait of a request (or its fragment) may run requests of other ranks.
enum class part_of { a_request, anything_else };

[[nodiscard]] inline part_of part_of_what(handler_id handler) noexcept {
  return is_charged(static_cast<std::uint8_t>(handler)) ? part_of::a_request
                                                        : part_of::anything_else;
}

}  // namespace acre::runtime
