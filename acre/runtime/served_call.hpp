// The call of another rank that a thread is serving: what user code runs in, which some calls must
// know to refuse.
//
//     const serving now({.asker = caller, .how = served_as::rpc});   // the function runs in this
//     scope
//
// A collective inside such a function could wait for ranks that wait for the function, and its
// place in the order of collectives would depend on when the message arrived: it is refused by name
// (global/detail/attendance.hpp). Under a lock of a container every wait is refused, because what
// runs in the wait may need that lock (wait.cpp).
//
// The word belongs to one thread, which alone reads and writes it. It does not apply to what runs
// nested in a wait of the function: each request sets it anew, and each continuation brings the
// word of the code that attached it (global/detail/future_state.hpp).
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

extern constinit thread_local served_call call_served;

/// While it exists, this thread serves `call`.
class serving {
 public:
  explicit serving(served_call call) noexcept : outer_(std::exchange(call_served, call)) {}
  ~serving() { call_served = outer_; }
  serving(const serving&) = delete;
  serving& operator=(const serving&) = delete;

 private:
  served_call outer_;
};

/// While it exists, this thread runs a function under a lock of a container.
class under_container_lock {
 public:
  under_container_lock() noexcept : outer_(std::exchange(call_served.must_not_wait, true)) {}
  ~under_container_lock() { call_served.must_not_wait = outer_; }
  under_container_lock(const under_container_lock&) = delete;
  under_container_lock& operator=(const under_container_lock&) = delete;

 private:
  bool outer_;
};

/// @throws acre::error when this thread serves a call: a collective is refused there
[[noreturn]] void throw_collective_in_call(const char* collective);
inline void require_no_served_call(const char* collective) {
  if (!call_served.is_of_program()) [[unlikely]] {
    throw_collective_in_call(collective);
  }
}

/// @throws acre::error when this thread runs a function under a lock of a container, and in a child
[[noreturn]] void throw_must_not_wait(const char* call);
inline void require_may_wait(const char* call) {
  if (call_served.must_not_wait) [[unlikely]] {
    throw_must_not_wait(call);
  }
}

/// "an RPC of rank 3", for the stall watch and errors.
[[nodiscard]] std::string describe(const served_call& call);

/// The error of a call in a child that fork() has made of a rank.
[[noreturn]] void throw_in_child(const char* call);

}  // namespace acre::runtime
