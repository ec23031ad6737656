// SPDX-License-Identifier: BSD-3-Clause
#include <apps/amr/problem.hpp>

#include <cmath>
#include <numbers>

namespace acre::amr {

double problem::time_step() const noexcept {
  const double speed = std::abs(velocity[0]) + std::abs(velocity[1]) + std::abs(velocity[2]);
  return courant * location{finest, {}}.side() / cells_along / speed;
}

double problem::exact(const point& where, double time) const noexcept {
  double square = 0;
  for (unsigned axis = 0; axis < axes; ++axis) {
    const double apart = where[axis] - centre[axis] - velocity[axis] * time;
    const double nearest = apart - std::round(apart);
    square += nearest * nearest;
  }
  if (square >= radius * radius) return 0;
  const double wave = 0.5 + 0.5 * std::cos(std::numbers::pi * std::sqrt(square) / radius);
  return wave * wave;
}

point middle_of(const location& leaf, std::size_t x, std::size_t y, std::size_t z) noexcept {
  const std::array<std::size_t, axes> cell{x, y, z};
  point found{};
  for (unsigned axis = 0; axis < axes; ++axis) {
    const double inside = (static_cast<double>(cell[axis]) + 0.5) / cells_along;
    found[axis] = (leaf.at[axis] + inside) * leaf.side();
  }
  return found;
}

}  // namespace acre::amr
