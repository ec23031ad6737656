// SPDX-License-Identifier: BSD-3-Clause
// Heat in the unit cube with zero boundary, (n - 1)^3 points, explicit 7- or 27-point steps.
//
// sin(pi x) sin(pi y) sin(pi z) decays by exp(-3 pi^2 t). 7 points, step h^2/12: error O(h^2). The
// 27-point error is isotropic, h^2/12 of the biharmonic; a step of h^2/6 cancels it: O(h^4), and
// O(h^6) for this shape.
#pragma once

#include <acre/array/halo.hpp>
#include <acre/array/stencil.hpp>
#include <acre/global/team/team.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <utility>

namespace acre::heat3d {

enum class points : int { seven = 7, twenty_seven = 27 };

/// Time step in units of h^2.
[[nodiscard]] constexpr double step_of(points which) noexcept {
  return which == points::seven ? 1.0 / 12 : 1.0 / 6;
}

struct seven_points {
  [[nodiscard, gnu::always_inline]] double operator()(const auto& u) const noexcept {
    const double faces =
        u(-1, 0, 0) + u(1, 0, 0) + u(0, -1, 0) + u(0, 1, 0) + u(0, 0, -1) + u(0, 0, 1);
    return *u + step_of(points::seven) * (faces - 6 * *u);
  }
};
/// 27-point Laplacian: weights 14 (faces), 3 (edges), 1 (corners), over 30.
struct twenty_seven_points {
  [[nodiscard, gnu::always_inline]] double operator()(const auto& u) const noexcept {
    const auto near = [&](int i) { return u(i, 0, 0); };
    const auto beside = [&](int i) { return u(i, -1, 0) + u(i, 1, 0) + u(i, 0, -1) + u(i, 0, 1); };
    const auto across = [&](int i) {
      return u(i, -1, -1) + u(i, -1, 1) + u(i, 1, -1) + u(i, 1, 1);
    };
    const double faces = near(-1) + near(1) + beside(0);
    const double edges = beside(-1) + beside(1) + across(0);
    const double corners = across(-1) + across(1);
    return *u + step_of(points::twenty_seven) / 30 * (14 * faces + 3 * edges + corners - 128 * *u);
  }
};

/// Maximum error; NaN becomes infinity.
[[nodiscard]] inline double worse(double so_far, double error) noexcept {
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : std::max(so_far, error);
}

class cube {
 public:
  /// @param intervals  per side, at least 2. Collective
  cube(const team& members, std::size_t intervals, points which)
      : h_(1.0 / static_cast<double>(intervals)),
        which_(which),
        now_(members, inside(intervals), 1),
        next_(members, inside(intervals), 1),
        around_now_(now_, options()),
        around_next_(next_, options()) {
    stencil(around_next_, now_, [this](const auto& u) { return shape(u.where()); });
  }

  void step() {
    if (which_ == points::seven) {
      step_by(seven_points());
    } else {
      step_by(twenty_seven_points());
    }
  }
  [[nodiscard]] double time() const noexcept { return step_of(which_) * h_ * h_ * steps_; }
  [[nodiscard]] std::size_t size() const noexcept { return now_.size(); }

  /// Collective.
  [[nodiscard]] double error() {
    const double decay = std::exp(-3 * std::numbers::pi * std::numbers::pi * time());
    double worst = 0;
    stencil(around_now_, next_, [&](const auto& u) {
      worst = worse(worst, std::abs(*u - decay * shape(u.where())));
      return 0.0;
    });
    return now_.members().allreduce(worst, op::max);
  }

 private:
  [[nodiscard]] static layout::coordinates<3> inside(std::size_t intervals) noexcept {
    return {intervals - 1, intervals - 1, intervals - 1};
  }
  [[nodiscard]] halo_options<double, 3> options() const {
    return {.edges = fixed(0.0),
            .corners = which_ == points::seven ? halo_corners::left_out : halo_corners::kept};
  }
  [[nodiscard]] double shape(const layout::coordinates<3>& at) const {
    double product = 1;
    for (const std::size_t each : at) {
      product *= std::sin(std::numbers::pi * h_ * static_cast<double>(each + 1));
    }
    return product;
  }
  template <class Points>
  void step_by(const Points& of_neighbours) {
    around_now_.update();
    stencil(around_now_, next_, of_neighbours);
    std::swap(now_, next_);
    std::swap(around_now_, around_next_);
    ++steps_;
  }

  double h_;
  points which_;
  double steps_ = 0;
  halo_matrix<double, 3> now_;
  halo_matrix<double, 3> next_;
  halo<double, 3> around_now_;
  halo<double, 3> around_next_;
};

}  // namespace acre::heat3d
