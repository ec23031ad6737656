// SPDX-License-Identifier: BSD-3-Clause
// Combines answers to ranks of other nodes. Gathered while the owner's queue has requests; sent
// when all have run or a function waits, so an answer may wait for a long call. Pending answers
// count as under way.
#pragma once

#include <acre/global/rpc/detail/return_address.hpp>

#include <cstddef>
#include <span>

namespace acre::global {

/// 0: no gathering.
extern constinit std::size_t most_gathered_answer_bytes;

/// @return false: the caller must send it separately
[[nodiscard]] bool gather_answer(const rpc_return_address& caller, bool has_failed,
                                 std::span<const std::byte> payload);

void gather_answers(std::size_t bytes) noexcept;
void stop_gathering_answers() noexcept;

}  // namespace acre::global
