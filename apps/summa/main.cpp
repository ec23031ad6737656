// acre-summa: multiplies two matrices that are spread over all ranks, says how fast, and checks the
// product.
#include <acre/algorithm/multiply.hpp>
#include <acre/array/matrix.hpp>
#include <acre/base/error.hpp>
#include <acre/global/team.hpp>
#include <acre/runtime/job.hpp>

#include <apps/program/product.hpp>
#include <apps/program/program.hpp>
#include <fmt/format.h>

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

using table = acre::matrix<double, 2>;

struct request {
  unsigned rows = 1024;
  unsigned inner = 0;
  unsigned columns = 0;
  unsigned times = 3;
  std::string product = acre::program::product_name;
};

acre::command_line::command& define(acre::command_line::command& program, request& wanted) {
  constexpr unsigned most = 1U << 20;
  program.add("--rows", wanted.rows, "of the product").shown_default().within(1U, most);
  program.add("--inner", wanted.inner, "columns of the first matrix (default: as many as --rows)")
      .within(1U, most);
  program.add("--columns", wanted.columns, "of the product (default: as many as --rows)")
      .within(1U, most);
  program.add("--times", wanted.times, "after one to warm up; the best is told")
      .shown_default()
      .within(1U, 1000U);
  std::vector<std::string> products{acre::program::product_name};
  if (products.front() != "plain") products.emplace_back("plain");
  program.add("--product", wanted.product, "of a rank's own blocks")
      .shown_default()
      .one_of(products);
  program.footer("Run it with: acre run -n 4 acre-summa");
  return program;
}

/// Numbers between -1 and 1 that look random: those of element i of the `seed`-th series.
double number(std::uint64_t seed, std::uint64_t i) {
  std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15ULL + seed * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ x >> 31) * 0x94d049bb133111ebULL;
  return static_cast<double>(static_cast<std::int64_t>(x ^ x >> 29)) / 0x1p63;
}

void fill(table& m, std::uint64_t seed) {
  m.each_local_block([&](const table::box& where, const acre::box_span<double, 2>& own) {
    for (std::size_t i = 0; i < own.extent(0); ++i) {
      const std::uint64_t row = (where.first[0] + i) * m.extent(1) + where.first[1];
      for (std::size_t j = 0; j < own.extent(1); ++j) own(i, j) = number(seed, row + j);
    }
  });
}

/// m x, on all ranks.
std::vector<double> times(const table& m, const std::vector<double>& x) {
  std::vector<double> y(m.extent(0));
  m.each_local_block([&](const table::box& where, const acre::box_span<const double, 2>& own) {
    for (std::size_t i = 0; i < own.extent(0); ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < own.extent(1); ++j) sum += own(i, j) * x[where.first[1] + j];
      y[where.first[0] + i] += sum;
    }
  });
  acre::world().allreduce(std::span<double>(y), acre::op::sum);
  return y;
}

/// That c x = a (b x) for a random x, which a wrong c passes with no chance worth naming
/// (Freivalds).
/// @return the largest difference, in units of what rounding may do
double error_of(const table& a, const table& b, const table& c) {
  std::vector<double> x(c.extent(1));
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = number(3, j);
  const std::vector<double> expected = times(a, times(b, x));
  const std::vector<double> found = times(c, x);
  double worst = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double difference = std::abs(found[i] - expected[i]);
    // std::max would drop what is no number.
    if (!std::isfinite(difference)) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, difference);
  }
  const auto terms = static_cast<double>(a.extent(1)) * static_cast<double>(c.extent(1));
  return worst / (terms * std::numeric_limits<double>::epsilon());
}

template <class Product>
double seconds(const table& a, const table& b, table& c, Product product) {
  acre::barrier();
  const auto begin = std::chrono::steady_clock::now();
  acre::multiply(a, b, c, product);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  return acre::world().allreduce(spent.count(), acre::op::max);
}

/// @throws acre::error on all ranks when the product is wrong
void run(const request& wanted) {
  const std::size_t m = wanted.rows;
  const std::size_t k = wanted.inner == 0 ? m : wanted.inner;
  const std::size_t n = wanted.columns == 0 ? m : wanted.columns;
  table a(acre::world(), {m, k});
  table b(acre::world(), {k, n});
  table c(acre::world(), {m, n});
  fill(a, 1);
  fill(b, 2);
  acre::program::one_thread_each();
  double best = 0;
  for (unsigned i = 0; i <= wanted.times; ++i) {
    const double now = wanted.product == "plain" ? seconds(a, b, c, acre::plain_product())
                                                 : seconds(a, b, c, acre::program::product());
    if (i == 1 || (i > 1 && now < best)) best = now;
  }
  const double error = error_of(a, b, c);
  if (error > 1) {
    throw acre::error("acre-summa", fmt::format("the product is wrong: it differs {:.3g} times as "
                                                "much as by rounding",
                                                error));
  }
  if (acre::rank() == 0) {
    const double operations =
        2 * static_cast<double>(m) * static_cast<double>(k) * static_cast<double>(n);
    fmt::print(
        "{{\"ranks\": {}, \"rows\": {}, \"inner\": {}, \"columns\": {}, \"product\": \"{}\", "
        "\"conduit\": \"{}\", \"verified\": true, \"ms\": {:.3f}, \"gflops\": {:.2f}}}\n",
        acre::size(), m, k, n, wanted.product, acre::conduit_name(), 1e3 * best,
        operations / best / 1e9);
  }
  acre::barrier();
}

}  // namespace

int main(int argc, char** argv) {
  request wanted;
  acre::command_line::command program{"Multiplies two matrices of random numbers (SUMMA).",
                                      "acre-summa"};
  return acre::program::run(
      define(program, wanted), argc, argv, [&] { run(wanted); }, "take smaller matrices");
}
