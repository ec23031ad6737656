// SPDX-License-Identifier: BSD-3-Clause
#include <apps/amr/gas.hpp>

#include <acre/base/error.hpp>

#include <apps/amr/riemann.hpp>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace acre::amr {
namespace {

problem gas_of(gas_start start, double gamma) {
  problem given;
  given.kind = physics::euler;
  given.start = start;
  given.gamma = gamma;
  return given;
}

/// A row of leaves along x, in a periodic domain that is uniform along y and z.
class tube {
 public:
  tube(const problem& given, std::uint32_t level) : given_(given) {
    for (std::uint32_t x = 0; x < 1U << level; ++x) {
      where_.push_back({level, {x, 0, 0}});
      leaves_.push_back(gas_cells(given, where_.back()));
    }
  }

  void advance_to(double end) {
    while (time_ < end) {
      double fastest = 0;
      for (const values& each : leaves_) {
        fastest = std::max(fastest, fastest_signal(given_, side(), each));
      }
      const double step = std::min(given_.courant / fastest, end - time_);
      const std::vector<values> before = leaves_;
      take(step);
      take(step);
      for (std::size_t i = 0; i < leaves_.size(); ++i) {
        for (std::size_t k = 0; k < leaves_[i].size(); ++k) {
          leaves_[i][k] = 0.5 * (before[i][k] + leaves_[i][k]);
        }
      }
      time_ += step;
    }
  }
  /// Calls use(density, middle) for the cells.
  template <class Use>
  void for_each(Use&& use) const {
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      for_each_cell(where_[i], [&](std::size_t k, const point& at) { use(leaves_[i][k], at); });
    }
  }
  [[nodiscard]] double mean_error() const {
    double sum = 0;
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      const values exact = exact_density(given_, where_[i], time_);
      for (std::size_t k = 0; k < cells_of_leaf; ++k) sum += std::abs(leaves_[i][k] - exact[k]);
    }
    return sum / static_cast<double>(leaves_.size() * cells_of_leaf);
  }
  std::vector<values>& leaves() { return leaves_; }

 private:
  [[nodiscard]] double side() const { return where_[0].side() / cells_along; }
  void take(double step) {
    const std::vector<values> old = leaves_;
    for (std::size_t i = 0; i < old.size(); ++i) {
      surroundings around;
      for (const face f : faces) {
        const std::size_t last = old.size() - 1;
        const std::size_t other = axis_of(f) != 0 ? i
                                  : is_high(f)    ? (i == last ? 0 : i + 1)
                                                  : (i == 0 ? last : i - 1);
        for (std::size_t q = 0; q < gas_quantities; ++q) {
          const values one =
              border(std::span(old[other]).subspan(q * cells_of_leaf, cells_of_leaf), opposite(f));
          values& ghosts = around.ghosts[number_of(f)];
          ghosts.insert(ghosts.end(), one.begin(), one.end());
        }
      }
      gas_step(given_, step, side(), old[i], around, {}, leaves_[i]);
    }
  }

  problem given_;
  std::vector<location> where_;
  std::vector<values> leaves_;
  double time_ = 0;
};

TEST(Riemann, HasTheKnownStatesOfSodsTube) {
  const riemann_solution sod({1, 0, 1}, {0.125, 0, 0.1}, 1.4);
  const tube_state left = sod.at(0.92);
  EXPECT_NEAR(left.pressure, 0.30313, 1e-5);
  EXPECT_NEAR(left.velocity, 0.92745, 1e-5);
  EXPECT_NEAR(left.density, 0.42632, 1e-5);
  EXPECT_NEAR(sod.at(0.93).density, 0.26557, 1e-5);
  EXPECT_EQ(sod.at(1.76).density, 0.125);
  EXPECT_EQ(sod.at(-1.19).density, 1);
}

TEST(Riemann, IsTheSameInAMirror) {
  const riemann_solution one({1, 0.3, 1}, {0.5, -0.2, 2}, 5.0 / 3);
  const riemann_solution other({0.5, 0.2, 2}, {1, -0.3, 1}, 5.0 / 3);
  for (const double speed : {-2.0, -0.7, 0.1, 0.9, 2.0}) {
    EXPECT_NEAR(one.at(speed).density, other.at(-speed).density, 1e-13);
    EXPECT_NEAR(one.at(speed).pressure, other.at(-speed).pressure, 1e-13);
  }
}

TEST(Gas, FollowsSodsTubeWithinTheErrorOfAFirstOrderShock) {
  const auto error_at = [](std::uint32_t level) {
    tube gas(gas_of(gas_start::sod, 1.4), level);
    gas.advance_to(0.1);
    return gas.mean_error();
  };
  const double coarse = error_at(2);
  const double fine = error_at(3);
  EXPECT_LT(fine, 0.022);
  const double order = std::log2(coarse / fine);
  EXPECT_GT(order, 0.7);
  EXPECT_LT(order, 1.1);
}

TEST(Gas, CarriesASmoothWaveWithAnErrorOfTheSecondOrder) {
  const auto error_at = [](std::uint32_t level) {
    problem given = gas_of(gas_start::still, 5.0 / 3);
    given.velocity = {1, 0, 0};
    given.pressure = 1;
    tube gas(given, level);
    const auto wave = [](double x) { return 1 + 0.2 * std::sin(2 * std::numbers::pi * x); };
    for (std::size_t i = 0; i < gas.leaves().size(); ++i) {
      for_each_cell({level, {static_cast<std::uint32_t>(i), 0, 0}},
                    [&](std::size_t k, const point& at) {
                      values& cells = gas.leaves()[i];
                      cells[k] = cells[cells_of_leaf + k] = wave(at[0]);
                      cells[4 * cells_of_leaf + k] = 1.5 + 0.5 * wave(at[0]);
                    });
    }
    constexpr double time = 0.25;
    gas.advance_to(time);
    double sum = 0;
    std::size_t cells = 0;
    gas.for_each([&](double density, const point& at) {
      sum += std::abs(density - wave(at[0] - time));
      ++cells;
    });
    return sum / static_cast<double>(cells);
  };
  EXPECT_NEAR(std::log2(error_at(1) / error_at(2)), 2, 0.3);
}

TEST(Gas, OfAUniformStateStaysAsItIs) {
  tube gas(gas_of(gas_start::still, 5.0 / 3), 1);
  gas.advance_to(0.1);
  gas.for_each([](double density, const point&) { EXPECT_NEAR(density, 1, 1e-15); });
}

TEST(Gas, IsRefusedWithoutPressure) {
  problem given = gas_of(gas_start::still, 1.4);
  given.pressure = -1;
  tube gas(given, 0);
  EXPECT_THROW(gas.advance_to(0.01), error);
}

}  // namespace
}  // namespace acre::amr
