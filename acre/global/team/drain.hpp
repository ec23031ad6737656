// SPDX-License-Identifier: BSD-3-Clause
// Termination detection for RPCs.
#pragma once

#include <acre/base/site.hpp>

namespace acre {

/// Waits for all calls sent before by rpc() or rpc_ff() on any rank, the calls these send in turn,
/// and the processing of their answers. All ranks then see their effects (put_nbi() after a
/// quiet()). Collective over the job. The end of the job drains too; barrier() does not.
///
/// A call that returns a future ends when it is ready; a promise never fulfilled blocks drain().
/// Later messages of other threads, or of continuations without a returned future, are not awaited.
///
/// Cost: repeated allreduces until no call is under way, usually at most two more than the longest
/// chain of calls; one if no call was sent since the last drain(). Runs user code meanwhile.
/// @throws exceptions of rpc_ff() functions that ran here
void drain(const site& where = site::current());

}  // namespace acre
