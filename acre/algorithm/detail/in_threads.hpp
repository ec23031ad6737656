// Threads of a rank that share a loop.
#pragma once

#include <functional>

namespace acre::detail {

/// part(0) … part(count - 1), at once: 0 in the calling thread, each other one in a thread of its
/// own. Returns when all have. In the middle of another call, or where the system gives no more
/// threads, some run one after the other in the calling thread. Any thread calls it. Cost: waking
/// the threads, some microseconds; they start when they are wanted first, and sleep in between.
/// @throws what the first part to throw threw, when all have returned
void in_threads(unsigned count, const std::function<void(unsigned)>& part);

}  // namespace acre::detail
