// SPDX-License-Identifier: BSD-3-Clause
#include <apps/sign/dense_check.hpp>

#include <acre/base/error.hpp>
#include <acre/block/block_dense.hpp>

#include <cmath>
#include <string>
#include <vector>

#if ACRE_HAVE_BLAS
#include <cblas.h>

// LAPACK: eigenvalues and eigenvectors of a symmetric matrix.
extern "C" void dsyevd_(const char* what, const char* triangle, const int* n, double* a,
                        const int* line, double* values, double* work, const int* work_size,
                        int* integers, const int* integers_size, int* failed);
#endif

namespace acre::sign {

#if ACRE_HAVE_BLAS

namespace {

std::vector<double> gathered(const block_matrix<double>& a) {
  const std::size_t n = a.rows().elements();
  matrix<double, 2> dense(a.members(), {n, n});
  to_dense(a, dense);
  std::vector<double> all;
  if (a.members().rank() == 0) {
    all.resize(n * n);
    copy(whole(dense), box_span<double, 2>(all.data(), {n, n}));
  }
  a.members().barrier();
  return all;
}

/// Replaces `a` by its eigenvectors (columns). @return ascending eigenvalues
std::vector<double> diagonalise(std::vector<double>& a, std::size_t size) {
  const int n = static_cast<int>(size);
  std::vector<double> values(size);
  double work_size = 0;
  int integers_size = 0;
  int failed = 0;
  constexpr int ask = -1;
  dsyevd_("V", "L", &n, a.data(), &n, values.data(), &work_size, &ask, &integers_size, &ask,
          &failed);
  std::vector<double> work(static_cast<std::size_t>(work_size));
  std::vector<int> integers(static_cast<std::size_t>(integers_size));
  const int room = static_cast<int>(work.size());
  dsyevd_("V", "L", &n, a.data(), &n, values.data(), work.data(), &room, integers.data(),
          &integers_size, &failed);
  if (failed != 0)
    throw error("acre-sign", "LAPACK's dsyevd failed with status " + std::to_string(failed));
  return values;
}

}  // namespace

bool can_compare_with_dense() noexcept { return true; }

std::optional<dense_comparison> compare_with_dense(const block_matrix<double>& hamiltonian,
                                                   const block_matrix<double>& density, double mu) {
  const std::size_t n = hamiltonian.rows().elements();
  std::vector<double> vectors = gathered(hamiltonian);
  std::vector<double> difference = gathered(density);
  dense_comparison found;
  if (hamiltonian.members().rank() == 0 && n > 0) {
    const std::vector<double> states = diagonalise(vectors, n);
    while (found.occupied < n && states[found.occupied] < mu) {
      found.energy += states[found.occupied++];
    }
    found.below = found.occupied == 0 ? -INFINITY : states[found.occupied - 1];
    found.above = found.occupied == n ? INFINITY : states[found.occupied];
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, static_cast<int>(n), static_cast<int>(n),
                static_cast<int>(found.occupied), 1, vectors.data(), static_cast<int>(n),
                vectors.data(), static_cast<int>(n), -1, difference.data(), static_cast<int>(n));
    double squares = 0;
    for (const double each : difference) squares += each * each;
    found.difference = std::sqrt(squares);
  }
  return hamiltonian.members().broadcast(found, 0);
}

#else

bool can_compare_with_dense() noexcept { return false; }

std::optional<dense_comparison> compare_with_dense(const block_matrix<double>&,
                                                   const block_matrix<double>&, double) {
  return std::nullopt;
}

#endif

}  // namespace acre::sign
