// SPDX-License-Identifier: BSD-3-Clause
// One-sided operations on memory of other nodes, and completion of all of them.
//
// The rooms above come here when direct_address() found nothing. Puts and gets
// are the conduit's; atomics travel as messages that the target's CPU executes
// with locked instructions, so that they are coherent with those of its own
// node.
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

/// A put that may be larger than what the conduit takes at once.
void issue_large_put_nbi(remote_address target, const void* source, std::size_t bytes);

/// Has the conduit take a put, which the caller counts.
inline void issue_put_nbi(remote_address target, const void* source, std::size_t bytes) {
  if (bytes > fabric::least_max_transfer) return issue_large_put_nbi(target, source, bytes);
  until_room(
      [=] {
        return world.conduit->try_put(target.rank, target.region, target.offset, source, bytes);
      },
      "put");
}

/// Puts without waiting: complete after quiet(). The source is free at return
/// when it is at most the conduit's max_inject, else after quiet().
inline void put_remote_nbi(remote_address target, const void* source, std::size_t bytes) {
  count(counted::network_put);
  count(counted::network_put_bytes, bytes);
  issue_put_nbi(target, source, bytes);
}

/// A blocking put of 1, 2, 4 or 8 bytes given by value, so that the caller's fast
/// path needs no place in memory for it.
void put_remote_word(remote_address place, std::uint64_t value, std::size_t bytes);

/// Blocking forms for what lies in the caller's frame: the bytes travel from, and to, the
/// operation's own record (completion.hpp), and are copied here.
[[gnu::cold]] void put_remote_value(remote_address place, const void* source, std::size_t bytes);
[[gnu::cold]] void get_remote_value(remote_address place, void* destination, std::size_t bytes);

/// Gets without waiting: the destination is valid after quiet().
void get_remote_nbi(remote_address place, void* destination, std::size_t bytes);

/// Blocking forms: the put is in the target's memory when it returns. When they throw, for
/// the network is lost, the provider may still use the caller's bytes: not for a frame's own.
void put_remote(remote_address place, const void* source, std::size_t bytes);
void get_remote(remote_address place, void* destination, std::size_t bytes);

/// Forms with a completion of their own, called by whatever thread polls.
void put_remote(remote_address place, const void* source, std::size_t bytes,
                fabric::operation& done);
void get_remote(remote_address place, void* destination, std::size_t bytes,
                fabric::operation& done);

/// Whether a put of so many bytes may go ahead of a message: that is delivered when they are there.
[[nodiscard]] bool may_put_ahead(std::size_t bytes) noexcept;
/// A put that a message to the same rank follows; `sent` is complete when the source is free.
void put_ahead(remote_address place, const void* source, std::size_t bytes,
               fabric::operation& sent);
/// For built-in handlers, which may not wait: false is for want of room.
[[nodiscard]] bool try_put_ahead(remote_address place, const void* source, std::size_t bytes,
                                 fabric::operation& sent);

/// Strided forms, complete after quiet(): both sides are given by the first byte of the box.
void put_remote_nbi(remote_address place, const void* source, const fabric::box& shape);
void get_remote_nbi(remote_address place, void* destination, const fabric::box& shape);

/// Strided forms with a completion of their own, of boxes that are not empty. They take memory for
/// each run while it is under way.
void put_remote(remote_address place, const void* source, const fabric::box& shape,
                fabric::operation& done);
void get_remote(remote_address place, void* destination, const fabric::box& shape,
                fabric::operation& done);

/// An atomic operation under way to another node: a record (completion.hpp).
struct remote_atomic {
  /// Called when `before` is valid, by whatever thread polls; must be short.
  void (*complete)(remote_atomic&) noexcept = nullptr;
  fabric::word before = 0;
  /// The target found no such word to operate on: `before` means nothing.
  bool refused = false;
};

/// What an operation fails with whose record says `refused`.
[[noreturn]] void throw_refused_atomic();

/// Starts one; `record` lives until it is complete.
void start_remote_atomic(fabric::atomic_operation operation, fabric::atomic_type type,
                         remote_address place, fabric::word operand, fabric::word expected,
                         remote_atomic& record);

/// Executes one and waits; returns the value before.
fabric::word run_remote_atomic(fabric::atomic_operation operation, fabric::atomic_type type,
                               remote_address place, fabric::word operand, fabric::word expected);

/// Starts one whose result nobody wants: complete after quiet().
void post_remote_atomic(fabric::atomic_operation operation, fabric::atomic_type type,
                        remote_address place, fabric::word operand);

/// Starts one whose result is at `result`, as wide as the type, after quiet().
void fetch_remote_atomic_nbi(fabric::atomic_operation operation, fabric::atomic_type type,
                             remote_address place, fabric::word operand, fabric::word expected,
                             void* result);

/// Waits until everything that this rank has issued without a completion of
/// its own is done at its targets. A cold path; see acre::quiet().
/// @throws acre::error when a posted atomic was refused
void await_quiet();

/// Whether await_quiet() is needed: anything of that kind is under way, or was refused. What was
/// completed is read first, as operations may be issued in between
/// (docs/decisions/002-ofi-providers.md).
[[nodiscard]] inline bool anything_outstanding() noexcept {
  return !network_is_quiet() || atomics_outstanding();
}

/// Whether anything is under way that what is issued next may overtake. Atomics are messages, which
/// the target executes when it comes to them: puts overtake them on any network.
[[nodiscard]] inline bool anything_unordered() noexcept {
  return atomics_outstanding() || (!world.conduit->offers().ordered_puts && !network_is_quiet());
}

}  // namespace acre::runtime
