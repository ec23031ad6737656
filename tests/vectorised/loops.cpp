// SPDX-License-Identifier: BSD-3-Clause
// vectorised_test.py checks the machine code of these loops and element accesses.
#include <acre/algorithm/for_each.hpp>
#include <acre/algorithm/reduce.hpp>
#include <acre/algorithm/transform.hpp>
#include <acre/algorithm/transpose.hpp>
#include <acre/array/array.hpp>
#include <acre/array/halo.hpp>
#include <acre/array/matrix.hpp>
#include <acre/array/stencil.hpp>
#include <acre/view/own.hpp>
#include <acre/view/ranges.hpp>

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <span>

using table = acre::matrix<int, 2>;

extern "C" int sum_of_segments(const acre::array<int>& a) {
  int sum = 0;
  for (const auto& segment : acre::ranges::segments(a)) {
    for (const int each : acre::ranges::local(segment)) sum += each;
  }
  return sum;
}

extern "C" int sum_of_own(const acre::array<int>& a) {
  int sum = 0;
  for (const int each : acre::own(a)) sum += each;
  return sum;
}

extern "C" void add_to_own(acre::array<int>& a, std::size_t first, std::size_t count) {
  const auto part = a | std::views::drop(first) | std::views::take(count);
  std::ranges::for_each(acre::own(part), [](int& each) { each += 7; });
}

extern "C" int sum_of_own_rows(const table& m) {
  int sum = 0;
  for (const std::span<const int> run : acre::own_runs(m)) {
    for (const int each : run) sum += each;
  }
  return sum;
}

extern "C" int sum_of_runs(const table& m) {
  int sum = 0;
  acre::ranges::each_own_run(m, [&](std::size_t, std::span<const int> run) {
    for (const int each : run) sum += each;
  });
  return sum;
}

extern "C" void add_seven(table& m) {
  acre::for_each(m, [](int& each) { each += 7; });
}

extern "C" std::int64_t sum_on_all(const acre::array<int>& a) { return acre::reduce_on_all(a); }

extern "C" void add(const acre::array<int>& a, const acre::array<int>& b, acre::array<int>& c) {
  acre::transform(a, b, c, [](int x, int y) { return x + y; });
}

extern "C" void neighbours(acre::halo<int, 2>& h, acre::halo_matrix<int, 2>& next) {
  acre::stencil(h, next, [](auto u) { return u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1); });
}

// A read that throws runs the arrays' destructors; the sum must stay in a register nevertheless.
namespace {

double greatest_of(std::size_t runs, const auto& sum_once) {
  double greatest = 0;
  for (std::size_t run = 0; run < runs; ++run) {
    acre::barrier();
    greatest = std::max(greatest, sum_once());
  }
  return greatest;
}

}  // namespace

extern "C" double sum_by_iterator(std::size_t runs, std::size_t first, std::size_t count) {
  const acre::array<double> a(acre::world(), first + count);
  return greatest_of(runs, [&] {
    double sum = 0;
    const auto begin = a.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = begin + static_cast<std::ptrdiff_t>(count);
    for (auto i = begin; i != end; ++i) sum += *i;
    return sum;
  });
}

extern "C" double sum_by_index(std::size_t runs, std::size_t first, std::size_t count) {
  const acre::array<double> a(acre::world(), first + count);
  return greatest_of(runs, [&] {
    double sum = 0;
    for (std::size_t i = first; i < first + count; ++i) sum += a[i];
    return sum;
  });
}

extern "C" double sum_by_two(std::size_t runs, std::size_t i, std::size_t first,
                             std::size_t count) {
  const acre::matrix<double, 2> m(acre::world(), {i + 1, first + count});
  return greatest_of(runs, [&] {
    double sum = 0;
    for (std::size_t j = first; j < first + count; ++j) sum += m(i, j);
    return sum;
  });
}

extern "C" int element_of_two(const table& m, std::size_t i, std::size_t j) { return m(i, j); }

extern "C" int element_of_three(const acre::matrix<int, 3>& m, std::size_t i, std::size_t j,
                                std::size_t k) {
  return m(i, j, k);
}

extern "C" void transpose_plain(const acre::matrix<double, 2>& from, acre::matrix<double, 2>& to) {
  acre::transpose(from, to);
}
