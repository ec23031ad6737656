// SPDX-License-Identifier: BSD-3-Clause
// Stores and loads block matrices in binary files of DBCSR 2.5 and CP2K (detail/dbcsr_layout.hpp).
//
//     acre::store_dbcsr("density.dbcsr", p);
//     auto h = acre::load_dbcsr<double>(acre::world(), "hamiltonian.dbcsr");
#pragma once

#include <acre/base/site.hpp>
#include <acre/block/block_matrix.hpp>
#include <acre/global/team/team.hpp>

#include <complex>
#include <optional>
#include <string>

namespace acre {

/// Writes one chunk per member that has blocks; the old file remains until completion. Collective.
/// Cost: 1 allgather + team_file; memory: some megabytes and 8 bytes per block.
/// @param name  truncated to 80 characters
/// @throws acre::error on all members when writing fails, or a count exceeds 2^31 - 1
template <class T>
void store_dbcsr(const std::string& path, const block_matrix<T>& matrix,
                 const std::string& name = "matrix", const site& where = site::current());

/// Reads a matrix, distributed as `lies`, by default evenly; widens elements to T. Ignores
/// trailing bytes, as DBCSR does not truncate files. Collective. Cost: B, 7 allgathers, 4
/// allreduces + finalise(); one system call per contiguous run of up to 4 MB.
/// @throws acre::error on all members, with path and first faulty byte, for files that are
/// unreadable, truncated, inconsistent, or unfit for T or `lies`, and for duplicate blocks
template <class T>
[[nodiscard]] block_matrix<T> load_dbcsr(
    const team& members, const std::string& path,
    const std::optional<block_distribution>& lies = std::nullopt,
    const site& where = site::current());

}  // namespace acre
