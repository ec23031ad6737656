// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/detail/grid_seeds.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <optional>

namespace acre::mapping {
namespace {

constexpr std::size_t most_dimensions = 21;

/// Lines through `rank`: two neighbours that share no neighbour but `rank` are on opposite sides of
/// it.
std::optional<seed> seed_at(const neighbour_lists& neighbours, rank_t rank) {
  const auto around = neighbours.of(rank);
  if (around.size() < 2 || around.size() > 2 * most_dimensions) return {};
  seed found{.rank = rank, .lines = {}};
  std::vector<bool> taken(around.size(), false);
  for (std::size_t i = 0; i < around.size(); ++i) {
    if (taken[i]) continue;
    std::array<rank_t, 2> line{around[i], invalid_rank};
    for (std::size_t j = 0; j < around.size(); ++j) {
      if (j == i) continue;
      const unsigned common = neighbours.in_common(around[i], around[j]);
      if (common > 2) return {};
      if (common == 2) continue;
      if (line[1] != invalid_rank || taken[j] || j < i) return {};
      line[1] = around[j];
      taken[j] = true;
    }
    found.lines.push_back(line);
  }
  if (found.lines.size() < 2 || found.lines.size() > most_dimensions) return {};
  return found;
}

}  // namespace

std::vector<seed> seeds(const neighbour_lists& neighbours) {
  constexpr rank_t looked_at = 4096;
  constexpr std::size_t most_kinds = 5;
  constexpr std::size_t most_of_a_kind = 2;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<seed>> by_kind;
  const rank_t ranks = neighbours.ranks();
  const rank_t step = std::max<rank_t>(1, ranks / looked_at);
  for (rank_t rank = step / 2; rank < ranks; rank += step) {
    auto found = seed_at(neighbours, rank);
    if (found) by_kind[found->kind()].push_back(std::move(*found));
  }
  std::vector<std::vector<seed>> kinds;
  kinds.reserve(by_kind.size());
  for (auto& [kind, some] : by_kind) kinds.push_back(std::move(some));
  std::ranges::sort(kinds, std::greater{}, [](const std::vector<seed>& some) {
    return std::pair(some.size(), some.front().kind());
  });
  if (kinds.size() > most_kinds) kinds.resize(most_kinds);
  std::vector<seed> chosen;
  for (auto& some : kinds) {
    for (std::size_t i = 0; i < std::min(most_of_a_kind, some.size()); ++i) {
      chosen.push_back(std::move(some[i]));
    }
  }
  return chosen;
}

}  // namespace acre::mapping
