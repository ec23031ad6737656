// SPDX-License-Identifier: BSD-3-Clause
// Queue rates of all ranks together, in millions of values per second.
//
//     bench-queues [values]      values: per rank and phase
#include <acre/acre.hpp>

#include <bench/phases.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace {

using namespace acre::guarantees;
using namespace acre::bench;
using queue = acre::circular_queue<std::uint64_t>;

constexpr int rounds = 5;
constexpr std::size_t span_values = 64;

template <class PushGuarantee, class PopGuarantee>
struct guaranteed {
  PushGuarantee pushing;
  PopGuarantee popping;
  std::string push_name;
  std::string pop_name;
};
const guaranteed nothing{acre::no_guarantee{}, acre::no_guarantee{}, "", ""};
const guaranteed phases{only<push>, only<pop>, ", only<push>", ", only<pop>"};

template <class Queue, class Guaranteed>
void measure_single(Queue& all, const std::string& kind, std::uint64_t values, const Guaranteed& by,
                    rates& results) {
  measure_each(results, kind + " push" + by.push_name, values,
               [&](auto i) { all.push(i, by.pushing); });
  measure_each(results, kind + " pop" + by.pop_name, values,
               [&](auto) { keep(*all.pop(by.popping)); });
}

template <class Queue, class Guaranteed>
void measure_spans(Queue& all, const std::string& kind, std::uint64_t values, const Guaranteed& by,
                   rates& results) {
  std::array<std::uint64_t, span_values> some{};
  const auto each_span = [&](const std::string& name, auto&& operation) {
    measure(results, name, values / span_values * span_values, [&] {
      for (std::uint64_t i = 0; i < values / span_values; ++i) operation();
    });
  };
  each_span(kind + " push of 64" + by.push_name, [&] { all.push(some, by.pushing); });
  each_span(kind + " pop of 64" + by.pop_name, [&] {
    all.pop(some, by.popping);
    keep(some[0]);
  });
}

template <class Queue>
void measure_local(Queue& all, const std::string& kind, std::uint64_t values, rates& results) {
  const std::uint64_t here = acre::rank() == 0 ? values : 0;
  results.add(kind + " push, local", values, seconds_of([&] {
                for (std::uint64_t i = 0; i < here; ++i) all.push(i, local);
              }));
  results.add(kind + " pop, local", values, seconds_of([&] {
                for (std::uint64_t i = 0; i < here; ++i) keep(*all.pop(local));
              }));
}

/// Push and pop in turn; then, on an even number of ranks, half push and half pop.
void measure_mixed(queue& all, std::uint64_t values, rates& results) {
  measure_each(results, "circular push and pop in turn", values, [&](auto i) {
    all.push(i);
    keep(all.pop().value_or(0));
  });
  if (acre::size() % 2 != 0) return;
  queue small(acre::world(), {0}, 1024);
  const bool produces = acre::rank() % 2 == 0;
  results.add("circular from producers to consumers", values * acre::size() / 2, seconds_of([&] {
                for (std::uint64_t i = 0; i < values; ++i) {
                  if (produces) {
                    small.push_wait(i);
                  } else {
                    keep(small.pop_wait());
                  }
                }
              }));
}

void measure_distributor(std::uint64_t values, rates& results) {
  acre::distributor<std::uint64_t> all(acre::world());
  const auto take = [](std::span<const std::uint64_t> batch) {
    for (const std::uint64_t each : batch) keep(each);
  };
  measure(results, "distributor push", values, [&] {
    for (std::uint64_t i = 0; i < values; ++i) {
      all.push(static_cast<acre::rank_t>(acre::mix_bits(i + 1) % acre::size()), i);
    }
    all.finish(take);
  });
  const std::array<std::uint64_t, span_values> some{};
  measure(results, "distributor push of 64", values / span_values * span_values, [&] {
    for (std::uint64_t i = 0; i < values / span_values; ++i) {
      all.push(static_cast<acre::rank_t>(acre::mix_bits(i + 1) % acre::size()), some);
    }
    all.finish(take);
  });
}

}  // namespace

int main(int argc, char** argv) {
  const acre::job job;
  const std::uint64_t values = calls_wanted(argc, argv, 400'000, 2'000);
  rates all;
  {
    queue circular(acre::world(), {0}, values * acre::size());
    acre::fast_queue<std::uint64_t> fast(acre::world(), {0}, values * acre::size());
    for (int round = 0; round < rounds; ++round) {
      measure_single(circular, "circular", values, nothing, all);
      measure_single(circular, "circular", values, phases, all);
      measure_spans(circular, "circular", values, nothing, all);
      measure_local(circular, "circular", values, all);
      measure_mixed(circular, values, all);
      measure_single(fast, "fast", values, phases, all);
      measure_spans(fast, "fast", values, phases, all);
      measure_local(fast, "fast", values, all);
      measure_distributor(10 * values, all);
    }
  }
  print(all, values);
  return 0;
}
