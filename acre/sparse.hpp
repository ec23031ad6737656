// Sparse matrices, graphs and block-sparse matrices. acre.hpp has what all programs need; this is
// for programs whose data is sparse. Link acre::sparse. Files of HDF5 (sparse/binsparse.hpp and
// sparse/block_binsparse.hpp) are left out: they need acre::hdf5 as well.
#pragma once

#include <acre/acre.hpp>
#include <acre/block/block_algebra.hpp>
#include <acre/block/block_dense.hpp>
#include <acre/block/block_distribution.hpp>
#include <acre/block/block_matrix.hpp>
#include <acre/block/block_multiply.hpp>
#include <acre/block/block_sizes.hpp>
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
#include <acre/csr/tiled/tiled_transposed.hpp>
#include <acre/csr/transposed.hpp>
#include <acre/layout/member_grid.hpp>
#include <acre/matrix_files/dbcsr/block_dbcsr_file.hpp>
#include <acre/matrix_files/matrix_market/block_matrix_market.hpp>
#include <acre/matrix_files/matrix_market/matrix_market.hpp>
