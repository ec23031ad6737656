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
                  " have no product of " + layout::extents_text(c) + describe_place(where),
              a[1] == b[0] ? "make the product of " + layout::extents_text(std::array{a[0], b[1]})
                           : "the second needs as many rows as the first has columns");
}

void throw_product_onto_factor(const char* call, const char* which, const site& where) {
  throw error(call,
              std::string("the product lies in the memory of the ") + which +
                  " matrix, and would be written over what it is made of" + describe_place(where),
              "make another matrix for the product, and move that to where it shall be");
}

}  // namespace acre::algorithm
