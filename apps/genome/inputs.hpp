// SPDX-License-Identifier: BSD-3-Clause
// The input files of a job, as rank 0 finds them.
#pragma once

#include <apps/genome/share.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace acre::genome {

/// Rank 0 looks at the files; all ranks get the same list, whatever their own names mean to them.
/// Empty files are left out, with a warning. Collective.
/// @param call   for errors: "acre-kmers"
/// @param files  `-` is standard input
/// @throws acre::error when a file cannot be read or is neither FASTA nor FASTQ, when a pipe is
///         named twice, and when all files are empty
[[nodiscard]] std::vector<input> inspect_all(std::string_view call,
                                             const std::vector<std::string>& files);

}  // namespace acre::genome
