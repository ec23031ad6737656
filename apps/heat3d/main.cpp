// SPDX-License-Identifier: BSD-3-Clause
// acre-heat3d: heat in a cube on successively finer grids, against the exact solution.
#include <acre/acre.hpp>

#include <apps/heat3d/heat_equation.hpp>
#include <apps/program/program.hpp>
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <string>

namespace {

using namespace acre::heat3d;

constexpr double end = 0.05;

struct request {
  unsigned intervals = 64;
  std::string points = "7";
};

acre::command_line::command& define(acre::command_line::command& program, request& wanted) {
  program
      .add("--intervals", wanted.intervals,
           "use N intervals, rounded down to a multiple of 4, on each side of the cube in the "
           "finest grid")
      .shown_default()
      .within(8U, 4096U);
  program.add("--points", wanted.points, "use a stencil of N points")
      .shown_default()
      .one_of({"7", "27"});
  program.footer("Run it with: acre run -n 4 acre-heat3d");
  return program;
}

struct outcome {
  double error;
  double seconds;
  double updates;
};

outcome solve(const acre::team& grid, std::size_t intervals, points which, double time) {
  cube heat(grid, intervals, which);
  std::size_t steps = 0;
  acre::barrier();
  const auto begin = std::chrono::steady_clock::now();
  for (; heat.time() < time; ++steps) heat.step();
  acre::barrier();
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  return {heat.error(), spent.count(),
          static_cast<double>(steps) * static_cast<double>(heat.size())};
}

void run(const request& wanted) {
  const auto which = wanted.points == "7" ? points::seven : points::twenty_seven;
  const double expected = which == points::seven ? 2 : 6;
  const std::size_t inner = wanted.intervals - 1;
  const acre::team grid = acre::team::cartesian_for({inner, inner, inner});
  double order = 0;
  double before = 0;
  for (std::size_t intervals = wanted.intervals / 4; intervals <= wanted.intervals;
       intervals *= 2) {
    const outcome found = solve(grid, intervals, which, end);
    order = before == 0 ? 0 : std::log2(before / found.error);
    if (acre::rank() == 0) {
      fmt::print("{:4} intervals: error {:.3e}", intervals, found.error);
      if (before != 0) fmt::print(", order {:.2f}", order);
      fmt::print(", {:.0f} million elements a second\n", found.updates / found.seconds / 1e6);
    }
    before = found.error;
  }
  constexpr double rounding = 1e-11;
  // Infinite errors give NaN, which fails the comparison.
  if (before > rounding && !(std::abs(order - expected) <= 0.3)) {
    throw acre::error("acre-heat3d", fmt::format("the result is wrong: the error is of order "
                                                 "{:.2f}, but {:.0f} is expected",
                                                 order, expected));
  }
}

}  // namespace

int main(int argc, char** argv) {
  request wanted;
  acre::command_line::command program{
      "Solves the heat equation in a cube on finer and finer grids, and checks the exact solution.",
      "acre-heat3d"};
  return acre::program::run(
      define(program, wanted), argc, argv, [&] { run(wanted); }, "choose smaller --intervals");
}
