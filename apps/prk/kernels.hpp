// SPDX-License-Identifier: BSD-3-Clause
// The Parallel Research Kernels, each in a page: what R. van der Wijngaart and T. Mattson ("The
// parallel research kernels", 2014) define, checked as they define it.
//
// Each is called by all ranks, makes its data, runs once to warm up and then as often as it is
// told, checks the result, and prints its rate.
#pragma once

#include <cstdint>

namespace acre::prk {

struct stencil_request {
  unsigned iterations;
  std::uint64_t order;
  unsigned radius = 2;
};
/// A star of `radius` points each way on a square of order x order doubles.
void stencil(const stencil_request& wanted);

struct transpose_request {
  unsigned iterations;
  std::uint64_t order;
};
/// B += A transposed, A += 1.
void transpose(const transpose_request& wanted);

struct nstream_request {
  unsigned iterations;
  std::uint64_t length;
};
/// a += b + 3 c, of vectors.
void nstream(const nstream_request& wanted);

struct dgemm_request {
  unsigned iterations;
  std::uint64_t order;
};
/// C += A B.
void dgemm(const dgemm_request& wanted);

struct sync_p2p_request {
  unsigned iterations;
  std::uint64_t columns;
  std::uint64_t lines;
};
/// A wave through a grid, of whose columns each rank has some: each line waits for the rank to the
/// left.
void sync_p2p(const sync_p2p_request& wanted);

struct random_request {
  unsigned ratio;
  unsigned log2_size;
};
/// Exclusive ors at random places of a table.
void random(const random_request& wanted);

struct sparse_request {
  unsigned iterations;
  unsigned log2_size;
  unsigned radius;
};
/// The product of a sparse matrix and a vector.
void sparse(const sparse_request& wanted);

}  // namespace acre::prk
