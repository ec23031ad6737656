// The calls of objects whose code a thread runs.
//
// The code of a call runs on a thread's stack; a coroutine or a continuation of it resumes later,
// possibly on another stack, and is still code of that call. The runtime only maintains the list of
// frames; agas uses it to relate calls to each other, and to detect waits that can never end.
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
  bool is_function;         ///< that has been called; else a coroutine or continuation that goes on
  const void* brings;       ///< of these: the state of its future, or null for unknown
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
  explicit within_call(const call_tag& tag) noexcept
      : within_call(call_frame{tag, true, nullptr, latest_call_frame}) {}
  /// A coroutine or continuation that brings that state; null: unknown.
  within_call(const call_tag& tag, const void* brings) noexcept
      : within_call(call_frame{tag, false, brings, latest_call_frame}) {}
  ~within_call() { latest_call_frame = frame_.outer; }
  within_call(const within_call&) = delete;
  within_call& operator=(const within_call&) = delete;

 private:
  explicit within_call(const call_frame& frame) noexcept : frame_(frame) {
    if (frame.tag.call != 0) latest_call_frame = &frame_;
  }

  call_frame frame_;
};

}  // namespace acre::runtime
