// SPDX-License-Identifier: BSD-3-Clause
// Core cycles of a call, without hardware counters: time-stamp ticks, calibrated by a chain of
// additions of one cycle each. Every call is between two fences, so its latency counts.
#pragma once

#include <acre/runtime/network_line.hpp>
#include <acre/runtime/world.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <x86intrin.h>

namespace budgets {

class call_cycles {
 public:
  /// Least latency of `call`, less that of an empty function. `before` prepares each call.
  template <class Call, class Before>
  static double of(Call&& call, Before&& before) {
    const double all = least_ticks(call, before);
    const double none = least_ticks([] { asm volatile(""); }, before);
    return std::max(all - none, 0.0) * cycles_per_tick();
  }

 private:
  static constexpr int repeats = 20'000;

  template <class Call, class Before>
  [[gnu::noinline]] static double least_ticks(Call&& call, Before&& before) {
    std::uint64_t least = ~std::uint64_t{0};
    std::uint64_t batch = 0;
    constexpr int batch_calls = 50;
    for (int i = 0; i < repeats; ++i) {
      before();
      _mm_lfence();
      const std::uint64_t begin = __rdtsc();
      _mm_lfence();
      call();
      _mm_lfence();
      batch += __rdtsc() - begin;
      if ((i + 1) % batch_calls == 0) {
        least = std::min<std::uint64_t>(least, std::exchange(batch, std::uint64_t{0}));
      }
    }
    return static_cast<double>(least) / batch_calls;
  }

  static double cycles_per_tick() {
    constexpr int additions = 10'000;
    std::uint64_t least = ~std::uint64_t{0};
    for (int repeat = 0; repeat < 200; ++repeat) {
      std::uint64_t sum = 1;
      _mm_lfence();
      const std::uint64_t begin = __rdtsc();
      for (int i = 0; i < additions / 10; ++i) {
        asm volatile(
            "add %0, %0\n add %0, %0\n add %0, %0\n add %0, %0\n add %0, %0\n"
            "add %0, %0\n add %0, %0\n add %0, %0\n add %0, %0\n add %0, %0"
            : "+r"(sum));
      }
      _mm_lfence();
      least = std::min<std::uint64_t>(least, __rdtsc() - begin);
    }
    return double{additions} / static_cast<double>(least);
  }
};

/// Replaces the provider of small puts by functions that return at once, so that its time does not
/// count.
class instant_network {
 public:
  instant_network() {
    auto& line = acre::runtime::network_line;
    put_ = std::exchange(line.put, [](auto...) { return ssize_t{0}; });
    read_ = std::exchange(line.read, [](void*) {
      return acre::runtime::network_line.issued.load(std::memory_order_relaxed);
    });
    issued_ = line.issued.load();
    completed_ = line.completed.load();
  }
  ~instant_network() {
    auto& line = acre::runtime::network_line;
    line.put = put_;
    line.read = read_;
    line.completed = completed_;
    line.issued = issued_;
  }
  instant_network(const instant_network&) = delete;
  instant_network& operator=(const instant_network&) = delete;

 private:
  decltype(acre::runtime::network_line.put) put_;
  decltype(acre::runtime::network_line.read) read_;
  std::uint64_t issued_;
  std::uint64_t completed_;
};

inline void print_cycles(const char* call, const char* where, double cycles) {
  if (acre::rank() != 0) return;
  std::printf("{\"call\": \"%s\", \"where\": \"%s\", \"cycles\": %.2f}\n", call, where, cycles);
}

}  // namespace budgets
