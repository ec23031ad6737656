// SPDX-License-Identifier: BSD-3-Clause
// Puts to other nodes whose data travels in a message, because something is to happen at the target
// when it is there: a message to the owner, or a signal word that changes.
//
//     sender                         target, in whatever thread finds the message
//     place, note, [payload, data] → writes the data, then has the owner's queue take the note
//     place, signal,       [data]  → writes the data, then changes the signal word
//
// So it is one trip, and the data is there whether the target's owner looks or not. Such a put
// is complete when its own operation says so, or else after quiet(). Nobody answers a message for
// the sake of quiet(): the sender remembers the targets, and quiet() asks each of them once, as the
// question arrives after what was sent before.
//
// What a message does not carry is a put, and then a message: at once where messages follow puts,
// else when the put is complete.
#pragma once

#include <acre/fabric/atomic_operation.hpp>
#include <acre/runtime/active_message.hpp>
#include <acre/runtime/remote_address.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace acre::runtime {

/// A message to a handler of the owner of the memory that a put writes.
struct owner_note {
  handler_id handler;
  std::span<const word> arguments;  ///< at most most_note_arguments
  std::span<const std::byte> payload;
};
inline constexpr std::size_t most_note_arguments = fabric::max_arguments - 3;

/// Whether one message carries so many bytes of data and of a note's payload together.
[[nodiscard]] bool fits_put_message(std::size_t bytes) noexcept;

/// Whether what is sent right behind a put of so many bytes, or with it, comes after its data.
[[nodiscard]] bool message_follows_put(std::size_t bytes);

/// Puts, and hands `note` to the owner then. The data and the payload fit one message; all is
/// free at return. It is held back as a request is (active_message.hpp), and its wait for room may
/// run user code as that does. Cost: M; 2 M with an operation of its own.
/// @param done  complete when the data is there; null: it is after quiet()
void put_then_note(remote_address place, const void* source, std::size_t bytes,
                   const owner_note& note, fabric::operation* done);

/// A word that a put changes at its target when the data is there: set, or added to.
struct put_signal_word {
  fabric::atomic_operation operation;  ///< store or add
  fabric::atomic_type type;
  fabric::region_key region;
  std::uint64_t offset;
  word operand;
};

/// Puts, and changes a word then. The data fits one message, and is free at return. Cost: M.
void put_then_signal(remote_address place, const void* source, std::size_t bytes,
                     const put_signal_word& signal);
/// For quiet(): asks all targets of such messages that nobody has asked yet.
void ask_targets_of_puts();
/// Whether there are any.
[[nodiscard]] bool has_targets_to_ask() noexcept;

/// Where that is which other nodes name by region and offset; null: nowhere in what they may write.
[[nodiscard]] std::byte* address_here(fabric::region_key region, std::uint64_t offset,
                                      std::size_t bytes) noexcept;

}  // namespace acre::runtime
