// SPDX-License-Identifier: BSD-3-Clause
// Puts of many short runs: the owner unpacks them.
//
//     sender                           owner, any thread
//     packed runs into a stage    →
//     stage, runs                 →    unpacks
//     stage reusable              ←
//
// The message follows the put. Runs are sent in messages if few, if the owner lends no stage, or if
// messages may overtake puts.
#pragma once

#include <acre/global/transfer/detail/runs_there.hpp>

#include <cstddef>

namespace acre::global {

/// Complete after quiet(), or at the share's end; a dense source must not change before. Cost: W +
/// 2 M per 256 KiB, 2 M more to borrow a stage; or 2 M per message.
/// @param source  first byte of the box
void put_packed(rank_t owner, const runs_there& target, const std::byte* source,
                const box_share& share);

}  // namespace acre::global
