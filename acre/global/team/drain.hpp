// SPDX-License-Identifier: BSD-3-Clause
// Waiting for all RPCs: also for those that nobody has a future of.
#pragma once

#include <acre/base/site.hpp>

namespace acre {

/// Returns when all functions have run that any rank has sent by rpc() or rpc_ff() before it
/// called this, those that these have sent in turn, and so on; and when all answers have been
/// taken by their callers, with what hangs on them. What they have stored is seen by all ranks
/// then (what they put with put_nbi after a quiet()). Collective over the job.
/// A call whose function returns a future is under way until that future is ready, whatever it
/// awaits: other calls, gets, puts, copies, or a promise that you fulfil. A promise that is never
/// fulfilled is waited for without end; the stall watch says on which rank.
///
///     for (const edge& e : mine) acre::rpc_ff(owner_of(e.to), visit, e);   // visit() sends more
///     acre::drain();                                                       // all are visited
///
/// Not waited for is what will be sent later by something that is no call under way: by a
/// continuation of a get_async() whose future the function did not return, by another thread. While
/// other threads go on sending, this returns at a moment at which nothing is under way.
///
/// The end of the job does the same, so no call is lost. barrier() does not: it says that all are
/// there, and calls may still be on their way then.
///
/// Cost: in the worst case two rounds more than the longest chain of calls, each of an allreduce;
/// one round when nothing was sent since the last one. Runs user code meanwhile, as every wait
/// does.
/// @throws what one of the functions of rpc_ff() has thrown that ran on this rank
void drain(const site& where = site::current());

}  // namespace acre
