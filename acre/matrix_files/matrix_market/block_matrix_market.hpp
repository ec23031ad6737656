// SPDX-License-Identifier: BSD-3-Clause
// Block matrices in files of Matrix Market, element by element, read and written by all members at
// once.
//
//     acre::store_matrix_market("h.mtx", h);
//     auto again = acre::load_matrix_market<double>(acre::world(), "h.mtx", h.distribution(),
//                                                   h.symmetry());
//
// Such a file knows no blocks: whoever reads one says how rows and columns are cut. Each member
// reads a share of the file's bytes, and sends elements to who has their blocks. A file that is
// written takes its name when it is whole; what had the name before stays until then.
//
// Source: Boisvert, Pozo, Remington: The Matrix Market exchange formats, NISTIR 5935, 1996.
#pragma once

#include <acre/base/site.hpp>
#include <acre/block/block_matrix.hpp>
#include <acre/global/team/team.hpp>

#include <complex>
#include <string>

namespace acre {

/// Writes all elements of all blocks, also those that are 0, so that the same blocks are read
/// again; of a matrix with a symmetry, the lower triangle. Numbers are the shortest text that is
/// read as the same. Collective. Cost: 1 allreduce, 1 scan, and as team_file; each element becomes
/// text twice.
/// @throws acre::error on all members when the file cannot be written, or a block on the diagonal
///         does not have the symmetry of its matrix
template <class T>
void store_matrix_market(const std::string& path, const block_matrix<T>& matrix,
                         const site& where = site::current());

/// Reads a coordinate or array file with any symmetry, also compressed by gzip; elements of a
/// pattern are 1. A block exists when the file has one of its elements, of an array one other than
/// 0. A matrix with a symmetry needs a file of the same symmetry. Collective. Cost: 4 allgathers, 1
/// alltoallv, and as finalise(); memory at each member some 4 times its elements.
/// @throws acre::error on all members, which names the file and its first line that is wrong: the
///         file has other numbers of rows, columns or entries than it says or the distribution has,
///         no number or one that T cannot hold, or another symmetry; also when it cannot be read,
///         or two entries have one place
template <class T>
[[nodiscard]] block_matrix<T> load_matrix_market(const team& members, const std::string& path,
                                                 const block_distribution& lies,
                                                 block_symmetry symmetry = block_symmetry::none,
                                                 const site& where = site::current());

}  // namespace acre
