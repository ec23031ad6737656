#include <acre/sparse/member_grid.hpp>

namespace acre {

member_grid member_grid::square(rank_t members) noexcept {
  rank_t rows = 1;
  for (rank_t i = 1; i <= members / i; ++i) {
    if (members % i == 0) rows = i;
  }
  return {rows, members == 0 ? 1 : members / rows};
}

}  // namespace acre
