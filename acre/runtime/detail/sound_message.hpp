// SPDX-License-Identifier: BSD-3-Clause
// Validation of received messages.
#pragma once

#include <acre/runtime/active_message.hpp>
#include <acre/runtime/detail/handler_table.hpp>

#include <string>

namespace acre::runtime {

[[nodiscard]] std::string sender_of(const fabric::message_header& header);

[[noreturn]] void reject(const message& received);
[[noreturn, gnu::cold]] void reject_form(const fabric::message_header& header);

/// Called before any other use of a message.
inline void require_sound(const fabric::message_header& header) {
  if (!is_sound(header)) [[unlikely]] {
    reject_form(header);
  }
}

/// As require_sound(), for the message to which a fragment belongs.
void require_sound_whole(const message& fragment);

/// True if a message with body_in_block has a valid location of its body.
[[nodiscard]] bool names_body(const message& received) noexcept;

}  // namespace acre::runtime
