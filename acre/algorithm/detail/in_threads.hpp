// SPDX-License-Identifier: BSD-3-Clause
// Threads of a rank that share a loop.
#pragma once

#include <concepts>

namespace acre::algorithm {

/// The body of a loop, which a call refers to while it lasts.
class loop_part {
 public:
  template <std::invocable<unsigned> F>
  loop_part(const F& f) noexcept
      : f_(&f),
        call_([](const void* body, unsigned number) { (*static_cast<const F*>(body))(number); }) {}

  void operator()(unsigned number) const { call_(f_, number); }

 private:
  const void* f_;
  void (*call_)(const void* body, unsigned number);
};

/// part(0) … part(count - 1), at once: 0 in the calling thread, each other one in a thread of its
/// own. Returns when all have. Where the system gives no more threads, some run one after the other
/// in the calling thread; in the middle of another call all do, and the first to throw ends them.
/// Any thread calls it. Cost: waking the threads, some microseconds; they start when they are
/// wanted first, and sleep in between.
/// @throws what the first part to throw threw, when all have returned
void in_threads(unsigned count, const loop_part& part);

/// @throws acre::error
[[noreturn]] void throw_too_many_threads(unsigned asked, unsigned most);

}  // namespace acre::algorithm
