// SPDX-License-Identifier: BSD-3-Clause
// Assembles contigs from reads or k-mer lists.
#pragma once

#include <apps/contigs/contig_set.hpp>
#include <apps/contigs/extensions.hpp>
#include <apps/genome/totals.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace acre::contigs {

inline constexpr unsigned most_depth = extension_counts<std::uint64_t>::most;

/// Treatment of listed k-mers with a base on one side at most: forks in lists from reads, ends in
/// lists from contigs. The latter are closed: each base leads to a listed k-mer that leads back.
enum class list_ends {
  found,  ///< joined if one has a base and the list is closed, else dropped
  joined,
  dropped,
};

struct parameters {
  unsigned k = 31;
  unsigned min_depth = 4;
  unsigned min_quality = 20;
  unsigned phred = 0;  ///< 33 or 64; 0: detect, default 33
  bool unitigs = false;
  list_ends ends = list_ends::found;
};

/// Seconds of this rank; each phase ends with a collective.
struct phase_seconds {
  double reading = 0;
  double inserting = 0;  ///< into the hash table of the graph
  double traversing = 0;
  double stitching = 0;  ///< on rank 0
};

struct assembly {
  contig_set contigs;  ///< on rank 0, else empty
  unsigned k = 0;
  std::uint64_t nodes = 0;
  std::uint64_t ends = 0;
  bool ends_joined = false;  ///< `ends` are among `nodes`
  std::optional<totals> read;
  phase_seconds seconds;
};

/// Collective.
/// @throws acre::error with file and line if not FASTA or FASTQ
[[nodiscard]] assembly assemble_reads(std::span<const std::string> files, const parameters& how);

/// For lists of kmer_list.hpp. Collective.
/// @throws acre::error with file and line for an invalid line or a duplicate k-mer
[[nodiscard]] assembly assemble_list(std::span<const std::string> files, const parameters& how);

struct listing {
  std::uint64_t kmers = 0;
  totals read;
};

/// Writes a list for kmer_list.hpp in order: k-mers that occur at least twice, with bases that
/// reach `how.min_depth`. Collective.
/// @throws acre::error with file and line if not FASTA or FASTQ
[[nodiscard]] listing list_kmers(std::span<const std::string> files, const parameters& how,
                                 const std::string& path);

}  // namespace acre::contigs
