// SPDX-License-Identifier: BSD-3-Clause
// Views that do not fit what is asked of them, and what the compiler says: one error each, whose
// text is in the comment above, in at most 20 lines.
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
  // says: the elements of this range are const, or computed: give the container itself
  acre::fill(a | acre::views::transform([](int x) { return x * x; }), 0);
  // says: the elements of this range do not lie beside each other in memory
  acre::sort(a | acre::views::strided(2));
  // says: give a function of an element, f(x): it takes T, const T& or, where the range is not
  acre::for_each(std::as_const(a), [](int& x) { ++x; });
}

void views(acre::array<int>& a, std::vector<int>& v) {
  const auto square = [](int x) { return x * x; };
  // says: a temporary is gone before its view is used
  static_cast<void>(acre::views::strided(acre::array<int>(3), 2));
  // says: a temporary is gone before its view is used
  static_cast<void>(acre::views::zip(a, acre::array<int>(3)));
  // says: acre::views are made of distributed ranges and of other acre::views
  static_cast<void>(v | acre::views::transform(square));
  // says: give a const function of an element: [](const T& x) { return ...; }
  static_cast<void>(a | acre::views::transform([](std::vector<int>& x) { return x; }));
}

}  // namespace
