// SPDX-License-Identifier: BSD-3-Clause
// An electron on a ring of atoms in a magnetic field: a hermitian matrix, an eigenvector, a file.
#include <acre/csr/csr_builder.hpp>
#include <acre/csr/dense_vector.hpp>
#include <acre/csr/elementwise.hpp>
#include <acre/csr/spmv.hpp>
#include <acre/csr/transpose.hpp>
#include <acre/csr/vector_sums.hpp>
#include <acre/launch/job.hpp>
#include <acre/matrix_files/matrix_market/matrix_market.hpp>

#include <cmath>
#include <complex>
#include <cstdio>
#include <functional>
#include <numbers>
#include <string>
#include <unistd.h>

using number = std::complex<double>;
using plus_times = acre::semirings::plus_times<number>;

constexpr std::size_t atoms = 1000;
constexpr double circle = 2 * std::numbers::pi;
constexpr double flux = 0.25;  // of a flux quantum, through the ring

/// A jump to the next atom turns the phase of the electron, and the jump back turns it back.
acre::csr_matrix<number> build_ring() {
  acre::csr_builder<number> jumps(acre::world(), atoms, atoms);
  const number jump = -std::polar(1.0, circle * flux / atoms);
  for (std::size_t i = acre::rank(); i < atoms; i += acre::size()) {
    const std::size_t next = (i + 1) % atoms;
    jumps.add(i, next, jump);
    jumps.add(next, i, std::conj(jump));
  }
  return jumps.finish();
}

int main() {
  const acre::job job;
  const auto ring = build_ring();

  // A wave of 7 periods is an eigenvector.
  acre::dense_vector<number> wave(acre::world(), ring.cut());
  acre::dense_vector<number> after(acre::world(), ring.cut());
  for (std::size_t i = 0; i < wave.local().size(); ++i) {
    const auto atom = static_cast<double>(wave.local_offset() + i);
    wave.local()[i] = std::polar(1 / std::sqrt(1.0 * atoms), circle * 7 * atom / atoms);
  }
  acre::spmv<plus_times>(ring, wave, after);
  const number energy = acre::dot(wave, after);  // the sum of conj(wave[i]) * after[i]
  for (std::size_t i = 0; i < after.local().size(); ++i) {
    after.local()[i] -= energy * wave.local()[i];
  }
  const double error = acre::norm(after);

  // The file has the entries below the diagonal; the others are their conjugates.
  const int job_number = acre::world().broadcast(static_cast<int>(::getpid()), 0);
  const std::string path = "ring-" + std::to_string(job_number) + ".mtx";
  acre::store_matrix_market(path, ring, acre::market_symmetry::hermitian);
  const auto again = acre::load_matrix_market<number>(acre::world(), path);
  const auto zeros = acre::ewise_add(ring, acre::conjugate_transpose(again), std::minus());
  const auto squares = acre::apply(zeros, [](const number& x) { return std::norm(x); });
  const double difference = acre::reduce<acre::monoids::plus<double>>(squares);

  if (acre::rank() == 0) {
    std::printf("energy %.6f, exactly %.6f\n", energy.real(), -2 * std::cos(circle * 7.25 / atoms));
    std::printf("the wave is %san eigenvector\n", error < 1e-12 ? "" : "not ");
    std::printf("%zu entries; read again %zu\n", ring.entries(), again.entries());
    std::printf("the matrix and its conjugate transpose differ by %g\n", difference);
    std::remove(path.c_str());
  }
  acre::barrier();
}
