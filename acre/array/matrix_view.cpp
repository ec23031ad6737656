// SPDX-License-Identifier: BSD-3-Clause
#include <acre/array/matrix_view.hpp>

#include <acre/base/error.hpp>

namespace acre::arrays {

void throw_other_matrix(const site& where) {
  throw error("intersection", "the boxes are parts of different matrices" + describe_place(where),
              "use boxes of one matrix; acre::layout::intersection intersects their part()s, the "
              "coordinates only");
}

}  // namespace acre::arrays
