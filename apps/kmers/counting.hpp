// SPDX-License-Identifier: BSD-3-Clause
// Request of acre-kmers: counts the k-mers of files into a histogram.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace acre::kmers {

struct request {
  unsigned k = 31;
  std::string histogram = "-";
  std::uint64_t high = 10'000;  ///< highest count with its own line; one more sums the rest
  std::string counts;
  bool spectrum = false;
  bool bloom = false;
  std::vector<std::string> files;
};

/// Counts all files, writes results, reports on standard error. Collective.
/// @throws acre::error about files, or without k-mers
void count_files(const request& wanted);

}  // namespace acre::kmers
