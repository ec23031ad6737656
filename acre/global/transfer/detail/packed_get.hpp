// SPDX-License-Identifier: BSD-3-Clause
// Boxes of many short runs from another node: their owner packs them.
//
//     asker                            owner, in whatever thread finds the message
//     record, landing, runs         →  packs the runs, and puts them into the landing
//     unpacks them                  ←  record, how many they were, behind the put
//
// The landing is memory of the asker's segment: the destination itself where that is dense there. A
// get of few bytes has none, and the answer brings the runs itself; so it does, as many as it
// carries, when the owner cannot put now: then the asker's handler asks for the rest in its reply.
// So nothing queues at the owner.
#pragma once

#include <acre/global/transfer/detail/runs_there.hpp>

#include <cstddef>

namespace acre::global {

/// Complete after quiet(), or when the share's end is told. Cost: 2 M for each 256 KiB (512 where
/// they land in place), and a W of the owner's, where messages follow puts; else 2 M for each
/// message that the runs are packed into.
/// @param destination  the first byte of the whole box here
/// @throws acre::error when the network is lost
void get_packed(rank_t owner, const runs_there& source, std::byte* destination,
                const box_share& share);

}  // namespace acre::global
