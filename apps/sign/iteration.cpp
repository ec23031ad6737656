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

/// What X^2 - 1 is, as norms of it.
struct deviation {
  double error = 0;    ///< |X^2 - 1| / sqrt(n)
  double row_sum = 0;  ///< no eigenvalue of X^2 - 1 is larger
};

/// @param factor  X^2 - 1 by `of`
deviation deviation_by(double factor, const matrix& of) {
  const auto n = static_cast<double>(of.rows().elements());
  return {factor * frobenius_norm(of) / std::sqrt(n), factor * largest_row_sum(of)};
}

/// X = X (3 - X^2) / 2. @return what X^2 - 1 was before
deviation improve_sign(matrix& x, matrix& square, work& done) {
  done.multiply(1, x, x, 0, square);
  add_on_diagonal(square, -1);
  const deviation before = deviation_by(1, square);
  matrix next = copy(x);
  done.multiply(-0.5, x, square, 1, next);
  x = std::move(next);
  return before;
}

/// P = 3 P^2 - 2 P^3 = P + (P^2 - P)(1 - 2 P). @return what X^2 - 1 = 4 (P^2 - P) was before
deviation improve_density(matrix& p, matrix& square, work& done) {
  done.multiply(1, p, p, 0, square);
  add(-1, p, 1, square);
  const deviation before = deviation_by(4, square);
  matrix next = copy(p);
  done.multiply(-2, p, square, 1, next);
  add(1, square, 1, next);
  p = std::move(next);
  return before;
}

/// Whether nothing but the filter, or rounding, keeps an error from falling that no longer does.
///
/// Where all eigenvalues of E = X^2 - 1 are below 1, X has none that is 0, and the next E is
/// -(3/4) E^2 + E^3 / 4: smaller than E^2. So what is left is what was left out. A state at the
/// chemical potential keeps an eigenvalue of -1, however small it makes |E| / sqrt(n) in a large
/// matrix, and a filter that spoils the iteration makes larger ones.
bool stands_by_filter(const deviation& now, const settings& given) {
  return given.filter > 0 && std::isfinite(now.error) && now.row_sum < 1;
}

}  // namespace

outcome density_of(const matrix& hamiltonian, const settings& given,
                   const std::function<void(const step&)>& watch) {
  outcome result{.density = copy(hamiltonian), .steps = {}, .has_converged = false};
  matrix& x = result.density;
  add_on_diagonal(x, -given.mu);
  // Where it is 0 all states lie at mu, and the first error says so.
  if (const double bound = largest_row_sum(x); bound > 0) scale(1 / bound, x);
  if (given.how == method::mcweeny) {  // (1 - X) / 2
    scale(-0.5, x);
    add_on_diagonal(x, 0.5);
  }
  matrix square(x.members(), x.distribution());
  work done(given);
  double last = INFINITY;
  while (result.steps.size() < given.most_steps && !result.has_converged) {
    const deviation now = given.how == method::sign ? improve_sign(x, square, done)
                                                    : improve_density(x, square, done);
    result.steps.push_back(done.end(x, now.error));
    if (watch) watch(result.steps.back());
    const bool falls = now.error < last;  // what is no number does not
    result.has_converged = now.error < given.tolerance || (!falls && stands_by_filter(now, given));
    last = now.error;
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
