// SPDX-License-Identifier: BSD-3-Clause
// Termination detection as a future, requested by one rank.
//
//     acre::invoke_ff(root, &node::search);                    // starts a tree of calls
//     acre::quiescence().then([] { std::puts("searched"); });
#pragma once

#include <acre/global/future/future.hpp>

namespace acre {

/// Future that is ready when no call is under way on any rank, in the sense of drain(). Not
/// collective; other ranks may send later calls.
///
/// A call is under way until its function and continuations of its answer return: waiting there
/// throws, or does not end; use then(). Fails if not ready at the end of the job.
///
/// Cost: two rounds of 2 (P - 1) M, and one per millisecond while calls are under way. Ranks of
/// this node answer in their calls, others at any time.
[[nodiscard]] future<> quiescence();

}  // namespace acre
