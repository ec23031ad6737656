// SPDX-License-Identifier: BSD-3-Clause
// Includes sparse matrices, graphs, block-sparse matrices and the global layer; link acre::sparse.
// matrix_files/binsparse/ is excluded: it needs acre::hdf5.
#pragma once

// First: compilers list the headers before an error.
// clang-format off
#include <acre/global/wire/call_flaws.hpp>
#include <acre/global/rpc/rpc.hpp>
#include <acre/global/team/team.hpp>
// clang-format on

#include <acre/base/cplusplus.hpp>
#include <acre/base/error.hpp>
#include <acre/block/block_algebra.hpp>
#include <acre/block/block_dense.hpp>
#include <acre/block/block_distribution.hpp>
#include <acre/block/block_matrix.hpp>
#include <acre/block/block_multiply.hpp>
#include <acre/csr/csr_builder.hpp>
#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/dense_rows.hpp>
#include <acre/csr/dense_vector.hpp>
#include <acre/csr/elementwise.hpp>
#include <acre/csr/mask.hpp>
#include <acre/csr/row_cut.hpp>
#include <acre/csr/semiring.hpp>
#include <acre/csr/spgemm.hpp>
#include <acre/csr/spmm.hpp>
#include <acre/csr/spmspv.hpp>
#include <acre/csr/spmv.hpp>
#include <acre/csr/tiled/tile_cut.hpp>
#include <acre/csr/tiled/tiled_csr_builder.hpp>
#include <acre/csr/tiled/tiled_csr_matrix.hpp>
#include <acre/csr/tiled/tiled_elementwise.hpp>
#include <acre/csr/tiled/tiled_spgemm.hpp>
#include <acre/csr/tiled/tiled_spmm.hpp>
#include <acre/csr/tiled/tiled_spmv.hpp>
#include <acre/csr/tiled/tiled_transpose.hpp>
#include <acre/csr/transpose.hpp>
#include <acre/csr/vector_sums.hpp>
#include <acre/global/future/future.hpp>
#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/launch/job.hpp>
#include <acre/layout/block_sizes.hpp>
#include <acre/layout/member_grid.hpp>
#include <acre/matrix_files/dbcsr/block_dbcsr_file.hpp>
#include <acre/matrix_files/matrix_market/block_matrix_market.hpp>
#include <acre/matrix_files/matrix_market/matrix_market.hpp>
