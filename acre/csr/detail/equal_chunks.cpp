// SPDX-License-Identifier: BSD-3-Clause
// Cuts the rows of a product into chunks of about equal work.
#include <acre/csr/spgemm.hpp>

#include <algorithm>

namespace acre::csr {
namespace {

/// Minimum per member: short last chunks at negligible cost.
constexpr std::uint64_t chunks_of_a_member = 64;
/// Maximum per chunk: results are copied while cached.
constexpr std::uint64_t most_work = std::uint64_t{1} << 18;

}  // namespace

std::vector<std::size_t> equal_chunks(std::span<const std::uint64_t> works) {
  std::uint64_t all = 0;
  for (const std::uint64_t each : works) all += each;
  const std::uint64_t share = std::min(all / chunks_of_a_member, most_work) + 1;
  std::vector<std::size_t> firsts{0};
  std::uint64_t here = 0;
  for (std::size_t row = 0; row < works.size(); ++row) {
    here += works[row];
    if (here < share) continue;
    firsts.push_back(row + 1);
    here = 0;
  }
  if (firsts.back() != works.size()) firsts.push_back(works.size());
  return firsts;
}

}  // namespace acre::csr
