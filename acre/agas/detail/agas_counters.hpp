// SPDX-License-Identifier: BSD-3-Clause
// Counters and timers of movable objects on this rank. Counts (ACRE_COUNTERS=OFF removes them) are
// mostly written under the lock of the object space. A disabled timer costs a load and a branch.
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
  bind,
  unbind,
  // Lookups of this rank's own calls, in the order tried.
  resolve_here,
  resolve_by_note,
  resolve_by_directory,
  resolve_by_hint,
  resolve_by_home,
  // Forwarded calls; their lookups, in the order tried.
  route,
  route_by_note,
  route_by_directory,
  route_by_hint,
  route_by_home,
  increment_credit,
  decrement_credit,
  decrement_credit_batch,
  credit_batch_sent,
  move_asked,
  move_returned,
  move_refused,
  move_ended,
  call_moved_along,
  hint_sent,
  cache_miss,
  cache_insert,
  cache_update,
  cache_erase,
  cache_evict,
  symbol_bind,
  symbol_resolve,
  symbol_unbind,
  symbol_iterate,
  symbol_event,
  type_bind,
  type_resolve,
  type_name,
  call_delivered,
  call_hops,
  most_call_hops,
  call_early,
  call_gathered,
  call_batch_sent,
  call_kept,
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
  type_name,
  cache_get,
  cache_insert,
  cache_update,
  cache_erase,
  count_
};

using agas_counts = std::array<std::uint64_t, static_cast<std::size_t>(agas_counted::count_)>;
using agas_ticks = std::array<std::uint64_t, static_cast<std::size_t>(agas_timed::count_)>;

extern constinit agas_counts agas_count_table;
extern constinit agas_ticks agas_tick_table;
extern constinit std::atomic<bool> agas_takes_times;
extern constinit std::uint64_t agas_ticks_of_nothing;

inline void count(agas_counted what) noexcept {
  runtime::increment(agas_count_table[static_cast<std::size_t>(what)]);
}
inline void count(agas_counted what, std::uint64_t amount) noexcept {
  runtime::increase(agas_count_table[static_cast<std::size_t>(what)], amount);
}
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

class agas_timer {
 public:
  explicit agas_timer([[maybe_unused]] agas_timed what) noexcept {
#if ACRE_COUNTERS
    what_ = what;
    if (agas_takes_times.load(std::memory_order_relaxed)) [[unlikely]]
      start_ = ticks_now();
#endif
  }
  agas_timer(agas_counted counted, agas_timed what) noexcept : agas_timer(what) { count(counted); }
  agas_timer(const agas_timer&) = delete;
  agas_timer& operator=(const agas_timer&) = delete;
  ~agas_timer() { stop(); }

  void is([[maybe_unused]] agas_timed what) noexcept {
#if ACRE_COUNTERS
    what_ = what;
#endif
  }
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
[[nodiscard]] agas_ticks agas_nanoseconds();

}  // namespace acre::agas
