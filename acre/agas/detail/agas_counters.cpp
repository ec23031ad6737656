// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/detail/agas_counters.hpp>

#include <algorithm>
#include <chrono>
#include <mutex>

namespace acre::agas {

constinit agas_counts agas_count_table{};
constinit agas_ticks agas_tick_table{};
constinit std::atomic<bool> agas_takes_times{false};
constinit std::uint64_t agas_ticks_of_nothing = 0;

namespace {

using nanoseconds_clock = std::chrono::steady_clock;

struct moment {
  std::uint64_t ticks = 0;
  nanoseconds_clock::time_point time;
};
struct first_moment {
  std::once_flag taken;
  moment at;
};
first_moment& first() {
  static auto& made = *new first_moment;
  return made;
}

moment moment_now() { return {.ticks = ticks_now(), .time = nanoseconds_clock::now()}; }

constexpr std::chrono::milliseconds calibration(2);

double nanoseconds_a_tick() {
  const moment& start = first().at;
  moment now = moment_now();
  while (now.time - start.time < calibration) now = moment_now();
  return std::chrono::duration<double, std::nano>(now.time - start.time).count() /
         static_cast<double>(now.ticks - start.ticks);
}

std::uint64_t measure_nothing() noexcept {
  constexpr unsigned times = 64;
  std::uint64_t least = ~std::uint64_t{0};
  for (unsigned batch = 0; batch < 16; ++batch) {
    std::uint64_t sum = 0;
    for (unsigned i = 0; i < times; ++i) {
      const std::uint64_t begin = ticks_now();
      sum += ticks_now() - begin;
    }
    least = std::min(least, sum / times);
  }
  return least;
}

}  // namespace

void start_taking_agas_times() {
  std::call_once(first().taken, [] {
    first().at = moment_now();
    agas_ticks_of_nothing = measure_nothing();
  });
  agas_takes_times.store(true, std::memory_order_relaxed);
}

agas_ticks agas_nanoseconds() {
  agas_ticks ticks = agas_tick_table;
  if (std::ranges::all_of(ticks, [](std::uint64_t each) { return each == 0; })) return ticks;
  const double factor = nanoseconds_a_tick();
  for (std::uint64_t& each : ticks) {
    each = static_cast<std::uint64_t>(static_cast<double>(each) * factor);
  }
  return ticks;
}

}  // namespace acre::agas
