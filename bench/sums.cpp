// SPDX-License-Identifier: BSD-3-Clause
// Reproducible and plain sums: best nanoseconds per element or call, as JSON.
//
//     bench-sums [elements of a rank]
#include <acre/algorithm/dot.hpp>
#include <acre/arrays.hpp>

#include <bench/phases.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

namespace {

using acre::op::reproducible_sum;

std::string line;

template <class T>
void use(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

template <class Body>
void measure(const std::string& name, std::size_t count, std::size_t calls, Body&& body) {
  double best = 1e300;
  for (int run = 0; run < 15; ++run) {
    best = std::min(best, acre::bench::seconds_of([&] {
                      for (std::size_t i = 0; i < calls; ++i) body();
                    }));
  }
  const double items = static_cast<double>(count) * static_cast<double>(calls);
  line += ", \"" + name + "\": " + std::to_string(best * 1e9 / items);
}

template <class T>
T vector_sum(std::span<const T> values) {
  constexpr std::size_t chains = 32;
  T sums[chains] = {};
  std::size_t i = 0;
  for (; i + chains <= values.size(); i += chains) {
    for (std::size_t c = 0; c < chains; ++c) sums[c] += values[i + c];
  }
  T sum = 0;
  for (; i < values.size(); ++i) sum += values[i];
  for (const T each : sums) sum += each;
  return sum;
}

template <class T>
void sums(const std::string& type, std::size_t size) {
  acre::array<T> a(acre::world(), size * acre::size());
  acre::array<T> b(acre::world(), size * acre::size());
  const auto number = [](std::uint64_t i) {
    return static_cast<T>(static_cast<double>(acre::split_mix(1, i) >> 11) * 0x1p-52 - 1);
  };
  acre::generate_with_index(a, number);
  acre::generate_with_index(b, [&](std::size_t i) { return number(i + 77); });
  const std::string of = type + "_" + std::to_string(size) + "_";
  const std::span<const T> own = a.local();
  const std::size_t calls = std::max((std::size_t{1} << 22) / size, std::size_t{1});
  measure(of + "vector", size, calls, [&] { use(vector_sum(own)); });
  measure(of + "accumulator", size, calls, [&] {
    acre::reproducible_sum<T> sum;
    sum.add(own);
    use(sum.value());
  });
  measure(of + "plain", size, calls, [&] { use(acre::reduce_on_all(a)); });
  measure(of + "reproducible", size, calls,
          [&] { use(acre::reduce_on_all(a, 0, reproducible_sum)); });
  measure(of + "dot_plain", size, calls, [&] { use(acre::dot_on_all(a, b)); });
  measure(of + "dot_reproducible", size, calls,
          [&] { use(acre::dot_on_all(a, b, reproducible_sum)); });
  acre::generate_with_index(a, [&](std::size_t i) {
    return static_cast<T>(number(i) * std::ldexp(T(1), static_cast<int>(i * 31 % 200) - 100));
  });
  measure(of + "wide_exponents", size, calls,
          [&] { use(acre::reduce_on_all(a, 0, reproducible_sum)); });
  constexpr int most = sizeof(T) == 8 ? 900 : 100;
  acre::generate_with_index(a, [&](std::size_t i) {
    const auto exponent = static_cast<int>(acre::split_mix(2, i) % (2 * most + 1)) - most;
    return static_cast<T>(number(i) * std::ldexp(T(1), exponent));
  });
  measure(of + "all_exponents", size, calls,
          [&] { use(acre::reduce_on_all(a, 0, reproducible_sum)); });
}

void calls(std::size_t times) {
  const acre::team& world = acre::world();
  measure("allreduce_plain", 1, times, [&] { use(world.allreduce(1.0)); });
  measure("allreduce_reproducible", 1, times, [&] { use(world.allreduce(1.0, reproducible_sum)); });
  for (const std::size_t size : {100U, 100'000U}) {
    std::vector<double> values(size, 0.0);
    const std::size_t few = std::max(times * 10 / size, std::size_t{5});
    const std::string of = "span_" + std::to_string(size) + "_";
    measure(of + "plain", size, few, [&] { world.allreduce(std::span(values)); });
    measure(of + "reproducible", size, few,
            [&] { world.allreduce(std::span(values), reproducible_sum); });
  }
}

}  // namespace

int main(int argc, char** argv) {
  const acre::job job;
  constexpr std::size_t memory_bound = std::size_t{1} << 24;
  const std::size_t size = acre::bench::calls_wanted(argc, argv, memory_bound, memory_bound);
  for (const std::size_t each : {std::size_t{1} << 12, size}) {
    sums<double>("double", each);
    sums<float>("float", each);
  }
  calls(2000);
  if (acre::rank() != 0) return 0;
  std::printf("{\"ranks\": %u, \"conduit\": \"%s\", \"elements\": %zu%s}\n", acre::size(),
              acre::conduit_name().c_str(), size, line.c_str());
}
