// SPDX-License-Identifier: BSD-3-Clause
// Cost of array access and copies on two ranks, compared with pointers, std::copy and contiguous
// transfers. Best nanoseconds, as JSON.
#include <acre/arrays.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <ranges>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace {

std::string line;

void note(const std::string& name, double value) {
  line += ", \"" + name + "\": " + std::to_string(value);
}

/// Nanoseconds per item; a call of `body` handles `count` items.
template <class Body>
[[gnu::noinline]] double nanoseconds(std::size_t count, Body&& body) {
  double best = 1e300;
  for (int run = 0; run < 9; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    body();
    const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - begin;
    best = std::min(best, spent.count() / static_cast<double>(count));
  }
  return best;
}

/// Keeps the computation of `value`.
template <class T>
void use(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

template <class T>
void sums(const std::string& type, std::size_t side) {
  const acre::array<T> a(acre::world(), side * side * acre::size(), T(1));
  const acre::matrix<T, 2> m(acre::world(), {side * acre::size(), side}, T(1));
  const acre::matrix<T, 3> c(acre::world(), {16 * acre::size(), side / 16, side}, T(1));
  const std::size_t size = a.local().size();
  const std::size_t first = a.local_offset();
  const std::string of =
      "sum_" + type + "_" + std::to_string(side * side * sizeof(T) / 1024) + "k_";
  const auto measure = [&](const char* way, std::size_t count, auto&& sum) {
    note(of + way, nanoseconds(count, [&] { use(sum()); }));
  };
  measure("pointer", size, [&] {
    T sum = 0;
    for (const T& each : a.local()) sum += each;
    return sum;
  });
  // One element at a time: the empty statement is repeated for each.
  measure("scalar", size, [&] {
    T sum = 0;
    const T* const values = a.local().data();
    for (std::size_t i = 0; i < size; ++i) {
      sum += values[i];
      asm volatile("");
    }
    return sum;
  });
  measure("own", size, [&] {
    T sum = 0;
    for (const T& each : acre::own(a)) sum += each;
    return sum;
  });
  measure("own_part", size, [&] {
    T sum = 0;
    for (const T& each : acre::own(a | std::views::drop(first) | std::views::take(size))) {
      sum += each;
    }
    return sum;
  });
  measure("own_for_each", m.local().size(), [&] {
    T sum = 0;
    std::ranges::for_each(acre::own(m), [&](const T& each) { sum += each; });
    return sum;
  });
  measure("iterator", size, [&] {
    T sum = 0;
    const auto begin = a.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = begin + static_cast<std::ptrdiff_t>(size);
    for (auto i = begin; i != end; ++i) sum += *i;
    return sum;
  });
  measure("index", size, [&] {
    T sum = 0;
    const std::size_t last = first + size;
    for (std::size_t i = first; i < last; ++i) sum += a[i];
    return sum;
  });
  measure("segments", size, [&] {
    T sum = 0;
    acre::ranges::each_own_run(a, [&](std::size_t, std::span<const T> run) {
      for (const T& each : run) sum += each;
    });
    return sum;
  });
  const auto in_matrix = m.local_box();
  measure("matrix", in_matrix.size(), [&m, in_matrix] {
    T sum = 0;
    const auto [i_first, j_first] = in_matrix.first;
    const auto [i_count, j_count] = in_matrix.extents;
    for (std::size_t i = i_first; i < i_first + i_count; ++i) {
      for (std::size_t j = j_first; j < j_first + j_count; ++j) sum += m(i, j);
    }
    return sum;
  });
  const auto in_cube = c.local_box();
  measure("cube", in_cube.size(), [&c, in_cube] {
    T sum = 0;
    const auto [i_first, j_first, k_first] = in_cube.first;
    const auto [i_count, j_count, k_count] = in_cube.extents;
    for (std::size_t i = i_first; i < i_first + i_count; ++i) {
      for (std::size_t j = j_first; j < j_first + j_count; ++j) {
        for (std::size_t k = k_first; k < k_first + k_count; ++k) sum += c(i, j, k);
      }
    }
    return sum;
  });
  acre::barrier();
}

template <class T>
void sums_of_views(const std::string& type, std::size_t count) {
  const acre::array<T> a(acre::world(), count * acre::size(), T(1));
  const acre::array<T> b(acre::world(), count * acre::size(), T(2));
  const std::string of = "view_" + type + "_" + std::to_string(count * sizeof(T) / 1024) + "k_";
  const T* const x = a.local().data();
  const T* const y = b.local().data();
  const std::size_t first = a.local_offset();
  const auto measure = [&](const std::string& way, std::size_t sums, auto&& sum) {
    note(of + way, nanoseconds(sums, [&] { use(sum()); }));
  };
  const auto through = [](auto&& view) {
    T sum = 0;
    acre::ranges::each_own(view, [&](const auto& run) {
      T part = 0;
      for (const T each : run) part += each;
      sum += part;
    });
    return sum;
  };
  for (const std::size_t step : {2U, 5U}) {
    const std::string way = "every_" + std::to_string(step);
    const std::size_t skipped = (step - first % step) % step;
    measure(way + "_pointer", count / step, [&] {
      T sum = 0;
      for (std::size_t i = skipped; i < count; i += step) sum += x[i];
      return sum;
    });
    measure(way, count / step, [&] { return through(a | acre::views::strided(step)); });
  }
  const auto f = [](T each) { return each * each + T(3); };
  measure("function_pointer", count, [&] {
    T sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += f(x[i]);
    return sum;
  });
  measure("function", count, [&] { return through(a | acre::views::transform(f)); });
  measure("product_pointer", count, [&] {
    T sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += x[i] * y[i];
    return sum;
  });
  measure("product", count, [&] {
    return through(acre::views::zip(a, b) | acre::views::transform([](const auto& both) {
                     return std::get<0>(both) * std::get<1>(both);
                   }));
  });
  measure("shifted", count, [&] { return through(a | acre::views::shift(1)); });
  acre::barrier();
}

/// Rank 1 only waits.
void elements(std::size_t count) {
  acre::array<long> a(acre::world(), count * acre::size(), 1);
  if (acre::rank() == 0) {
    note("element_read", nanoseconds(count, [&] {
           long sum = 0;
           for (std::size_t i = count; i < 2 * count; ++i) sum += a[i];
           use(sum);
         }));
    note("element_write", nanoseconds(count, [&] {
           for (std::size_t i = count; i < 2 * count; ++i) a[i] = 1;
         }));
  }
  acre::barrier();
}

void copies(std::size_t calls) {
  constexpr std::size_t most = std::size_t{1} << 20;
  acre::array<double> a(acre::world(), most * acre::size(), 1.0);
  std::vector<double> here(most);
  std::vector<double> other(most, 1.0);
  if (acre::rank() == 0) {
    for (const std::size_t bytes :
         {std::size_t{1} << 10, std::size_t{1} << 16, std::size_t{1} << 20, std::size_t{8} << 20}) {
      const std::size_t count = bytes / sizeof(double);
      const std::size_t times = std::max(calls * 1024 / bytes, std::size_t{3});
      const auto there = a | std::views::drop(most) | std::views::take(count);
      const std::span<double> mine = std::span(here).first(count);
      const auto measure = [&](const char* way, auto&& copy) {
        note("copy_" + std::to_string(bytes) + "_" + way, nanoseconds(times, [&] {
               for (std::size_t i = 0; i < times; ++i) copy();
             }));
      };
      measure("from", [&] { acre::copy(there, mine); });
      measure("to", [&] { acre::copy(mine, there); });
      measure("std", [&] {
        std::copy_n(other.begin(), count, mine.begin());
        use(mine[0]);
      });
    }
  }
  acre::barrier();
}

void boxes(const acre::layout::coordinates<3>& extents, std::size_t times) {
  acre::matrix<double, 3> m(
      acre::world(),
      acre::make_pattern({128 * acre::size(), 128, 64}, acre::size(),
                         acre::team_spec<3>(std::array<std::size_t, 3>{acre::size(), 1, 1})),
      1.0);
  std::vector<double> memory(extents[0] * extents[1] * extents[2]);
  if (acre::rank() == 0) {
    const auto there = acre::sub(m, {.first = {130, 10, 10}, .extents = extents});
    const acre::box_span<double, 3> here(memory.data(), extents);
    const auto corner = m.pointer({130, 0, 0});
    const std::string of = "box_" + std::to_string(extents[0]) + "x" + std::to_string(extents[1]) +
                           "x" + std::to_string(extents[2]) + "_";
    const auto measure = [&](const char* way, auto&& move) {
      note(of + way, nanoseconds(times, [&] {
             for (std::size_t i = 0; i < times; ++i) move();
           }));
    };
    measure("get", [&] { acre::copy(there, here); });
    measure("put", [&] { acre::copy(here, there); });
    measure("contiguous_get", [&] { acre::get(corner, std::span(memory)); });
    measure("contiguous_put", [&] { acre::put(corner, std::span<const double>(memory)); });
  }
  acre::barrier();
}

}  // namespace

int main(int argc, char** argv) {
  const acre::job job;
  const std::size_t calls = argc > 1 ? std::stoul(argv[1]) : 20'000;
  const bool is_one_node = calls >= 10'000;
  if (is_one_node) {
    sums<double>("double", 128);
    sums<double>("double", 2048);
    sums<int>("int", 128);
    sums<int>("int", 4096);
    sums_of_views<double>("double", 16'384);
    sums_of_views<int>("int", 16'384);
    sums_of_views<int>("int", 4'194'304);
    elements(100'000);
  }
  copies(calls);
  const std::size_t times = std::max(calls / 100, std::size_t{5});
  boxes({16, 16, 4}, times);
  boxes({64, 64, 8}, times);
  boxes({100, 100, 50}, std::max(times / 10, std::size_t{5}));
  if (acre::rank() == 0) {
    std::printf("{\"conduit\": \"%s\"%s}\n", acre::conduit_name().c_str(), line.c_str());
  }
}
