// SPDX-License-Identifier: BSD-3-Clause
// Stores and loads block matrices in Matrix Market files (NISTIR 5935, 1996), which do not record
// blocks.
//
//     acre::store_matrix_market("h.mtx", h);
//     auto again = acre::load_matrix_market<double>(acre::world(), "h.mtx", h.distribution(),
//                                                   h.symmetry());
#pragma once

#include <acre/base/site.hpp>
#include <acre/block/block_matrix.hpp>
#include <acre/global/team/team.hpp>

#include <complex>
#include <string>

namespace acre {

/// Writes all elements of blocks, zeros included, or with a symmetry their lower triangle
/// (antisymmetric: without the diagonal), as the shortest text that reads back exactly. The old
/// file remains until completion. Collective. Cost: 2 allreduces, 1 scan + team_file; formats
/// elements twice.
/// @throws acre::error on all members when writing fails, or a diagonal block violates the symmetry
template <class T>
void store_matrix_market(const std::string& path, const block_matrix<T>& matrix,
                         const site& where = site::current());

/// Reads coordinate or array files of any symmetry, also gzip; pattern elements are 1. Blocks
/// without entries (arrays: non-zero) are absent. `symmetry` is `none` or the file's; real
/// symmetric files may be hermitian. Collective. Cost: construction, 5 allgathers, 1 broadcast, 1
/// allreduce, 1 alltoallv (arrays: also 1 scan) + finalise(); memory: some 4 times a member's
/// elements.
/// @throws acre::error on all members, with path and first faulty line, for files that are
/// unreadable, inconsistent, or unfit for T, `lies` or `symmetry`, and for duplicate entries
template <class T>
[[nodiscard]] block_matrix<T> load_matrix_market(const team& members, const std::string& path,
                                                 const block_distribution& lies,
                                                 block_symmetry symmetry = block_symmetry::none,
                                                 const site& where = site::current());

}  // namespace acre
