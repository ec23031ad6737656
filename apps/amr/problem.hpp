// SPDX-License-Identifier: BSD-3-Clause
// Problem in the periodic unit cube: a blob that a wind carries, or an ideal gas.
#pragma once

#include <apps/amr/cells.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace acre::amr {

inline constexpr std::uint32_t stages_of_step = 2;

using point = std::array<double, axes>;

enum class physics : std::uint32_t { advection, euler };

/// `star`: the blob over a thin background, moving with the wind. `sod`: Sod's shock tube along x
/// (J. Comput. Phys. 27, 1978) and its mirror image. `still`: uniform, moving with the wind.
enum class gas_start : std::uint32_t { star, sod, still };

struct problem {
  point velocity = {1, 0.5, 0.25};
  point centre = {0.5, 0.5, 0.5};
  double radius = 0.25;
  std::uint32_t coarsest = 1;
  std::uint32_t finest = 3;
  double refine_above = 0.06;    ///< a leaf with a larger jump between cells is refined
  double coarsen_below = 0.012;  ///< below refine_above / 4, or levels oscillate
  std::uint32_t regrid_every = 4;
  double courant = 0.4;
  physics kind = physics::advection;
  gas_start start = gas_start::star;
  double gamma = 5.0 / 3;
  double background = 0.1;  ///< density around the star
  double pressure = 0.2;
  double gravity = 0;  ///< gravitational constant

  friend bool operator==(const problem&, const problem&) = default;

  [[nodiscard]] bool is_gas() const noexcept { return kind == physics::euler; }
  /// Values of a cell: the carried quantity, or density, momentum (3) and energy.
  [[nodiscard]] std::size_t quantities() const noexcept { return is_gas() ? 5 : 1; }
  /// Constant, so that no step of advection needs a reduction.
  [[nodiscard]] double time_step() const noexcept;
  /// The blob, carried by the wind.
  [[nodiscard]] double exact(const point& where, double time) const noexcept;
};

[[nodiscard]] point middle_of(const location& leaf, std::size_t x, std::size_t y,
                              std::size_t z) noexcept;

/// Calls use(element, middle) for each cell.
template <class Use>
void for_each_cell(const location& leaf, Use&& use) {
  std::size_t element = 0;
  for (std::size_t x = 0; x < cells_along; ++x) {
    for (std::size_t y = 0; y < cells_along; ++y) {
      for (std::size_t z = 0; z < cells_along; ++z) use(element++, middle_of(leaf, x, y, z));
    }
  }
}

}  // namespace acre::amr
