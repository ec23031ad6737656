// SPDX-License-Identifier: BSD-3-Clause
// acre-exchange: exchanges and multiplies blocks in a grid of ranks, the synthetic benchmark of the
// mapping for CP2K.
#include <acre/base/error.hpp>
#include <acre/global/team/team.hpp>
#include <acre/launch/job.hpp>
#include <acre/mapping/communication.hpp>

#include <apps/exchange/block_exchange.hpp>
#include <apps/program/memory.hpp>
#include <apps/program/product.hpp>
#include <apps/program/program.hpp>
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using acre::exchange::activity;
using acre::exchange::block_exchange;
using acre::exchange::grid_shape;

constexpr const char* smaller = "choose smaller blocks";

struct request {
  std::uint32_t rows = 0;
  std::uint32_t side = 362;
  std::uint32_t steps = 20;
  std::uint32_t times = 3;
  std::string order = "mapped";
  std::string product = acre::program::product_names.front();
};

acre::command_line::command& define(acre::command_line::command& program, request& wanted) {
  program.add("--rows", wanted.rows, "set the rows of the grid of ranks (default: nearly square)")
      .within(1U, 1U << 20);
  program.add("--side", wanted.side, "use square blocks with N rows")
      .shown_default()
      .within(1U, 1U << 14);
  program.add("--steps", wanted.steps, "exchange and multiply N times")
      .shown_default()
      .within(1U, 1U << 20);
  program.add("--times", wanted.times, "repeat all N times; the least times are reported")
      .shown_default()
      .within(1U, 1000U);
  program.add("--order", wanted.order, "place ranks near their neighbours, or keep the job's order")
      .shown_default()
      .one_of(std::vector<std::string>{"mapped", "packed"});
  program.add("--product", wanted.product, "multiply blocks by this product")
      .shown_default()
      .one_of(std::vector<std::string>(acre::program::product_names.begin(),
                                       acre::program::product_names.end()));
  program.footer("Run it with: acre run -n 4 acre-exchange");
  return program;
}

grid_shape shape_of(const request& wanted) {
  const std::uint32_t ranks = acre::size();
  std::uint32_t rows = wanted.rows;
  if (rows == 0) {
    rows = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(ranks)));
    while (ranks % rows != 0) --rows;
  }
  if (ranks % rows != 0) {
    throw acre::error("acre-exchange",
                      fmt::format("{} ranks do not form a grid of {} rows", ranks, rows),
                      "choose rows that divide the number of ranks");
  }
  return {.rows = rows, .columns = ranks / rows};
}

acre::team team_of(const request& wanted, const grid_shape& shape) {
  if (wanted.order == "packed") return acre::world();
  return acre::team::cartesian({shape.rows, shape.columns},
                               acre::mapping::shifts(shape.rows, shape.columns));
}

template <class Product>
double seconds_of(block_exchange& blocks, const acre::team& grid, const request& wanted,
                  activity what, const Product& product) {
  grid.barrier();
  const auto begin = std::chrono::steady_clock::now();
  for (std::uint32_t i = 0; i < wanted.steps; ++i) blocks.step(what, product);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  return grid.allreduce(spent.count(), acre::op::max) / wanted.steps;
}

void tell(const request& wanted, const grid_shape& shape, double exchange, double product,
          double both) {
  const double side = wanted.side;
  const double bytes = 2 * side * side * sizeof(double);
  fmt::print(
      "{{\"ranks\": {}, \"grid\": [{}, {}], \"side\": {}, \"order\": \"{}\", \"product\": \"{}\", "
      "\"conduit\": \"{}\", \"verified\": true, \"exchange_ms\": {:.4f}, \"product_ms\": {:.4f}, "
      "\"both_ms\": {:.4f}, \"exchange_mb_a_second\": {:.1f}, \"both_mb_a_second\": {:.1f}, "
      "\"gflops\": {:.2f}}}\n",
      acre::size(), shape.rows, shape.columns, wanted.side, wanted.order, wanted.product,
      acre::conduit_name(), 1e3 * exchange, 1e3 * product, 1e3 * both, bytes / exchange / 1e6,
      bytes / both / 1e6, 2 * side * side * side / both / 1e9);
}

template <class Product>
void run(const request& wanted, const Product& product) {
  const grid_shape shape = shape_of(wanted);
  const acre::team grid = team_of(wanted, shape);
  block_exchange blocks(grid, shape, wanted.side);
  double least[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
  for (std::uint32_t i = 0; i < wanted.times; ++i) {
    for (const activity what : {activity::exchange, activity::product, activity::both}) {
      double& best = least[static_cast<std::size_t>(what)];
      best = std::fmin(best, seconds_of(blocks, grid, wanted, what, product));
    }
  }
  if (grid.allreduce(!blocks.is_right(), acre::op::logical_or)) {
    throw acre::error("acre-exchange", "a block or a product has wrong elements");
  }
  if (grid.rank() == 0) tell(wanted, shape, least[0], least[1], least[2]);
  grid.barrier();
}

void run(const request& wanted) {
  const double side = wanted.side;
  acre::program::require_memory("acre-exchange", 5 * side * side * sizeof(double) * acre::size(),
                                smaller);
  acre::program::share_cores();
  acre::program::with_product(wanted.product, [&](auto product) {
    run(wanted, product);
    return 0;
  });
}

}  // namespace

int main(int argc, char** argv) {
  request wanted;
  acre::command_line::command program{
      "Exchanges and multiplies blocks in a grid of ranks, as CP2K does.", "acre-exchange"};
  return acre::program::run(define(program, wanted), argc, argv, [&] { run(wanted); }, smaller);
}
