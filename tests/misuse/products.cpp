// Products of matrices whose elements are of two types, in at most 20 lines.
#include <acre/algorithm/multiply.hpp>

namespace {

void products(const acre::matrix<double, 2>& a, acre::matrix<double, 2>& c,
              acre::matrix<float, 2>& floats) {
  // says: a, b and c are matrices, or boxes of them, of two dimensions, whose elements are of one
  acre::multiply(a, a, floats);
  // says: a, b and c are matrices, or boxes of them, of two dimensions, whose elements are of one
  acre::multiply_add(a, a, a);
  // says: the local product is a function of three boxes of plain memory
  acre::multiply(2.0, a, a, 0.0, c, [](double x, double y) { return x * y; });
}

}  // namespace
