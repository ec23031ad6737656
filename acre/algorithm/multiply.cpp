// SPDX-License-Identifier: BSD-3-Clause
#include <acre/algorithm/multiply.hpp>

#include <acre/base/error.hpp>
#include <acre/layout/extents_text.hpp>

#include <array>
#include <string>

namespace acre::algorithm {

void require_product(const char* call, const layout::coordinates<2>& a,
                     const layout::coordinates<2>& b, const layout::coordinates<2>& c,
                     const site& where) {
  if (a[1] == b[0] && c[0] == a[0] && c[1] == b[1]) return;
  throw error(call,
              "matrices of " + layout::extents_text(a) + " and " + layout::extents_text(b) +
                  " do not yield a product of " + layout::extents_text(c) + describe_place(where),
              a[1] == b[0] ? "pass a product of " + layout::extents_text(std::array{a[0], b[1]})
                           : "the rows of the second matrix must equal the columns of the first");
}

void throw_product_onto_factor(const char* call, const char* which, const site& where) {
  throw error(call,
              std::string("the product overlaps the memory of the ") + which +
                  " matrix, and would overwrite its elements during the multiplication" +
                  describe_place(where),
              "write the product to another matrix, and move it afterwards");
}

}  // namespace acre::algorithm
