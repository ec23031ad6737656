// SPDX-License-Identifier: BSD-3-Clause
// Puts to other nodes as messages, which also notify the owner or change a signal word.
//
//     sender                         target, in any thread
//     place, note, [payload, data] → writes the data, then queues the note
//     place, signal,       [data]  → writes the data, then changes the word
//
// The owner need not act. Complete by its own operation or after quiet(), which queries each target
// once: the question arrives after earlier messages. Larger data is put by the caller; the message
// follows, at once only if messages follow puts.
#pragma once

#include <acre/fabric/atomic_operation.hpp>
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/remote_address.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace acre::runtime {

/// Message for a handler of the memory's owner.
struct owner_note {
  handler_id handler;
  std::span<const word> arguments;
  std::span<const std::byte> payload;
};
inline constexpr std::size_t most_note_arguments = fabric::max_arguments - 3;

/// True if one message holds `bytes` of data and note payload.
[[nodiscard]] bool fits_put_message(std::size_t bytes) noexcept;

/// True if a message after, or with, a put of `bytes` is delivered after its data.
[[nodiscard]] bool message_follows_put(std::size_t bytes);

/// Puts, then passes `note` to the owner of the memory. Data and the note's payload fit one message
/// and are free at return. Flow control as for requests; may run user code. Cost: M; 2 M with
/// `done`.
/// @param done  null: complete after quiet()
void put_then_note(remote_address place, const void* source, std::size_t bytes,
                   const owner_note& note, fabric::operation* done);

struct put_signal_word {
  fabric::atomic_operation operation;
  fabric::atomic_type type;
  fabric::region_key region;
  std::uint64_t offset;
  word operand;
};

/// Puts, then changes a word. The data fits one message and is free at return. Cost: M.
void put_then_signal(remote_address place, const void* source, std::size_t bytes,
                     const put_signal_word& signal);
/// Part of quiet(): queries all targets of put messages.
void ask_targets_of_puts();
[[nodiscard]] bool has_targets_to_ask() noexcept;

/// Local address that a message names; null if other nodes may not write there.
[[nodiscard]] std::byte* address_here(fabric::region_key region, std::uint64_t offset,
                                      std::size_t bytes) noexcept;

}  // namespace acre::runtime
