// SPDX-License-Identifier: BSD-3-Clause
// Phases of a benchmark on all ranks.
#pragma once

#include <acre/acre.hpp>

#include <bench/rates.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace acre::bench {

template <class Phase>
double seconds_of(Phase&& phase) {
  acre::barrier();
  const stopwatch watch;
  phase();
  acre::barrier();
  return acre::world().allreduce(watch.seconds(), acre::op::max);
}

template <class Phase>
void measure(rates& all, std::string_view name, std::uint64_t calls, Phase&& phase) {
  all.add(name, calls * acre::size(), seconds_of(phase));
}

template <class Operation>
void measure_each(rates& all, std::string_view name, std::uint64_t calls, Operation&& operation) {
  measure(all, name, calls, [&] {
    for (std::uint64_t i = 0; i < calls; ++i) operation(i);
  });
}

/// Calls per rank: the program's argument; by default `near` on one node, else `far`.
inline std::uint64_t calls_wanted(int argc, char** argv, std::uint64_t near, std::uint64_t far) {
  if (argc > 1) return std::strtoull(argv[1], nullptr, 10);
  return acre::runtime::node_count() == 1 ? near : far;
}

inline void print(rates& all, std::uint64_t calls, const std::string& more = "") {
  if (acre::rank() != 0) return;
  all.print("\"ranks\": " + std::to_string(acre::size()) + ", \"conduit\": \"" +
            std::string(acre::conduit_name()) + "\", \"calls\": " + std::to_string(calls) + more);
}

}  // namespace acre::bench
