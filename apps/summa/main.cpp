// SPDX-License-Identifier: BSD-3-Clause
// acre-summa: multiplies two distributed matrices, reports algorithm and rate, verifies.
#include <acre/algorithm/multiply.hpp>
#include <acre/array/matrix.hpp>
#include <acre/array/transposed.hpp>
#include <acre/base/error.hpp>
#include <acre/base/split_mix.hpp>
#include <acre/global/team/team.hpp>
#include <acre/launch/job.hpp>
#include <acre/layout/distribution.hpp>

#include <apps/program/memory.hpp>
#include <apps/program/product.hpp>
#include <apps/program/program.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace {

using extents = acre::layout::coordinates<2>;

auto tiles(const extents& all, const extents& grid, const extents& tile) {
  return acre::make_distribution(all, acre::size(), acre::team_spec<2>(grid),
                                 acre::dist::tile(tile[0]), acre::dist::tile(tile[1]));
}
using table = acre::matrix<double, 2, decltype(tiles({}, {}, {}))>;

constexpr const char* smaller = "choose smaller matrices";

struct request {
  unsigned rows = 1024;
  unsigned inner = 0;
  unsigned columns = 0;
  unsigned times = 3;
  unsigned tile = 128;
  std::string a = "boxes";
  std::string b = "boxes";
  std::string c = "boxes";
  std::string transposed = "none";
  std::string algorithm = "best";
  std::string product = acre::program::product_names.front();
};

acre::command_line::command& define(acre::command_line::command& program, request& wanted) {
  constexpr unsigned most = 1U << 20;
  program.add("--rows", wanted.rows, "set the rows of the product")
      .shown_default()
      .within(1U, most);
  program.add("--inner", wanted.inner, "set the columns of the first matrix (default: --rows)")
      .within(1U, most);
  program.add("--columns", wanted.columns, "set the columns of the product (default: --rows)")
      .within(1U, most);
  program.add("--times", wanted.times, "multiply N times, after one warm-up; the best is reported")
      .shown_default()
      .within(1U, 1000U);
  const std::vector<std::string> spread{"boxes", "rows", "columns", "tiles"};
  program.add("--a", wanted.a, "distribute the first matrix in this way")
      .shown_default()
      .one_of(spread);
  program.add("--b", wanted.b, "distribute the second matrix in this way")
      .shown_default()
      .one_of(spread);
  program.add("--c", wanted.c, "distribute the product in this way").shown_default().one_of(spread);
  program.add("--tile", wanted.tile, "use tiles of N rows and columns")
      .shown_default()
      .within(1U, most);
  program.add("--transposed", wanted.transposed, "store these matrices transposed")
      .shown_default()
      .one_of(std::vector<std::string>{"none", "a", "b", "both"});
  program.add("--way", wanted.algorithm, "keep this matrix in place, or use a grid of ranks")
      .shown_default()
      .one_of(std::vector<std::string>{"best", "keeps-a", "keeps-b", "keeps-c", "grid"});
  const std::vector<std::string> products(acre::program::product_names.begin(),
                                          acre::program::product_names.end());
  program.add("--product", wanted.product, "multiply a rank's own blocks by this product")
      .shown_default()
      .one_of(products);
  program.footer("Run it with: acre run -n 4 acre-summa");
  return program;
}

double number(std::uint64_t seed, std::uint64_t i) {
  return static_cast<double>(static_cast<std::int64_t>(acre::split_mix(acre::split_mix(seed), i))) /
         0x1p63;
}

void fill(table& m, std::uint64_t seed) {
  m.each_local_block([&](const table::box& where, const acre::box_span<double, 2>& own) {
    for (std::size_t i = 0; i < own.extent(0); ++i) {
      const std::uint64_t row = (where.first[0] + i) * m.extent(1) + where.first[1];
      for (std::size_t j = 0; j < own.extent(1); ++j) own(i, j) = number(seed, row + j);
    }
  });
}

table made(const acre::team& members, const extents& all, const std::string& spread,
           std::size_t tile) {
  const std::size_t ranks = acre::size();
  extents grid = members.spec<2>().parts;
  if (spread == "tiles") return {members, tiles(all, grid, {tile, tile})};
  if (spread == "rows") grid = {ranks, 1};
  if (spread == "columns") grid = {1, ranks};
  const auto part = [&](std::size_t d) {
    return std::max<std::size_t>(1, (all[d] + grid[d] - 1) / grid[d]);
  };
  return {members, tiles(all, grid, {part(0), part(1)})};
}

std::vector<double> times(const table& m, bool is_transposed, const std::vector<double>& x) {
  std::vector<double> y(m.extent(is_transposed ? 1 : 0));
  m.each_local_block([&](const table::box& where, const acre::box_span<const double, 2>& own) {
    for (std::size_t i = 0; i < own.extent(0); ++i) {
      for (std::size_t j = 0; j < own.extent(1); ++j) {
        const std::size_t row = where.first[0] + i;
        const std::size_t column = where.first[1] + j;
        y[is_transposed ? column : row] += own(i, j) * x[is_transposed ? row : column];
      }
    }
  });
  acre::world().allreduce(std::span<double>(y), acre::op::sum);
  return y;
}

/// Freivalds' check: c x = a (b x) for random x.
/// @return maximum difference in rounding units
double error_of(const table& a, bool is_a_transposed, const table& b, bool is_b_transposed,
                const table& c) {
  std::vector<double> x(c.extent(1));
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = number(3, j);
  const std::vector<double> expected = times(a, is_a_transposed, times(b, is_b_transposed, x));
  const std::vector<double> found = times(c, false, x);
  double worst = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double difference = std::abs(found[i] - expected[i]);
    // std::max would drop NaN.
    if (!std::isfinite(difference)) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, difference);
  }
  const auto terms =
      static_cast<double>(a.extent(is_a_transposed ? 0 : 1)) * static_cast<double>(c.extent(1));
  return worst / (terms * std::numeric_limits<double>::epsilon());
}

acre::product_options options_of(const request& wanted) {
  if (wanted.algorithm == "keeps-a") return {.algorithm = acre::product_algorithm::keeps_a};
  if (wanted.algorithm == "keeps-b") return {.algorithm = acre::product_algorithm::keeps_b};
  if (wanted.algorithm == "keeps-c") return {.algorithm = acre::product_algorithm::keeps_c};
  if (wanted.algorithm == "grid") return {.algorithm = acre::product_algorithm::grid};
  return {};
}

struct timing {
  double seconds = 0;
  acre::product_report told;
};
template <class A, class B, class Product>
timing time_products(const A& a, const B& b, table& c, const request& wanted, Product product) {
  timing best;
  for (unsigned i = 0; i <= wanted.times; ++i) {
    acre::barrier();
    const auto begin = std::chrono::steady_clock::now();
    best.told = acre::multiply(1.0, a, b, 0.0, c, product, options_of(wanted));
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    const double now = acre::world().allreduce(spent.count(), acre::op::max);
    if (i == 1 || (i > 1 && now < best.seconds)) best.seconds = now;
  }
  return best;
}
template <class A, class B>
timing time_products(const A& a, const B& b, table& c, const request& wanted) {
  return acre::program::with_product(
      wanted.product, [&](auto product) { return time_products(a, b, c, wanted, product); });
}
timing time_products(const table& a, bool is_a_transposed, const table& b, bool is_b_transposed,
                     table& c, const request& wanted) {
  const auto with = [&](const auto& first) {
    return is_b_transposed ? time_products(first, acre::transposed(b), c, wanted)
                           : time_products(first, b, c, wanted);
  };
  return is_a_transposed ? with(acre::transposed(a)) : with(a);
}

void tell(const request& wanted, const extents& of_c, std::size_t inner, const timing& best) {
  const double operations =
      2 * static_cast<double>(of_c[0]) * static_cast<double>(of_c[1]) * static_cast<double>(inner);
  fmt::print(
      "{{\"ranks\": {}, \"rows\": {}, \"inner\": {}, \"columns\": {}, \"product\": \"{}\", "
      "\"conduit\": \"{}\", \"way\": \"{}\", \"grid\": [{}], \"far_bytes\": {}, "
      "\"verified\": true, \"ms\": {:.3f}, \"gflops\": {:.2f}}}\n",
      acre::size(), of_c[0], inner, of_c[1], wanted.product, acre::conduit_name(),
      acre::name_of(best.told.algorithm), fmt::join(best.told.grid, ", "), best.told.far_bytes,
      1e3 * best.seconds, operations / best.seconds / 1e9);
  if (const char* hint = acre::program::product_hint();
      hint != nullptr && wanted.product == "BLAS") {
    acre::program::note(fmt::format("acre-summa: {}\n", hint));
  }
}

void run(const request& wanted) {
  const std::size_t m = wanted.rows;
  const std::size_t k = wanted.inner == 0 ? m : wanted.inner;
  const std::size_t n = wanted.columns == 0 ? m : wanted.columns;
  const double elements = static_cast<double>(m) * static_cast<double>(k) +
                          static_cast<double>(k) * static_cast<double>(n) +
                          static_cast<double>(m) * static_cast<double>(n);
  acre::program::require_memory("acre-summa", elements * sizeof(double), smaller);
  const bool turns_a = wanted.transposed == "a" || wanted.transposed == "both";
  const bool turns_b = wanted.transposed == "b" || wanted.transposed == "both";
  const acre::team grid = acre::team::cartesian_for({m, n});
  table a = made(grid, turns_a ? extents{k, m} : extents{m, k}, wanted.a, wanted.tile);
  table b = made(grid, turns_b ? extents{n, k} : extents{k, n}, wanted.b, wanted.tile);
  table c = made(grid, {m, n}, wanted.c, wanted.tile);
  fill(a, 1);
  fill(b, 2);
  acre::program::share_cores();
  const timing best = time_products(a, turns_a, b, turns_b, c, wanted);
  const double error = error_of(a, turns_a, b, turns_b, c);
  if (error > 1) {
    throw acre::error("acre-summa",
                      fmt::format("the product is wrong: its error is {:.3g} times that "
                                  "of rounding",
                                  error));
  }
  if (acre::rank() == 0) tell(wanted, {m, n}, k, best);
  acre::barrier();
}

}  // namespace

int main(int argc, char** argv) {
  request wanted;
  acre::command_line::command program{"Multiplies two matrices of random numbers.", "acre-summa"};
  return acre::program::run(define(program, wanted), argc, argv, [&] { run(wanted); }, smaller);
}
