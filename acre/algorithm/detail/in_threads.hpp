// Threads of a rank that share a loop.
#pragma once

#include <functional>

namespace acre::detail {

/// part(0) … part(count - 1), at once: 0 in the calling thread, each other one in a thread of its
/// own. Returns when all have. Where the system gives no more threads, some run one after the other
/// in the calling thread; in the middle of another call all do, and the first to throw ends them.
/// Any thread calls it. Cost: waking the threads, some microseconds; they start when they are
/// wanted first, and sleep in between.
/// @throws what the first part to throw threw, when all have returned
void in_threads(unsigned count, const std::function<void(unsigned)>& part);

/// @throws acre::error
[[noreturn]] void throw_too_many_threads(unsigned asked, unsigned most);

}  // namespace acre::detail
