// SPDX-License-Identifier: BSD-3-Clause
// Termination detection as a future, requested by one rank.
//
//     acre::invoke_ff(root, &node::search);                    // starts a tree of calls
//     acre::quiescence().then([] { std::puts("searched"); });
#pragma once

#include <acre/global/future/future.hpp>

namespace acre {

/// Future that is ready when no call of rpc(), rpc_ff(), invoke() or invoke_ff() is under way on
/// any rank: those sent before by this rank, those that reach it or leave other ranks before the
/// search ends, and the calls these send in turn. Not collective: other ranks need not call it, and
/// may send calls later; drain() is the collective form. Calls wait for objects and futures as in
/// drain().
///
/// A function that runs for another rank, or of an object, is itself under way: use then() there;
/// get() would wait for itself. A future that is not ready at the end of the job fails.
///
/// Cost: at least two rounds of 2 (P - 1) M; while calls are under way, a round per millisecond of
/// this rank's waits and idle progress(). Ranks of other nodes answer at any time, those of this
/// node in their calls.
[[nodiscard]] future<> quiescence();

}  // namespace acre
