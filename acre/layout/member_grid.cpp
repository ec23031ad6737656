// SPDX-License-Identifier: BSD-3-Clause
#include <acre/layout/member_grid.hpp>

namespace acre {

member_grid member_grid::square(layout::member_t members) noexcept {
  layout::member_t rows = 1;
  for (layout::member_t i = 1; i <= members / i; ++i) {
    if (members % i == 0) rows = i;
  }
  return {rows, members == 0 ? 1 : members / rows};
}

}  // namespace acre
