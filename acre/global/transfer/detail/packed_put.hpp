// SPDX-License-Identifier: BSD-3-Clause
// Boxes of many short runs to another node: its owner unpacks them.
//
//     sender                                owner, in whatever thread finds the message
//     puts packed runs into a stage
//     that the owner has lent            →
//     stage, runs                        →  unpacks them
//     may use the stage again            ←
//
// The message comes behind the put. A put of few bytes, one to an owner that lends nothing, and one
// through a network where messages overtake puts, has the runs in its messages.
#pragma once

#include <acre/global/transfer/detail/runs_there.hpp>

#include <cstddef>

namespace acre::global {

/// Complete after quiet(), or when the share's end is told; until then a source that is dense here
/// must stay as it is. Cost: W + 2 M for each 256 KiB, and 2 M more where a stage has to be
/// borrowed; or 2 M for each message that the runs are packed into.
/// @param source  the first byte of the whole box here
/// @throws acre::error when the network is lost
void put_packed(rank_t owner, const runs_there& target, const std::byte* source,
                const box_share& share);

}  // namespace acre::global
