// SPDX-License-Identifier: BSD-3-Clause
// Block matrices in the files of DBCSR, which all members read or write together.
//
//     acre::store_dbcsr("density.dbcsr", p);
//     auto h = acre::load_dbcsr<double>(acre::world(), "hamiltonian.dbcsr");
//
// These are the files of dbcsr_binary_write and dbcsr_binary_read, as CP2K keeps its matrices in.
// They have the sizes of blocks, their symmetry and their elements, but not where they lay: files
// that any number of ranks wrote are read by any number of members. A file that is written takes
// its name when it is whole; what had the name before stays until then.
//
// Source: the files of DBCSR 2.5 (detail/dbcsr_layout.hpp says what is where).
#pragma once

#include <acre/base/site.hpp>
#include <acre/block/block_matrix.hpp>
#include <acre/global/team/team.hpp>

#include <complex>
#include <optional>
#include <string>

namespace acre {

/// Writes a chunk for each member that has blocks. Collective. Cost: 2 allgathers, and as
/// team_file; memory some megabytes and 8 bytes for each block.
/// @param name  of the matrix, in the file; 80 letters are kept
/// @throws acre::error on all members when the file cannot be written, or there are more than
///         2^31 - 1 rows or columns of blocks, or blocks or elements of a member
template <class T>
void store_dbcsr(const std::string& path, const block_matrix<T>& matrix,
                 const std::string& name = "matrix", const site& where = site::current());

/// A matrix with the blocks and the symmetry of the file, dealt in turn or as `lies` says. Each
/// member reads an equal share of the blocks, and sends them to their owners; numbers of fewer
/// bytes become those that are wanted. What follows the last element is left alone, as DBCSR does
/// not cut what it writes over. Collective. Cost: some 8 allgathers, and as finalise(); a system
/// call for each run of up to 4 megabytes.
/// @throws acre::error on all members, which names the file and its first byte that is wrong: it
///         ends before, or has other counts, rows, columns, or elements than fit together, or than
///         T can hold; when it has a block twice, or other block_sizes than `lies`; or cannot be
///         read
template <class T>
[[nodiscard]] block_matrix<T> load_dbcsr(
    const team& members, const std::string& path,
    const std::optional<block_distribution>& lies = std::nullopt,
    const site& where = site::current());

}  // namespace acre
