// SPDX-License-Identifier: BSD-3-Clause
#include <acre/view/zipped.hpp>

#include <acre/base/error.hpp>

#include <string>

namespace acre::view {

void throw_not_spread_alike(rank_t a, rank_t b) {
  throw error("views::zip",
              "the ranges are not spread alike: elements of the same place are on rank " +
                  std::to_string(a) + " and on rank " + std::to_string(b),
              "give them the same pattern (acre::redistribute), or take acre::transform(a, b, c, "
              "f), which reads what a rank lacks");
}

}  // namespace acre::view
