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

member_grid member_grid::of(const team_spec<2>& spec, layout::member_t members) noexcept {
  const auto [rows, columns] = spec.parts;
  if (rows == 0 || columns == 0) return square(members);
  return {static_cast<layout::member_t>(rows), static_cast<layout::member_t>(columns)};
}

}  // namespace acre
