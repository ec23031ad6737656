// SPDX-License-Identifier: BSD-3-Clause
// Whether a message that has come can be believed.
#pragma once

#include <acre/runtime/active_message.hpp>
#include <acre/runtime/detail/handler_table.hpp>

#include <string>

namespace acre::runtime {

[[nodiscard]] std::string sender_of(const fabric::message_header& header);

/// @throws acre::error: the message is for a handler that this rank does not have
[[noreturn]] void reject(const message& received);
/// @throws acre::error: a handler cannot read the message
[[noreturn, gnu::cold]] void reject_form(const fabric::message_header& header);

/// Nothing is believed because it has come: before anything of a message is used, it is known who
/// has sent it, and that all is there that its handler reads.
inline void require_sound(const fabric::message_header& header) {
  if (!is_sound(header)) [[unlikely]] {
    reject_form(header);
  }
}

/// The whole of a message that goes in fragments: what is said of it is as good as they are.
void require_sound_whole(const message& fragment);

/// A message of a ring that says where its body is.
[[nodiscard]] bool names_body(const message& received) noexcept;

}  // namespace acre::runtime
