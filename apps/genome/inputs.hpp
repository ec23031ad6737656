// SPDX-License-Identifier: BSD-3-Clause
// Input files of a job, inspected by rank 0.
#pragma once

#include <apps/genome/share.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace acre::genome {

/// Rank 0's list on all ranks, without empty files (warning). Collective.
/// @param call   for errors: "acre-kmers"
/// @param files  `-` is standard input
/// @throws acre::error if a file is unreadable or neither FASTA nor FASTQ, a pipe is repeated, or
/// all are empty
[[nodiscard]] std::vector<input> inspect_all(std::string_view call,
                                             const std::vector<std::string>& files);

}  // namespace acre::genome
