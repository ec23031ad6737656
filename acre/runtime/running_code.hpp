// SPDX-License-Identifier: BSD-3-Clause
// The code that a thread runs: the rank's own program, or a call that it serves for another rank.
//
//     const serving now({.asker = caller, .how = served_as::rpc});   // the function runs here
//
// One value for each thread, which alone writes it, answers two questions. `serves` says whether
// the code may call a collective, and whether it may wait. A collective inside a served function
// could wait for ranks that wait for the function, and its place in the order of collectives would
// depend on when the message arrived: it is refused by name (global/team/detail/attendance.hpp).
// Under a lock of a container every wait is refused, because what runs in the wait may need that
// lock (wait.cpp). `frames` says which calls of objects cannot return before this code has, and
// `rpcs` which RPCs: agas relates calls to each other by them, and detects waits that can never
// end.
//
// Code of a call may go on later, on another stack: each continuation and coroutine brings what
// ran when it was attached (global/future/detail/future_state.hpp, future_then.hpp, task.hpp). What
// runs nested in a wait of a function sets `serves` anew, but leaves the frames below it: these
// calls cannot return before it does.
#pragma once

#include <acre/runtime/world.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace acre::runtime {

/// How a function came to run here.
enum class served_as : std::uint8_t {
  program,      ///< not at all: the rank's own code
  rpc,          ///< an RPC, or a call that came with a put
  object_call,  ///< invoke() of an object
  child         ///< not at all: this process is a child of a rank, made by fork()
};

/// A word, so that it can be saved and restored by one load and one store.
struct alignas(std::uint64_t) served_call {
  rank_t asker = 0;
  served_as how = served_as::program;
  bool must_not_wait = false;  ///< the function of hash_map::update or apply, and children

  [[nodiscard]] bool is_of_program() const noexcept {
    return how == served_as::program && !must_not_wait;
  }
};
static_assert(sizeof(served_call) == sizeof(std::uint64_t));

/// Names a call of an object.
struct call_tag {
  std::uint64_t call = 0;    ///< unique in the job; 0: no call
  std::uint64_t family = 0;  ///< the same for all calls that one call from outside has led to
};

/// A piece of such a call's code on the stack of a thread.
struct call_frame {
  call_tag tag;
  bool is_function;         ///< that has been called; else a coroutine or continuation that goes on
  const void* brings;       ///< of these: the state of its future, or null for unknown
  const call_frame* outer;  ///< older: it cannot return before this one does
};

/// An RPC whose function is on the stack of a thread. It cannot return before what runs above it.
struct rpc_frame {
  rank_t asker;
  std::uint64_t promise;   ///< lent by the asker
  std::uint64_t finisher;  ///< the same; 0: it does not wait
  const rpc_frame* outer;  ///< older
};

struct running_code {
  served_call serves;
  const call_frame* frames = nullptr;  ///< the newest
  const rpc_frame* rpcs = nullptr;     ///< the newest
};
extern constinit thread_local running_code code_here;

/// The call of an object whose code this thread runs.
[[nodiscard]] inline call_tag current_call() noexcept {
  return code_here.frames == nullptr ? call_tag{} : code_here.frames->tag;
}

/// While it exists, this thread serves `call`.
class serving {
 public:
  explicit serving(served_call call) noexcept : outer_(std::exchange(code_here.serves, call)) {}
  ~serving() { code_here.serves = outer_; }
  serving(const serving&) = delete;
  serving& operator=(const serving&) = delete;

 private:
  served_call outer_;
};

/// While it exists, this thread runs a function under a lock of a container.
class under_container_lock {
 public:
  under_container_lock() noexcept : outer_(std::exchange(code_here.serves.must_not_wait, true)) {}
  ~under_container_lock() { code_here.serves.must_not_wait = outer_; }
  under_container_lock(const under_container_lock&) = delete;
  under_container_lock& operator=(const under_container_lock&) = delete;

 private:
  bool outer_;
};

/// While it exists, the function of that RPC is on the stack of this thread.
class within_rpc {
 public:
  within_rpc(rank_t asker, std::uint64_t promise, std::uint64_t finisher) noexcept
      : frame_{asker, promise, finisher, code_here.rpcs} {
    code_here.rpcs = &frame_;
  }
  ~within_rpc() { code_here.rpcs = frame_.outer; }
  within_rpc(const within_rpc&) = delete;
  within_rpc& operator=(const within_rpc&) = delete;

 private:
  rpc_frame frame_;
};

/// While it exists, this thread runs code of that call.
class within_call {
 public:
  explicit within_call(const call_tag& tag) noexcept
      : within_call(call_frame{tag, true, nullptr, code_here.frames}) {}
  /// A coroutine or continuation that brings that state; null: unknown.
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

/// @throws acre::error when this thread serves a call: a collective is refused there
[[noreturn]] void throw_collective_in_call(const char* collective);
inline void require_no_served_call(const char* collective) {
  if (!code_here.serves.is_of_program()) [[unlikely]] {
    throw_collective_in_call(collective);
  }
}

/// @throws acre::error when this thread runs a function under a lock of a container, and in a child
[[noreturn]] void throw_must_not_wait(const char* call);
inline void require_may_wait(const char* call) {
  if (code_here.serves.must_not_wait) [[unlikely]] {
    throw_must_not_wait(call);
  }
}

/// "an RPC of rank 3", for the stall watch and errors.
[[nodiscard]] std::string describe(const served_call& call);

/// The error of a call in a child that fork() has made of a rank.
[[noreturn]] void throw_in_child(const char* call);

}  // namespace acre::runtime
