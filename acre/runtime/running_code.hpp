// SPDX-License-Identifier: BSD-3-Clause
// The code that a thread runs: the program, or a call served for another rank.
// Written only by its thread. Collectives in served functions are refused: they could deadlock, and
// their order would depend on message arrival (global/team/detail/attendance.hpp). Waits under a
// container lock are refused: they might run code that needs it (wait.cpp). `frames` and `rpcs`
// list calls that cannot return before this code, for agas's deadlock detection. Continuations and
// coroutines restore the state of their attachment (global/future/detail/future_state.hpp,
// task.hpp).
#pragma once

#include <acre/runtime/world.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace acre::runtime {

enum class served_as : std::uint8_t {
  program,
  rpc,          ///< RPC, or call with a put
  object_call,  ///< invoke() of an object
  child         ///< after fork()
};

/// Code that a thread runs: the program, or a call of `caller`. Saved and restored as one word.
struct alignas(std::uint64_t) served_call {
  rank_t caller = 0;
  served_as how = served_as::program;
  bool must_not_wait = false;  ///< in hash_map::update or apply, and after fork()

  [[nodiscard]] bool is_of_program() const noexcept {
    return how == served_as::program && !must_not_wait;
  }
};
static_assert(sizeof(served_call) == sizeof(std::uint64_t));

/// Names a call of an object.
struct call_tag {
  std::uint64_t call = 0;    ///< 0: no call
  std::uint64_t family = 0;  ///< equal for calls caused by one outside call
};

struct call_frame {
  call_tag tag;
  bool is_function;    ///< else a coroutine or continuation
  const void* brings;  ///< future state that its end makes ready; null: unknown
  const call_frame* outer;
};

/// RPC function on a thread's stack.
struct rpc_frame {
  rank_t caller;
  std::uint64_t promise;
  std::uint64_t finisher;  ///< 0: its caller does not wait
  const rpc_frame* outer;
};

struct running_code {
  served_call serves;
  const call_frame* frames = nullptr;
  const rpc_frame* rpcs = nullptr;
};
extern constinit thread_local running_code code_here;

[[nodiscard]] inline call_tag current_call() noexcept {
  return code_here.frames == nullptr ? call_tag{} : code_here.frames->tag;
}

/// Scope in which this thread serves a call.
class serving {
 public:
  explicit serving(served_call call) noexcept : outer_(std::exchange(code_here.serves, call)) {}
  ~serving() { code_here.serves = outer_; }
  serving(const serving&) = delete;
  serving& operator=(const serving&) = delete;

 private:
  served_call outer_;
};

class under_container_lock {
 public:
  under_container_lock() noexcept : outer_(std::exchange(code_here.serves.must_not_wait, true)) {}
  ~under_container_lock() { code_here.serves.must_not_wait = outer_; }
  under_container_lock(const under_container_lock&) = delete;
  under_container_lock& operator=(const under_container_lock&) = delete;

 private:
  bool outer_;
};

class within_rpc {
 public:
  within_rpc(rank_t caller, std::uint64_t promise, std::uint64_t finisher) noexcept
      : frame_{caller, promise, finisher, code_here.rpcs} {
    code_here.rpcs = &frame_;
  }
  ~within_rpc() { code_here.rpcs = frame_.outer; }
  within_rpc(const within_rpc&) = delete;
  within_rpc& operator=(const within_rpc&) = delete;

 private:
  rpc_frame frame_;
};

class within_call {
 public:
  explicit within_call(const call_tag& tag) noexcept
      : within_call(call_frame{tag, true, nullptr, code_here.frames}) {}
  /// Scope of a coroutine or continuation that makes the future state `brings` ready; null:
  /// unknown.
  within_call(const call_tag& tag, const void* brings) noexcept
      : within_call(call_frame{tag, false, brings, code_here.frames}) {}
  ~within_call() { code_here.frames = frame_.outer; }
  within_call(const within_call&) = delete;
  within_call& operator=(const within_call&) = delete;

 private:
  explicit within_call(const call_frame& frame) noexcept : frame_(frame) {
    if (frame.tag.call != 0) code_here.frames = &frame_;
  }

  call_frame frame_;
};

/// @throws acre::error if this thread serves a call
[[noreturn]] void throw_collective_in_call(const char* collective);
inline void require_no_served_call(const char* collective) {
  if (!code_here.serves.is_of_program()) [[unlikely]] {
    throw_collective_in_call(collective);
  }
}

/// @throws acre::error under a container lock, and in a child
[[noreturn]] void throw_must_not_wait(const char* call);
inline void require_may_wait(const char* call) {
  if (code_here.serves.must_not_wait) [[unlikely]] {
    throw_must_not_wait(call);
  }
}

/// "an RPC of rank 3", for reports.
[[nodiscard]] std::string describe(const served_call& call);

[[noreturn]] void throw_in_child(const char* call);

}  // namespace acre::runtime
