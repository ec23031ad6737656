// SPDX-License-Identifier: BSD-3-Clause
// Phases of a benchmark, in which all ranks do the same at once.
#pragma once

#include <acre/acre.hpp>

#include <bench/rates.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace acre::bench {

/// Seconds from when the first rank begins, which takes the longest, until all have ended.
template <class Phase>
double seconds_of(Phase&& phase) {
  acre::barrier();
  const stopwatch watch;
  phase();
  acre::barrier();
  return acre::world().allreduce(watch.seconds(), acre::op::max);
}

/// Adds the rate of a phase in which each rank performs so many operations.
template <class Phase>
void measure(rates& all, std::string_view name, std::uint64_t calls, Phase&& phase) {
  all.add(name, calls * acre::size(), seconds_of(phase));
}

/// The same for a phase that is operation(0), operation(1), …
template <class Operation>
void measure_each(rates& all, std::string_view name, std::uint64_t calls, Operation&& operation) {
  measure(all, name, calls, [&] {
    for (std::uint64_t i = 0; i < calls; ++i) operation(i);
  });
}

/// How many calls each rank makes: the program's argument, or else what suits the conduit.
inline std::uint64_t calls_wanted(int argc, char** argv, std::uint64_t near, std::uint64_t far) {
  if (argc > 1) return std::strtoull(argv[1], nullptr, 10);
  return acre::runtime::node_count() == 1 ? near : far;
}

/// Rank 0 prints.
inline void print(rates& all, std::uint64_t calls, const std::string& more = "") {
  if (acre::rank() != 0) return;
  all.print("\"ranks\": " + std::to_string(acre::size()) + ", \"conduit\": \"" +
            std::string(acre::conduit_name()) + "\", \"calls\": " + std::to_string(calls) + more);
}

}  // namespace acre::bench
