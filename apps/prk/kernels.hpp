// SPDX-License-Identifier: BSD-3-Clause
// Parallel Research Kernels (R. van der Wijngaart, T. Mattson, 2014), with their own checks.
// Collective: each warms up once, iterates, verifies and prints its rate.
#pragma once

#include <cstdint>

namespace acre::prk {

struct stencil_request {
  unsigned iterations;
  std::uint64_t order;
  unsigned radius = 2;
};
void stencil(const stencil_request& wanted);

struct transpose_request {
  unsigned iterations;
  std::uint64_t order;
};
void transpose(const transpose_request& wanted);

struct nstream_request {
  unsigned iterations;
  std::uint64_t length;
};
void nstream(const nstream_request& wanted);

struct dgemm_request {
  unsigned iterations;
  std::uint64_t order;
};
void dgemm(const dgemm_request& wanted);

struct sync_p2p_request {
  unsigned iterations;
  std::uint64_t columns;
  std::uint64_t lines;
};
void sync_p2p(const sync_p2p_request& wanted);

struct random_request {
  unsigned ratio;
  unsigned log2_size;
};
void random(const random_request& wanted);

struct sparse_request {
  unsigned iterations;
  unsigned log2_size;
  unsigned radius;
};
void sparse(const sparse_request& wanted);

}  // namespace acre::prk
