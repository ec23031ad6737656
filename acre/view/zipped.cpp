// SPDX-License-Identifier: BSD-3-Clause
#include <acre/view/zipped.hpp>

#include <acre/base/error.hpp>

#include <string>

namespace acre::view {

void throw_not_spread_alike(rank_t a, rank_t b) {
  throw error("views::zip",
              "the ranges are distributed differently: elements of equal index are on rank " +
                  std::to_string(a) + " and on rank " + std::to_string(b),
              "use the same pattern (acre::redistribute), or acre::transform(a, b, c, f), which "
              "reads remote elements");
}

}  // namespace acre::view
