// SPDX-License-Identifier: BSD-3-Clause
// A job of one process that has other nodes all the same, for tests: a mirror in which this rank
// sees itself as all others.
//
// The bootstrap says that this is rank 0 of several and hands every rank what this one said; on
// a loopback wire that makes each message come back as one from the rank that it was sent to, and
// each put land in the own segment. Its job needs ACRE_RANKS_PER_NODE=1 and ACRE_CONDUIT=loopback.
//
// The others do what this rank does, when it does it. Where ranks have parts of their own to play,
// as in a tree with a root, nobody plays those of the others, and rank 0 waits.
#pragma once

#include <acre/fabric/loopback.hpp>
#include <acre/runtime/bootstrap.hpp>

#include <memory>

namespace acre::launch {

/// To be given to use_bootstrap().
[[nodiscard]] std::unique_ptr<runtime::bootstrap> make_mirror(
    std::shared_ptr<fabric::loopback_wire> wire, fabric::rank_t size = 2);

}  // namespace acre::launch
