// SPDX-License-Identifier: BSD-3-Clause
// Unsuitable patterns and elements that cannot be sent. Each yields one error of at most 20 lines,
// with the text in the comment above and the property that it names.
#include <acre/array/coarray.hpp>
#include <acre/array/list.hpp>
#include <acre/array/matrix.hpp>
#include <acre/array/ragged_array.hpp>
#include <acre/array/shared.hpp>
#include <acre/layout/deduction.hpp>

#include <string>
#include <vector>

namespace {

namespace layout = acre::layout;

template <class P>
  requires layout::pattern_satisfies<P, layout::balanced_partitioning, layout::diagonal_mapping>
void smooth(acre::matrix<double, 2, P>&) {}

void algorithms(acre::matrix<double, 2>& boxes) {
  // expects: no matching function for call to
  // names: diagonal_mapping
  smooth(boxes);
}

void deductions() {
  // expects: no pattern of Acre has this property together with the other requested ones
  // names: minimal_partitioning
  static_cast<void>(
      acre::make_pattern<layout::diagonal_mapping, layout::minimal_partitioning>({4, 4}, 2));
}

void stages() {
  constexpr layout::partition tiles(layout::tiled_cut<2>(8), layout::tiled_cut<2>(8));
  // expects: canonical memory requires the mapping `grid`
  static_cast<void>(
      layout::composed(tiles, layout::in_turn<2>(tiles.blocks(), 3), layout::canonical<>{}));
}

void elements() {
  // expects: images read and write the elements of a coarray<T> as bytes
  const acre::coarray<std::string[4]> names;
  // expects: ranks read and write a shared<T> as bytes: T must be trivially copyable
  const acre::shared<int*> address;
  // expects: ranks read and write the elements of a list<T> as bytes
  const acre::list<std::vector<int>> rows;
  // expects: ragged_array<T> as bytes: T must be trivially copyable, and not a pointer. For strings
  const acre::ragged_array<std::string> words;
}

void dimensions() {
  // names: has_at_least_one_dimension
  // expects: constraint
  static_cast<void>(sizeof(acre::matrix<int, 0>));
  // names: is_a_pattern_of_as_many_dimensions
  // expects: constraint
  static_cast<void>(sizeof(acre::matrix<int, 2, acre::layout::boxes<3>>));
}

}  // namespace
