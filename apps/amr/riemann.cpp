// SPDX-License-Identifier: BSD-3-Clause
#include <apps/amr/riemann.hpp>

#include <algorithm>
#include <cmath>

namespace acre::amr {
namespace {

double sound(const tube_state& of, double gamma) {
  return std::sqrt(gamma * of.pressure / of.density);
}

struct change {
  double velocity;
  double slope;
};

/// Change of velocity across the wave that takes `side` to `pressure`, and its derivative.
change across(const tube_state& side, double gamma, double pressure) {
  if (pressure > side.pressure) {
    const double a = 2 / ((gamma + 1) * side.density);
    const double b = (gamma - 1) / (gamma + 1) * side.pressure;
    const double root = std::sqrt(a / (pressure + b));
    const double jump = pressure - side.pressure;
    return {jump * root, root * (1 - jump / (2 * (pressure + b)))};
  }
  const double c = sound(side, gamma);
  const double ratio = pressure / side.pressure;
  return {2 * c / (gamma - 1) * (std::pow(ratio, (gamma - 1) / (2 * gamma)) - 1),
          std::pow(ratio, -(gamma + 1) / (2 * gamma)) / (side.density * c)};
}

double pressure_between(const tube_state& left, const tube_state& right, double gamma) {
  double pressure = 0.5 * (left.pressure + right.pressure);
  for (int i = 0; i < 100; ++i) {
    const change l = across(left, gamma, pressure);
    const change r = across(right, gamma, pressure);
    const double excess = l.velocity + r.velocity + right.velocity - left.velocity;
    const double next = std::max(pressure - excess / (l.slope + r.slope), 1e-3 * pressure);
    if (std::abs(next - pressure) <= 1e-14 * pressure) return next;
    pressure = next;
  }
  return pressure;
}

/// The state on the left of the contact, which moves with `velocity`.
tube_state left_part(const tube_state& side, double gamma, double pressure, double velocity,
                     double speed) {
  const double c = sound(side, gamma);
  const double ratio = pressure / side.pressure;
  const double g = (gamma - 1) / (gamma + 1);
  if (pressure > side.pressure) {
    const double shock = side.velocity - c * std::sqrt((gamma + 1) / (2 * gamma) * ratio +
                                                       (gamma - 1) / (2 * gamma));
    if (speed <= shock) return side;
    return {side.density * (ratio + g) / (g * ratio + 1), velocity, pressure};
  }
  if (speed <= side.velocity - c) return side;
  const double tail = velocity - c * std::pow(ratio, (gamma - 1) / (2 * gamma));
  if (speed >= tail) return {side.density * std::pow(ratio, 1 / gamma), velocity, pressure};
  const double factor = 2 / (gamma + 1) + g / c * (side.velocity - speed);
  return {side.density * std::pow(factor, 2 / (gamma - 1)),
          2 / (gamma + 1) * (c + (gamma - 1) / 2 * side.velocity + speed),
          side.pressure * std::pow(factor, 2 * gamma / (gamma - 1))};
}

tube_state mirrored(tube_state of) {
  of.velocity = -of.velocity;
  return of;
}

}  // namespace

riemann_solution::riemann_solution(const tube_state& left, const tube_state& right, double gamma)
    : left_(left),
      right_(right),
      gamma_(gamma),
      pressure_(pressure_between(left, right, gamma)),
      velocity_(0.5 * (left.velocity + right.velocity + across(right, gamma, pressure_).velocity -
                       across(left, gamma, pressure_).velocity)) {}

tube_state riemann_solution::at(double speed) const {
  if (speed <= velocity_) return left_part(left_, gamma_, pressure_, velocity_, speed);
  return mirrored(left_part(mirrored(right_), gamma_, pressure_, -velocity_, -speed));
}

}  // namespace acre::amr
