// SPDX-License-Identifier: BSD-3-Clause
// What acre-kmers is asked for, and the whole way from files to a histogram.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace acre::kmers {

struct request {
  unsigned k = 31;
  std::string histogram = "-";  ///< a file; `-`: standard output
  std::uint64_t high = 10'000;  ///< the histogram has one line for all higher counts
  std::string counts;           ///< a file; empty: not written
  bool spectrum = false;
  bool bloom = false;
  std::vector<std::string> files;
};

/// Counts the k-mers of all files, writes what is wanted, and says on standard error what was
/// found. Collective.
/// @throws acre::error about files, and where there is no k-mer
void count_files(const request& wanted);

}  // namespace acre::kmers
