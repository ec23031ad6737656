// SPDX-License-Identifier: BSD-3-Clause
// Combines RPC answers to one rank of another node in messages. Answers are gathered while this
// rank's queue has requests, and sent when all have run or a function waits. They count as calls
// under way.
#pragma once

#include <acre/global/rpc/detail/return_address.hpp>

#include <cstddef>
#include <span>

namespace acre::global {

/// Maximum size of a message of gathered answers; 0: answers are not gathered.
extern constinit std::size_t most_gathered_answer_bytes;

/// @return false if the caller must send the answer separately
[[nodiscard]] bool gather_answer(const rpc_return_address& caller, bool has_failed,
                                 std::span<const std::byte> payload);

void gather_answers(std::size_t bytes) noexcept;
void stop_gathering_answers() noexcept;

}  // namespace acre::global
