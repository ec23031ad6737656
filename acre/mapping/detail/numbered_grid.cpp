// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/detail/numbered_grid.hpp>

#include <acre/base/specification.hpp>
#include <acre/mapping/detail/part_of_bytes.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace acre::mapping {
namespace {

bool are_beside(std::span<const std::uint32_t> extents, std::uint32_t one, std::uint32_t other) {
  bool stepped = false;
  for (std::size_t d = extents.size(); d-- > 0;) {
    const std::uint32_t extent = extents[d];
    const std::uint32_t a = one % extent;
    const std::uint32_t b = other % extent;
    one /= extent;
    other /= extent;
    if (a == b) continue;
    const std::uint32_t apart = a < b ? b - a : a - b;
    if (stepped || (apart != 1 && apart != extent - 1)) return false;
    stepped = true;
  }
  return stepped;
}

/// Differences of rank numbers over which most bytes are sent, ascending.
std::vector<rank_t> strides(const traffic& pairs) {
  constexpr std::size_t most = 8;
  constexpr double worth_it = 0.02;
  std::unordered_map<rank_t, double> by_difference;
  double all = 0;
  const rank_t step = std::max<rank_t>(1, pairs.ranks() / 4096);
  for (rank_t rank = 0; rank < pairs.ranks(); rank += step) {
    for (const auto& [to, bytes] : pairs.from(rank)) {
      by_difference[rank < to ? to - rank : rank - to] += bytes;
      all += bytes;
    }
  }
  std::vector<std::pair<double, rank_t>> heaviest;
  for (const auto& [difference, bytes] : by_difference) {
    if (bytes >= worth_it * all) heaviest.emplace_back(bytes, difference);
  }
  std::ranges::sort(heaviest, std::greater{});
  if (heaviest.size() > most) heaviest.resize(most);
  std::vector<rank_t> found;
  found.reserve(heaviest.size());
  for (const auto& [bytes, difference] : heaviest) found.push_back(difference);
  std::ranges::sort(found);
  return found;
}

/// Grid with these strides, the first extent rounded up; empty if a stride does not divide the
/// next.
std::vector<std::uint32_t> extents_of(std::span<const rank_t> strides, rank_t ranks) {
  std::vector<std::uint32_t> extents;
  if (strides.back() >= ranks) return {};
  rank_t above = strides.back() * ((ranks - 1) / strides.back() + 1);
  for (std::size_t i = strides.size(); i-- > 0;) {
    if (strides[i] >= above || above % strides[i] != 0) return {};
    extents.push_back(above / strides[i]);
    above = strides[i];
  }
  if (above != 1) extents.push_back(above);
  return extents;
}

}  // namespace

std::optional<recognised_structure> numbered_grid(const traffic& pairs) {
  const std::vector<rank_t> some = strides(pairs);
  std::optional<recognised_structure> best;
  const rank_t step = std::max<rank_t>(1, pairs.ranks() / 1024);
  for (unsigned chosen = 1; chosen < 1U << some.size(); ++chosen) {
    std::vector<rank_t> these;
    for (std::size_t i = 0; i < some.size(); ++i) {
      if ((chosen >> i & 1U) != 0) these.push_back(some[i]);
    }
    const auto extents = extents_of(these, pairs.ranks());
    if (extents.size() < 2) continue;
    const double part = part_of_bytes(
        pairs, [&](rank_t from, rank_t to) { return are_beside(extents, from, to); }, step);
    constexpr double better = 0.01;
    if (!best || part > best->explained + better ||
        (part > best->explained - better && extents.size() < best->extents.size())) {
      best = recognised_structure{.name = "a grid of " + join(extents),
                                  .remark = {},
                                  .extents = extents,
                                  .ranks = {},
                                  .explained = part};
    }
  }
  if (!best) return {};
  best->ranks.resize(std::accumulate(best->extents.begin(), best->extents.end(), std::size_t{1},
                                     std::multiplies<>()),
                     invalid_rank);
  std::iota(best->ranks.begin(), best->ranks.begin() + pairs.ranks(), rank_t{0});
  return best;
}

}  // namespace acre::mapping
