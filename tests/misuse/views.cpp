// SPDX-License-Identifier: BSD-3-Clause
// Invalid views. Each yields one error of at most 20 lines, with the text in the comment above.
#include <acre/algorithm/for_each.hpp>
#include <acre/algorithm/sort.hpp>
#include <acre/array/array.hpp>
#include <acre/view/strided.hpp>
#include <acre/view/transformed.hpp>
#include <acre/view/zipped.hpp>

#include <utility>
#include <vector>

namespace {

void algorithms(acre::array<int>& a) {
  // expects: the elements of this range are const or computed: pass the container itself
  acre::fill(a | acre::views::transform([](int x) { return x * x; }), 0);
  // expects: the elements of this range are not contiguous in memory
  acre::sort(a | acre::views::strided(2));
  // expects: pass a function f(x) of an element: x is T, const T& or, if the range is not
  acre::for_each(std::as_const(a), [](int& x) { ++x; });
}

void views(acre::array<int>& a, std::vector<int>& v) {
  const auto square = [](int x) { return x * x; };
  // expects: a temporary is destroyed before its view is used
  static_cast<void>(acre::views::strided(acre::array<int>(3), 2));
  // expects: a temporary is destroyed before its view is used
  static_cast<void>(acre::views::zip(a, acre::array<int>(3)));
  // expects: acre::views require a distributed range or another of acre::views
  static_cast<void>(v | acre::views::transform(square));
  // expects: pass a const function of an element: [](const T& x) { return ...; }
  static_cast<void>(a | acre::views::transform([](std::vector<int>& x) { return x; }));
}

}  // namespace
