// SPDX-License-Identifier: BSD-3-Clause
// Cases of numpy_test.py: lines of an operation and integers; the result is a line of integers.
#pragma once

#include <acre/arrays.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace acre::testing {

/// A pseudo-random number of 32 bits (SplitMix64), as in numpy_test.py.
[[nodiscard]] inline std::int64_t random_number(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed * 0xd1342543de82ef95U + (index + 1) * 0x9e3779b97f4a7c15U;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
  z = (z ^ z >> 27) * 0x94d049bb133111ebU;
  return static_cast<std::int64_t>((z ^ z >> 31) >> 32);
}

class test_case {
 public:
  explicit test_case(const std::string& line) : words_(line) { words_ >> operation_; }

  [[nodiscard]] const std::string& operation() const { return operation_; }
  [[nodiscard]] std::size_t number() {
    std::size_t value = 0;
    if (!(words_ >> value)) throw std::runtime_error("the case lacks a number: " + words_.str());
    return value;
  }
  template <std::size_t N>
  [[nodiscard]] layout::coordinates<N> numbers() {
    layout::coordinates<N> all{};
    for (std::size_t& each : all) each = number();
    return all;
  }

 private:
  std::istringstream words_;
  std::string operation_;
};

/// Integers below `modulus`, centred, as T.
template <class T>
struct values {
  std::uint64_t seed;
  std::int64_t modulus;
  [[nodiscard]] T operator()(std::size_t index) const {
    return static_cast<T>(random_number(seed, index) % modulus - modulus / 2);
  }
};
template <class T>
[[nodiscard]] values<T> next_values(test_case& input) {
  const std::uint64_t seed = input.number();
  return {seed, static_cast<std::int64_t>(input.number())};
}

using output = std::vector<std::int64_t>;
template <class R>
void append(output& to, R&& range) {
  barrier();
  std::vector<ranges::value_of<R>> all(static_cast<std::size_t>(std::ranges::size(range)));
  copy(range, all);
  for (const auto& each : all) to.push_back(static_cast<std::int64_t>(each));
  barrier();
}

/// Calls f(range) with a kind of array or part.
template <class T, class F>
void with_range(std::size_t kind, std::size_t size, const values<T>& value, const F& f) {
  if (kind == 0) {
    array<T> a(world(), size, value);
    f(a);
  } else if (kind == 1) {
    array<T> a(world(), size + 5, T{});
    auto part = a | std::views::drop(2) | std::views::take(size);
    generate_with_index(part, value);
    f(part);
  } else {
    const std::size_t block = kind == 2 ? 1 : 3;
    auto m = make_matrix<T>(world(), make_distribution({size}, acre::size(), dist::tile(block)));
    generate_with_index(m, value);
    f(m);
  }
}

template <class T, std::size_t N, class F>
void with_matrix(std::size_t kind, const layout::coordinates<N>& extents, const values<T>& value,
                 const F& f) {
  const auto made = [&](auto m) {
    generate_with_index(m, value);
    f(m);
  };
  if (kind == 0) {
    made(matrix<T, N>(world(), extents));
  } else if constexpr (N == 1) {
    made(make_matrix<T>(world(), make_distribution(extents, size(), dist::tile(2))));
  } else if constexpr (N == 2) {
    if (kind == 1) {
      made(
          make_matrix<T>(world(), make_distribution(extents, size(), dist::tile(2), dist::cyclic)));
    } else {
      made(make_matrix<T>(
          world(), make_pattern<layout::column_major_layout>({extents[0], extents[1]}, size())));
    }
  } else {
    made(make_matrix<T>(
        world(), make_distribution(extents, size(), dist::cyclic, dist::none, dist::tile(2))));
  }
}

bool run_range_case(test_case& input, output& result);
bool run_box_case(test_case& input, output& result);

}  // namespace acre::testing
