// The calls whose code a thread runs: what that code waits for, these calls wait for.
//
// A call here is one of an object (agas). Its code runs on a thread's stack, and, where it is a
// coroutine or a continuation, goes on later, perhaps on another stack: then too it is the code of
// that call. The runtime only keeps the list; whoever detects waits that cannot end reads it.
#pragma once

#include <cstdint>

namespace acre::runtime {

/// Names a call.
struct call_tag {
  std::uint64_t call = 0;    ///< unique in the job; 0: no call
  std::uint64_t family = 0;  ///< the same for all calls that one call from outside has led to
};

/// A piece of a call's code on the stack of a thread.
struct call_frame {
  call_tag tag;
  const call_frame* outer;  ///< older: it cannot return before this one does
};

/// The newest of this thread.
inline constinit thread_local const call_frame* latest_call_frame = nullptr;

/// The call whose code this thread runs.
[[nodiscard]] inline call_tag current_call() noexcept {
  return latest_call_frame == nullptr ? call_tag{} : latest_call_frame->tag;
}

/// While it lives, this thread runs code of that call.
class within_call {
 public:
  explicit within_call(const call_tag& tag) noexcept : frame_{tag, latest_call_frame} {
    if (tag.call != 0) latest_call_frame = &frame_;
  }
  ~within_call() { latest_call_frame = frame_.outer; }
  within_call(const within_call&) = delete;
  within_call& operator=(const within_call&) = delete;

 private:
  call_frame frame_;
};

}  // namespace acre::runtime
