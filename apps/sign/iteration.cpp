// SPDX-License-Identifier: BSD-3-Clause
#include <apps/sign/iteration.hpp>

#include <acre/block/block_algebra.hpp>
#include <acre/global/team/team.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace acre::sign {

namespace {

using matrix = block_matrix<double>;

class work {
 public:
  explicit work(const settings& given) : options_(given.product) { options_.filter = given.filter; }

  void multiply(double alpha, const matrix& a, const matrix& b, double beta, matrix& c) {
    const multiply_report said = acre::multiply(alpha, a, b, beta, c, options_);
    operations_ += said.operations;
    bytes_read_ += said.bytes_read;
  }
  [[nodiscard]] step end(const matrix& x, double error) {
    const std::chrono::duration<double> spent = clock::now() - begin_;
    step done{.error = error,
              .occupancy = occupancy(x),
              .seconds = x.members().allreduce(spent.count(), op::max),
              .operations = x.members().allreduce(operations_),
              .bytes_read = x.members().allreduce(bytes_read_)};
    operations_ = 0;
    bytes_read_ = 0;
    begin_ = clock::now();
    return done;
  }

 private:
  using clock = std::chrono::steady_clock;

  multiply_options options_;
  std::uint64_t operations_ = 0;
  std::uint64_t bytes_read_ = 0;
  clock::time_point begin_ = clock::now();
};

/// X = X (3 - X^2) / 2; `square` becomes the old X^2 - 1.
void improve_sign(matrix& x, matrix& square, work& done) {
  done.multiply(1, x, x, 0, square);
  add_on_diagonal(square, -1);
  matrix next = copy(x);
  done.multiply(-0.5, x, square, 1, next);
  x = std::move(next);
}

/// P = 3 P^2 - 2 P^3 = P + (P^2 - P)(1 - 2 P); `square` becomes the old P^2 - P.
void improve_density(matrix& p, matrix& square, work& done) {
  done.multiply(1, p, p, 0, square);
  add(-1, p, 1, square);
  matrix next = copy(p);
  done.multiply(-2, p, square, 1, next);
  add(1, square, 1, next);
  p = std::move(next);
}

/// True if only filter or rounding limits the error: if all |eigenvalues| of E = X^2 - 1 are below
/// 1, the next E, -(3/4) E^2 + E^3 / 4, is smaller than E^2. A state at mu keeps -1.
/// @param factor  X^2 - 1 = factor * square
bool stands_by_filter(double error, double factor, const matrix& square, const settings& given) {
  // Row sums bound eigenvalues.
  return given.filter > 0 && std::isfinite(error) && factor * largest_row_sum(square) < 1;
}

}  // namespace

outcome density_of(const matrix& hamiltonian, const settings& given,
                   const std::function<void(const step&)>& watch) {
  outcome result{.density = copy(hamiltonian), .steps = {}, .has_converged = false};
  matrix& x = result.density;
  add_on_diagonal(x, -given.mu);
  // A zero bound: all states are at mu, and the error shows it.
  if (const double bound = largest_row_sum(x); bound > 0) scale(1 / bound, x);
  const bool is_sign = given.how == method::sign;
  if (!is_sign) {
    scale(-0.5, x);
    add_on_diagonal(x, 0.5);
  }
  matrix square(x.members(), x.distribution());
  work done(given);
  const double factor = is_sign ? 1 : 4;
  const double root = std::sqrt(static_cast<double>(x.rows().elements()));
  double last = INFINITY;
  while (result.steps.size() < given.most_steps && !result.has_converged) {
    is_sign ? improve_sign(x, square, done) : improve_density(x, square, done);
    const double error = factor * frobenius_norm(square) / root;
    result.steps.push_back(done.end(x, error));
    if (watch) watch(result.steps.back());
    const bool falls = error < last;
    result.has_converged =
        error < given.tolerance || (!falls && stands_by_filter(error, factor, square, given));
    last = error;
    if (!falls) break;
  }
  if (is_sign) {
    scale(-0.5, x);
    add_on_diagonal(x, 0.5);
  }
  return result;
}

double idempotency_error(const matrix& density) {
  matrix square(density.members(), density.distribution());
  acre::multiply(1.0, density, density, 0.0, square);
  add(-1, density, 1, square);
  return frobenius_norm(square);
}

}  // namespace acre::sign
