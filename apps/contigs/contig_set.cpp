// SPDX-License-Identifier: BSD-3-Clause
#include <apps/contigs/contig_set.hpp>

#include <apps/genome/text_output.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace acre::contigs {

contig_set::contig_set(std::vector<std::string> sequences) : sequences_(std::move(sequences)) {
  std::ranges::sort(sequences_, [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  });
}

contig_statistics contig_set::statistics() const {
  contig_statistics all;
  all.number = sequences_.size();
  for (const std::string& each : sequences_) all.bases += each.size();
  std::uint64_t covered = 0;
  for (const std::string& each : sequences_) {
    covered += each.size();
    all.n50 = each.size();
    if (2 * covered >= all.bases) break;
  }
  if (!sequences_.empty()) all.longest = sequences_.front().size();
  return all;
}

void contig_set::write(const std::string& path) const {
  genome::text_output file(path);
  for (std::size_t i = 0; i < sequences_.size(); ++i) {
    file.write(fmt::format(">contig_{} length={}\n", i + 1, sequences_[i].size()));
    file.write(sequences_[i]);
    file.write("\n");
  }
  file.commit();
}

}  // namespace acre::contigs
