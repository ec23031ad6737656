// SPDX-License-Identifier: BSD-3-Clause
// One-sided operations on other nodes. Atomics are messages that the target's CPU executes,
// coherent with those of its own node.
#pragma once

#include <acre/fabric/atomic_operation.hpp>
#include <acre/fabric/conduit.hpp>
#include <acre/runtime/counters.hpp>
#include <acre/runtime/network_line.hpp>
#include <acre/runtime/posted.hpp>
#include <acre/runtime/remote_address.hpp>
#include <acre/runtime/small_puts.hpp>
#include <acre/runtime/wait.hpp>
#include <acre/runtime/world.hpp>

#include <cstddef>
#include <cstdint>

namespace acre::runtime {

/// Issues a put of any size, in transfers of at most max_transfer; the caller counts it.
void issue_large_put_nbi(remote_address target, const void* source, std::size_t bytes);

/// Issues a put; the caller counts it.
inline void issue_put_nbi(remote_address target, const void* source, std::size_t bytes) {
  if (bytes > fabric::least_max_transfer) return issue_large_put_nbi(target, source, bytes);
  until_room(
      [=] {
        return world.conduit->try_put(target.rank, target.region, target.offset, source, bytes);
      },
      "put");
}

/// Puts; complete after quiet(). The source is free at return up to the conduit's max_inject, else
/// after quiet().
inline void put_remote_nbi(remote_address target, const void* source, std::size_t bytes) {
  count(counted::network_put);
  count(counted::network_put_bytes, bytes);
  issue_put_nbi(target, source, bytes);
}

/// Puts a value; returns when complete. By value: the caller needs no copy in memory.
void put_remote_word(remote_address place, std::uint64_t value, std::size_t bytes);

/// Return when complete. For data in the caller's frame: copied through the record
/// (completion.hpp).
[[gnu::cold]] void put_remote_value(remote_address place, const void* source, std::size_t bytes);
[[gnu::cold]] void get_remote_value(remote_address place, void* destination, std::size_t bytes);

/// True if a processor of the target serves gets, as over TCP.
[[nodiscard]] bool gets_need_a_processor() noexcept;

/// Gets; valid after quiet().
void get_remote_nbi(remote_address place, void* destination, std::size_t bytes);

/// Return when remotely complete. If they throw, the provider may still use the bytes: not for data
/// in a frame.
void put_remote(remote_address place, const void* source, std::size_t bytes);
void get_remote(remote_address place, void* destination, std::size_t bytes);

/// As above without waiting; `done` completes in any polling thread.
void put_remote(remote_address place, const void* source, std::size_t bytes,
                fabric::operation& done);
void get_remote(remote_address place, void* destination, std::size_t bytes,
                fabric::operation& done);

/// True if put_ahead() may be called: messages follow puts, and one transfer holds `bytes`.
[[nodiscard]] bool may_put_ahead(std::size_t bytes) noexcept;
/// Puts ahead of a message to the rank; `sent` completes when the source is free.
void put_ahead(remote_address place, const void* source, std::size_t bytes,
               fabric::operation& sent);
/// As put_ahead(), for built-in handlers.
/// @return false without room
[[nodiscard]] bool try_put_ahead(remote_address place, const void* source, std::size_t bytes,
                                 fabric::operation& sent);

/// Strided transfers, complete after quiet(). Both addresses are those of the box's first byte.
void put_remote_nbi(remote_address place, const void* source, const fabric::box& shape);
void get_remote_nbi(remote_address place, void* destination, const fabric::box& shape);

/// Strided transfers of a non-empty box that complete with `done`. Memory: a record per contiguous
/// run.
void put_remote(remote_address place, const void* source, const fabric::box& shape,
                fabric::operation& done);
void get_remote(remote_address place, void* destination, const fabric::box& shape,
                fabric::operation& done);

/// Atomic under way: a record (completion.hpp).
struct remote_atomic {
  /// Runs in any polling thread.
  void (*complete)(remote_atomic&) noexcept = nullptr;
  fabric::wide_word before;
  /// True if the target refused the address.
  bool refused = false;
};

[[noreturn]] void throw_refused_atomic();

// Operands as fabric::to_word() returns them.

/// `record` must live until complete.
void start_remote_atomic(fabric::atomic_operation operation, fabric::atomic_type type,
                         remote_address place, fabric::wide_word operand,
                         fabric::wide_word expected, remote_atomic& record);
inline void start_remote_atomic(fabric::atomic_operation operation, fabric::atomic_type type,
                                remote_address place, fabric::word operand, fabric::word expected,
                                remote_atomic& record) {
  start_remote_atomic(operation, type, place, fabric::wide_word{operand, 0},
                      fabric::wide_word{expected, 0}, record);
}

/// Returns the previous value.
fabric::word run_remote_atomic(fabric::atomic_operation operation, fabric::atomic_type type,
                               remote_address place, fabric::word operand, fabric::word expected);
fabric::wide_word run_remote_atomic(fabric::atomic_operation operation, fabric::atomic_type type,
                                    remote_address place, fabric::wide_word operand,
                                    fabric::wide_word expected);

/// Starts an atomic without a result; complete after quiet().
void post_remote_atomic(fabric::atomic_operation operation, fabric::atomic_type type,
                        remote_address place, fabric::word operand, fabric::word expected = 0);
void post_remote_atomic(fabric::atomic_operation operation, fabric::atomic_type type,
                        remote_address place, fabric::wide_word operand,
                        fabric::wide_word expected = {});

/// As above; writes the previous value to `result`, as wide as the type, valid after quiet().
void fetch_remote_atomic_nbi(fabric::atomic_operation operation, fabric::atomic_type type,
                             remote_address place, fabric::word operand, fabric::word expected,
                             void* result);

/// Waits until all operations without their own completion are remotely complete.
/// @throws acre::error if a posted atomic was refused
void await_quiet();
/// As above, but does not wait for gets.
void await_puts();

/// True if await_quiet() is needed. Reads completions before issues, as other threads may issue in
/// between (docs/decisions/002-ofi-providers.md).
[[nodiscard]] inline bool anything_outstanding() noexcept {
  return !network_is_quiet() || atomics_outstanding();
}

/// True if the next operation may overtake one under way. Puts overtake atomics.
[[nodiscard]] inline bool anything_unordered() noexcept {
  return atomics_outstanding() || (!world.conduit->offers().ordered_puts && !network_is_quiet());
}

}  // namespace acre::runtime
