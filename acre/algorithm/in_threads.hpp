// SPDX-License-Identifier: BSD-3-Clause
// Runs loops in several threads of a rank.
#pragma once

#include <concepts>

namespace acre::algorithm {

/// Body of a loop, called with the number of a part. Refers to f, which must outlive it.
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

/// Runs part(0) … part(count - 1) concurrently, part 0 in the caller; returns after all. Without
/// enough threads the caller runs the rest; during another call it runs all, up to the first
/// exception. Callable from any thread. Cost: some µs to wake threads.
/// @throws the first exception of a part
void in_threads(unsigned count, const loop_part& part);

/// @throws acre::error always: `asked` threads exceed `most`
[[noreturn]] void throw_too_many_threads(unsigned asked, unsigned most);

}  // namespace acre::algorithm
