// Products of matrices whose elements are of two types.
#include <acre/algorithm/multiply.hpp>

namespace {

void products(const acre::matrix<double, 2>& a, acre::matrix<float, 2>& floats) {
  // says: no matching function for call to
  // names: product_of
  acre::multiply(a, a, floats);
}

}  // namespace
