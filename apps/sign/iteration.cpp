#include <apps/sign/iteration.hpp>

#include <acre/global/team.hpp>
#include <acre/sparse/block_algebra.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace acre::sign {

namespace {

using matrix = block_matrix<double>;

/// Products of one iteration, and what they have taken.
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

/// X = X (3 - X^2) / 2. @return |X^2 - 1| / sqrt(n) before
double improve_sign(matrix& x, matrix& square, work& done) {
  done.multiply(1, x, x, 0, square);
  add_on_diagonal(square, -1);
  const double error = frobenius_norm(square) / std::sqrt(static_cast<double>(x.rows().elements()));
  matrix next = copy(x);
  done.multiply(-0.5, x, square, 1, next);
  x = std::move(next);
  return error;
}

/// P = 3 P^2 - 2 P^3 = P + (P^2 - P)(1 - 2 P). @return 2 |P^2 - P| / sqrt(n) before
double improve_density(matrix& p, matrix& square, work& done) {
  done.multiply(1, p, p, 0, square);
  add(-1, p, 1, square);
  const double error =
      2 * frobenius_norm(square) / std::sqrt(static_cast<double>(p.rows().elements()));
  matrix next = copy(p);
  done.multiply(-2, p, square, 1, next);
  add(1, square, 1, next);
  p = std::move(next);
  return error;
}

}  // namespace

outcome density_of(const matrix& hamiltonian, const settings& given,
                   const std::function<void(const step&)>& watch) {
  outcome result{.density = copy(hamiltonian), .steps = {}, .has_converged = false};
  matrix& x = result.density;
  add_on_diagonal(x, -given.mu);
  scale(1 / largest_row_sum(x), x);
  if (given.how == method::mcweeny) {  // (1 - X) / 2
    scale(-0.5, x);
    add_on_diagonal(x, 0.5);
  }
  matrix square(x.members(), x.distribution());
  work done(given);
  double last = 0;
  while (result.steps.size() < given.most_steps && !result.has_converged) {
    const double error = given.how == method::sign ? improve_sign(x, square, done)
                                                   : improve_density(x, square, done);
    result.steps.push_back(done.end(x, error));
    if (watch) watch(result.steps.back());
    // It falls with each step, at last quadratically, until rounding or the filter stands in the
    // way.
    const bool falls = last == 0 || error < last;
    result.has_converged = error < given.tolerance || (!falls && given.filter > 0);
    last = error;
    if (!falls) break;
  }
  if (given.how == method::sign) {
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
