// SPDX-License-Identifier: BSD-3-Clause
// Gets of many short runs: the owner packs them.
//
//     caller                        owner, any thread
//     record, landing, runs    →   packs the runs, puts them into the landing
//     unpacks                  ←   record, number of runs, after the put
//
// The landing is memory of the caller's segment, the destination itself if dense there. Without one
// (small gets), or if the owner cannot put, the answer contains the runs that fit; the caller
// requests the rest.
#pragma once

#include <acre/global/transfer/detail/runs_there.hpp>

#include <cstddef>

namespace acre::global {

/// Complete after quiet(), or at the share's end. Cost: 2 M per 256 KiB (512 in place) and a W of
/// the owner for boxes from 64 KiB if messages follow puts, else 2 M per message.
/// @param destination  first byte of the box
void get_packed(rank_t owner, const runs_there& source, std::byte* destination,
                const box_share& share);

}  // namespace acre::global
