// SPDX-License-Identifier: BSD-3-Clause
// From files to contigs: everything in its order.
#pragma once

#include <apps/contigs/contig_set.hpp>
#include <apps/contigs/extensions.hpp>
#include <apps/genome/totals.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace acre::contigs {

/// The deepest that extensions are counted.
inline constexpr unsigned most_depth = extension_counts<std::uint64_t>::most;

/// What becomes of the k-mers of a list that have a base on one side only, or on none.
///
/// In a list of all k-mers of some reads these lie at forks, and belong to no contig. In a list of
/// contigs cut into k-mers they are the ends, and belong to their contigs. Such a list is closed:
/// each base in it leads to a k-mer of the list that leads back.
enum class list_ends {
  found,    ///< joined when the list is closed, and dropped when it is not
  joined,   ///< are the ends of contigs
  dropped,  ///< belong to none
};

struct parameters {
  unsigned k = 31;
  unsigned min_depth = 4;     ///< from 1 to most_depth
  unsigned min_quality = 20;  ///< of a base beside a k-mer, Phred
  unsigned phred = 0;         ///< 33 or 64; 0: 33, unless the qualities look like 64
  bool unitigs = false;       ///< of all k-mers that occur twice; depth and quality do not matter
  list_ends ends = list_ends::found;
};

struct assembly {
  contig_set contigs;  ///< on rank 0, else empty
  unsigned k = 0;
  std::uint64_t nodes = 0;     ///< k-mers that were joined, or could have been
  std::uint64_t ends = 0;      ///< of a list: k-mers with a base on one side, or on none
  bool ends_joined = false;    ///< these are among the nodes
  std::optional<totals> read;  ///< what the files held, when they were reads
};

/// Collective.
/// @throws acre::error with file and line for what is not FASTA or FASTQ
[[nodiscard]] assembly assemble_reads(std::span<const std::string> files, const parameters& how);

/// The same for lists of k-mers with extensions (kmer_list.hpp). Collective.
/// @throws acre::error with file and line for what is no such list, and for a k-mer that is there
///         twice
[[nodiscard]] assembly assemble_list(std::span<const std::string> files, const parameters& how);

}  // namespace acre::contigs
