// Sparse matrices, graphs and block-sparse matrices. acre.hpp has what all programs need; this is
// for programs whose data is sparse. Link acre::sparse. Files of HDF5 (sparse/binsparse.hpp and
// sparse/block_binsparse.hpp) are left out: they need acre::hdf5 as well.
#pragma once

#include <acre/acre.hpp>
#include <acre/sparse/block_algebra.hpp>
#include <acre/sparse/block_dbcsr_file.hpp>
#include <acre/sparse/block_dense.hpp>
#include <acre/sparse/block_distribution.hpp>
#include <acre/sparse/block_matrix.hpp>
#include <acre/sparse/block_matrix_market.hpp>
#include <acre/sparse/block_multiply.hpp>
#include <acre/sparse/block_sizes.hpp>
#include <acre/sparse/csr_builder.hpp>
#include <acre/sparse/csr_matrix.hpp>
#include <acre/sparse/dense_rows.hpp>
#include <acre/sparse/dense_vector.hpp>
#include <acre/sparse/elementwise.hpp>
#include <acre/sparse/mask.hpp>
#include <acre/sparse/matrix_market.hpp>
#include <acre/sparse/member_grid.hpp>
#include <acre/sparse/row_cut.hpp>
#include <acre/sparse/semiring.hpp>
#include <acre/sparse/spgemm.hpp>
#include <acre/sparse/spmm.hpp>
#include <acre/sparse/spmspv.hpp>
#include <acre/sparse/spmv.hpp>
#include <acre/sparse/tile_cut.hpp>
#include <acre/sparse/tiled_csr_builder.hpp>
#include <acre/sparse/tiled_csr_matrix.hpp>
#include <acre/sparse/tiled_elementwise.hpp>
#include <acre/sparse/tiled_spgemm.hpp>
#include <acre/sparse/tiled_spmm.hpp>
#include <acre/sparse/tiled_spmv.hpp>
#include <acre/sparse/tiled_transposed.hpp>
#include <acre/sparse/transposed.hpp>
