// Products of matrices whose patterns have no rows and columns of members.
#include <acre/algorithm/multiply.hpp>
#include <acre/layout/deduction.hpp>

namespace {

using shifted_tiles = decltype(acre::make_pattern<acre::use_case::transpose>({8, 8}, 2));

void products(const acre::matrix<double, 2>& a, acre::matrix<double, 2, shifted_tiles>& tiles) {
  // says: no matching function for call to
  // names: cyclic_mapping
  acre::multiply(a, a, tiles);
}

}  // namespace
