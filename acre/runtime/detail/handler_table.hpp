// SPDX-License-Identifier: BSD-3-Clause
// The handlers of messages by their numbers, and what they say of a message: whether it is a
// request, and what its sender is charged for it. Private to the runtime.
#pragma once

#include <acre/runtime/active_message.hpp>
#include <acre/runtime/request_window.hpp>

#include <array>
#include <cstdint>

namespace acre::runtime {

struct handler_entry {
  builtin_handler builtin = nullptr;
  owner_handler owner = nullptr;
  bool is_answer = false;  ///< of the owner's: never held back
  message_form form = {};
};

extern constinit std::array<handler_entry, 256> handlers;

/// Whether a message is from a rank of the job, and all is there that its handler reads.
[[nodiscard]] inline bool is_sound(const fabric::message_header& header) noexcept {
  const message_form& least = handlers[header.handler].form;
  return header.source < world.size && header.argument_count >= least.arguments &&
         header.argument_count <= fabric::max_arguments &&
         header.payload_bytes >= least.payload_bytes;
}

[[nodiscard]] inline bool is_request(std::uint8_t handler) noexcept {
  return handlers[handler].owner != nullptr && !handlers[handler].is_answer;
}

/// What counts as under way to another node until the owner has begun to run it: requests, and what
/// brings some.
[[nodiscard]] inline bool is_charged(std::uint8_t handler) noexcept {
  return is_request(handler) || handlers[handler].form.brings_requests;
}

/// What the sender has charged for a message, if that came from another node.
[[nodiscard]] inline std::uint32_t charged_units(const fabric::message_header& header) noexcept {
  return is_charged(header.handler) ? request_units(header) : 0;
}

/// What a send is part of. A request's waits may run what others ask (wait_for_room.hpp), and so do
/// those of its fragments.
enum class part_of { a_request, anything_else };

[[nodiscard]] inline part_of part_of_what(handler_id handler) noexcept {
  return is_charged(static_cast<std::uint8_t>(handler)) ? part_of::a_request
                                                        : part_of::anything_else;
}

}  // namespace acre::runtime
