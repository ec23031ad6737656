// SPDX-License-Identifier: BSD-3-Clause
#include <apps/amr/gas.hpp>

#include <acre/base/error.hpp>

#include <apps/amr/riemann.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace acre::amr {
namespace {

enum quantity : std::size_t { density, momentum, energy = 4 };

constexpr tube_state sod_inside{1, 0, 1};
constexpr tube_state sod_outside{0.125, 0, 0.1};
constexpr double half_of_tube = 0.25;

/// Density, velocity (along the axis first) and pressure.
using state = std::array<double, gas_quantities>;
using gas_layers = std::array<layers, gas_quantities>;
using gas_fluxes = std::array<side_fluxes, gas_quantities>;

double distance_to_middle(const problem& given, const point& where) noexcept {
  const double apart = where[0] - given.centre[0];
  return apart - std::round(apart);
}

state first_state(const problem& given, const point& where) {
  const auto& [u, v, w] = given.velocity;
  if (given.start == gas_start::sod) {
    const bool is_inside = std::abs(distance_to_middle(given, where)) < half_of_tube;
    const tube_state& here = is_inside ? sod_inside : sod_outside;
    return {here.density, 0, 0, 0, here.pressure};
  }
  if (given.start == gas_start::still) return {1, u, v, w, given.pressure};
  return {given.background + given.exact(where, 0), u, v, w, given.pressure};
}

double energy_of(const state& of, double gamma) noexcept {
  const double square = of[1] * of[1] + of[2] * of[2] + of[3] * of[3];
  return of[4] / (gamma - 1) + 0.5 * of[0] * square;
}

/// Axes of momentum in the order of a sweep along `axis`.
constexpr std::array<std::size_t, axes> turned(unsigned axis) noexcept {
  return {axis, (axis + 1) % axes, (axis + 2) % axes};
}

void require_gas(double lowest_density, double lowest_pressure) {
  if (lowest_density > 0 && lowest_pressure > 0) return;
  throw error("amr::gas_step",
              "the gas has a density of " + std::to_string(lowest_density) + " and a pressure of " +
                  std::to_string(lowest_pressure),
              "choose a larger pressure or less gravity, or a finer mesh");
}

/// Conserved quantities to density, velocity and pressure.
void make_primitive(gas_layers& u, double gamma) {
  double lowest_density = 1;
  double lowest_pressure = 1;
  for (std::size_t layer = 0; layer < u[0].size(); ++layer) {
    for (std::size_t k = 0; k < cells_of_plane; ++k) {
      const double rho = u[0][layer][k];
      double square = 0;
      for (std::size_t q = 1; q < energy; ++q) {
        square += u[q][layer][k] * u[q][layer][k];
        u[q][layer][k] /= rho;
      }
      const double pressure = (gamma - 1) * (u[energy][layer][k] - 0.5 * square / rho);
      u[energy][layer][k] = pressure;
      lowest_density = std::min(lowest_density, rho);
      lowest_pressure = std::min(lowest_pressure, pressure);
    }
  }
  require_gas(lowest_density, lowest_pressure);
}

state flux_of(const state& w, double e) noexcept {
  const double mass = w[0] * w[1];
  return {mass, mass * w[1] + w[4], mass * w[2], mass * w[3], w[1] * (e + w[4])};
}

/// Flux of the side behind a wave of `speed`.
state behind_wave(const state& w, double e, double speed, double contact) noexcept {
  const double rho = w[0] * (speed - w[1]) / (speed - contact);
  const double more = (contact - w[1]) * (contact + w[4] / (w[0] * (speed - w[1])));
  const state inner{rho, rho * contact, rho * w[2], rho * w[3], rho * (e / w[0] + more)};
  const state outer{w[0], w[0] * w[1], w[0] * w[2], w[0] * w[3], e};
  state flux = flux_of(w, e);
  for (std::size_t q = 0; q < gas_quantities; ++q) flux[q] += speed * (inner[q] - outer[q]);
  return flux;
}

state flux_between(const state& l, const state& r, double gamma) noexcept {
  const double sound_l = std::sqrt(gamma * l[4] / l[0]);
  const double sound_r = std::sqrt(gamma * r[4] / r[0]);
  const double slowest = std::min(l[1] - sound_l, r[1] - sound_r);
  const double fastest = std::max(l[1] + sound_l, r[1] + sound_r);
  const double energy_l = energy_of(l, gamma);
  const double energy_r = energy_of(r, gamma);
  if (slowest >= 0) return flux_of(l, energy_l);
  if (fastest <= 0) return flux_of(r, energy_r);
  const double into_l = l[0] * (slowest - l[1]);
  const double into_r = r[0] * (fastest - r[1]);
  const double contact = (r[4] - l[4] + into_l * l[1] - into_r * r[1]) / (into_l - into_r);
  return contact >= 0 ? behind_wave(l, energy_l, slowest, contact)
                      : behind_wave(r, energy_r, fastest, contact);
}

void through_sides(const gas_layers& w, double gamma, gas_fluxes& found) {
  for (std::size_t side = 0; side < found[0].size(); ++side) {
    const std::size_t below = ghost_layers + side - 1;
    for (std::size_t k = 0; k < cells_of_plane; ++k) {
      state l;
      state r;
      for (std::size_t q = 0; q < gas_quantities; ++q) {
        const layers& u = w[q];
        const double across = u[below + 1][k] - u[below][k];
        l[q] = u[below][k] + 0.5 * limited(u[below][k] - u[below - 1][k], across);
        r[q] = u[below + 1][k] - 0.5 * limited(across, u[below + 2][k] - u[below + 1][k]);
      }
      const state flux = flux_between(l, r, gamma);
      for (std::size_t q = 0; q < gas_quantities; ++q) found[q][side][k] = flux[q];
    }
  }
}

void add_pull(double step, std::span<const double> cells, std::span<const double> pull,
              std::span<double> after) {
  for (std::size_t axis = 0; axis < axes && !pull.empty(); ++axis) {
    const std::span<const double> a = pull.subspan(axis * cells_of_leaf, cells_of_leaf);
    const std::size_t p = (momentum + axis) * cells_of_leaf;
    for (std::size_t i = 0; i < cells_of_leaf; ++i) {
      after[p + i] += step * cells[i] * a[i];
      after[energy * cells_of_leaf + i] += step * cells[p + i] * a[i];
    }
  }
}

}  // namespace

values gas_cells(const problem& given, const location& leaf) {
  values found(gas_quantities * cells_of_leaf);
  for_each_cell(leaf, [&](std::size_t i, const point& at) {
    const state here = first_state(given, at);
    found[i] = here[0];
    for (std::size_t q = momentum; q < energy; ++q)
      found[q * cells_of_leaf + i] = here[0] * here[q];
    found[energy * cells_of_leaf + i] = energy_of(here, given.gamma);
  });
  return found;
}

bool has_exact_density(const problem& given) noexcept { return given.gravity == 0; }

values exact_density(const problem& given, const location& leaf, double time) {
  values found = gas_cells(given, leaf);
  found.resize(cells_of_leaf);
  if (given.start == gas_start::star) {
    for_each_cell(leaf, [&](std::size_t i, const point& at) {
      found[i] = given.background + given.exact(at, time);
    });
  }
  if (given.start != gas_start::sod || time <= 0) return found;
  const riemann_solution tube(sod_inside, sod_outside, given.gamma);
  for_each_cell(leaf, [&](std::size_t i, const point& at) {
    const double along = std::abs(distance_to_middle(given, at)) - half_of_tube;
    found[i] = tube.at(along / time).density;
  });
  return found;
}

double fastest_signal(const problem& given, double cell_side, std::span<const double> cells) {
  const auto of = [&](std::size_t q, std::size_t i) { return cells[q * cells_of_leaf + i]; };
  double fastest = 0;
  for (std::size_t i = 0; i < cells_of_leaf; ++i) {
    const double rho = of(density, i);
    double speeds = 0;
    double square = 0;
    for (std::size_t q = momentum; q < energy; ++q) {
      speeds += std::abs(of(q, i)) / rho;
      square += of(q, i) * of(q, i);
    }
    const double pressure = (given.gamma - 1) * (of(energy, i) - 0.5 * square / rho);
    fastest = std::max(fastest, speeds + axes * std::sqrt(given.gamma * pressure / rho));
  }
  return fastest / cell_side;
}

border_fluxes gas_step(const problem& given, double step, double cell_side,
                       std::span<const double> cells, const surroundings& around,
                       std::span<const double> pull, std::span<double> after) {
  border_fluxes borders;
  std::array<border_fluxes, gas_quantities> of_quantities;
  std::ranges::copy(cells, after.begin());
  gas_layers w;
  gas_fluxes flux;
  for (unsigned axis = 0; axis < axes; ++axis) {
    std::array<std::size_t, gas_quantities> order{density, 0, 0, 0, energy};
    for (std::size_t i = 0; i < axes; ++i) order[1 + i] = momentum + turned(axis)[i];
    for (std::size_t q = 0; q < gas_quantities; ++q) w[q] = gather(cells, around, axis, order[q]);
    make_primitive(w, given.gamma);
    through_sides(w, given.gamma, flux);
    for (std::size_t q = 0; q < gas_quantities; ++q) {
      settle_borders(flux[q], around, axis, order[q], of_quantities[order[q]]);
      add_inflow(flux[q], axis, step / cell_side,
                 after.subspan(order[q] * cells_of_leaf, cells_of_leaf));
    }
  }
  for (const border_fluxes& of_one : of_quantities) {
    for (std::size_t f = 0; f < borders.size(); ++f) {
      borders[f].insert(borders[f].end(), of_one[f].begin(), of_one[f].end());
    }
  }
  add_pull(step, cells, pull, after);
  return borders;
}

}  // namespace acre::amr
