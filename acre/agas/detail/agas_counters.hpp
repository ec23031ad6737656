// SPDX-License-Identifier: BSD-3-Clause
// What this rank has done for objects that move, by kind, and how long that took.
//
// Counts are always on, an instruction each, as those of runtime/counters.hpp; most are written
// under the lock of the object space, and none of those is lost. Times are taken only where they
// are wanted: else a kind that has one costs a load and a branch more.
#pragma once

#include <acre/runtime/counters.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#if !defined(__x86_64__) && !defined(__aarch64__)
#include <chrono>
#endif

namespace acre::agas {

enum class agas_counted : std::uint8_t {
  bind,    ///< an object has got its name
  unbind,  ///< its name is free
  // Where to send a call of this rank's, by what is known. The four go together, in this order.
  resolve_here,
  resolve_by_note,  ///< it was here, and its home does not know yet where it is
  resolve_by_directory,
  resolve_by_hint,
  resolve_by_home,  ///< nothing is known: home is asked to pass the call on
  // Calls that came here and are passed on; the four are looked up, of which fewer may go.
  route,
  route_by_note,
  route_by_directory,
  route_by_hint,
  route_by_home,
  // Credit, at home; and the messages that brought it there, where they were sent.
  increment_credit,
  decrement_credit,  ///< one for each object of a batch
  decrement_credit_batch,
  credit_batch_sent,
  // Moves.
  move_asked,     ///< of objects that have left, because the program asked for it
  move_returned,  ///< of objects that could not be made here, and went back
  move_refused,   ///< requests
  move_ended,     ///< objects that have come
  call_moved_along,
  hint_sent,
  // The table of hints.
  cache_insert,
  cache_update,
  cache_erase,
  cache_evict,
  // Names of the program's own, where they lie.
  symbol_bind,
  symbol_resolve,
  symbol_unbind,
  symbol_iterate,
  symbol_event,  ///< a resolve that waits where it has to
  // Types: asked of nobody.
  type_bind,  ///< has got its number
  type_resolve,
  // Calls that have run here, and how often they were passed on before.
  call_delivered,
  call_hops,
  most_call_hops,
  call_early,       ///< came before one that was issued earlier
  call_gathered,    ///< for a rank of another node, to be sent with others
  call_batch_sent,  ///< messages with those
  call_kept,        ///< at home: came before its object had arrived where it was on its way to
  count_
};

enum class agas_timed : std::uint8_t {
  bind,
  unbind,
  resolve,
  route,
  increment_credit,
  decrement_credit,
  begin_migration,
  end_migration,
  symbol_bind,
  symbol_resolve,
  symbol_unbind,
  symbol_iterate,
  symbol_event,
  type_resolve,
  count_
};

using agas_counts = std::array<std::uint64_t, static_cast<std::size_t>(agas_counted::count_)>;
using agas_ticks = std::array<std::uint64_t, static_cast<std::size_t>(agas_timed::count_)>;

extern constinit agas_counts agas_count_table;
extern constinit agas_ticks agas_tick_table;
extern constinit std::atomic<bool> agas_takes_times;
/// What the clock says of nothing at all: it is taken off each time.
extern constinit std::uint64_t agas_ticks_of_nothing;

inline void count(agas_counted what) noexcept {
  runtime::increment(agas_count_table[static_cast<std::size_t>(what)]);
}
inline void count(agas_counted what, std::uint64_t amount) noexcept {
  runtime::increase(agas_count_table[static_cast<std::size_t>(what)], amount);
}
/// The one that lies `steps` behind the first of a group.
inline void count_after(agas_counted first, std::size_t steps) noexcept {
  count(static_cast<agas_counted>(static_cast<std::size_t>(first) + steps));
}
inline void count_delivered(std::uint64_t hops) noexcept {
  count(agas_counted::call_delivered);
  if (hops == 0) return;
  count(agas_counted::call_hops, hops);
#if ACRE_COUNTERS
  auto& most = agas_count_table[static_cast<std::size_t>(agas_counted::most_call_hops)];
  if (hops > most) most = hops;
#endif
}

/// The cheapest clock that there is, in units of its own.
[[nodiscard]] inline std::uint64_t ticks_now() noexcept {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  std::uint64_t now;
  asm volatile("mrs %0, cntvct_el0" : "=r"(now));
  return now;
#else
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

/// Adds the time until stop(), or else its end, to those of a kind, if times are taken.
class agas_timer {
 public:
  explicit agas_timer([[maybe_unused]] agas_timed what) noexcept {
#if ACRE_COUNTERS
    what_ = what;
    if (agas_takes_times.load(std::memory_order_relaxed)) [[unlikely]]
      start_ = ticks_now();
#endif
  }
  /// The same, and counts.
  agas_timer(agas_counted counted, agas_timed what) noexcept : agas_timer(what) { count(counted); }
  agas_timer(const agas_timer&) = delete;
  agas_timer& operator=(const agas_timer&) = delete;
  ~agas_timer() { stop(); }

  void stop() noexcept {
#if ACRE_COUNTERS
    if (start_ == 0) return;
    const std::uint64_t spent = ticks_now() - start_;
    if (spent > agas_ticks_of_nothing) {
      runtime::increase(agas_tick_table[static_cast<std::size_t>(what_)],
                        spent - agas_ticks_of_nothing);
    }
    start_ = 0;
#endif
  }

 private:
#if ACRE_COUNTERS
  std::uint64_t start_ = 0;
  agas_timed what_;
#endif
};

void start_taking_agas_times();
/// The times so far, in nanoseconds.
[[nodiscard]] agas_ticks agas_nanoseconds();

}  // namespace acre::agas
