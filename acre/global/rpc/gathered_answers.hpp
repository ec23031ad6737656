// SPDX-License-Identifier: BSD-3-Clause
// Answers to ranks of other nodes that go together in one message.
//
// What asks for them has come together, too, and waits in the owner's queue: answers are gathered
// while more of that is to be run, and go when all of it has run, or its function waits. An answer
// that nothing is behind goes at once. One that a long call is behind waits for that. They count as
// under way meanwhile. At the target each is an answer as any other.
#pragma once

#include <acre/global/rpc/detail/return_address.hpp>

#include <cstddef>
#include <span>

namespace acre::global {

/// Bytes that are gathered for one rank; 0: answers are sent one by one.
extern constinit std::size_t most_gathered_answer_bytes;

/// @return false: it is to be sent by itself
[[nodiscard]] bool gather_answer(const rpc_return_address& caller, bool has_failed,
                                 std::span<const std::byte> payload);

/// @param bytes  as much as a message holds where that is less
void gather_answers(std::size_t bytes) noexcept;
/// When the job has ended.
void stop_gathering_answers() noexcept;

}  // namespace acre::global
