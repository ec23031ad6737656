// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/cuthill_mckee.hpp>

#include <algorithm>
#include <limits>
#include <numeric>

namespace acre::mapping {
namespace {

class walker {
 public:
  explicit walker(const traffic& pairs) : pairs_(pairs), seen_(pairs.ranks(), false) {}

  std::vector<rank_t> walk() {
    std::vector<rank_t> by_degree(pairs_.ranks());
    std::iota(by_degree.begin(), by_degree.end(), rank_t{0});
    std::ranges::sort(by_degree, [&](rank_t a, rank_t b) { return fewer(a, b); });
    std::vector<rank_t> all;
    all.reserve(pairs_.ranks());
    for (const rank_t first : by_degree) {
      if (seen_[first]) continue;
      const std::vector<rank_t> part = from(border(first));
      all.insert(all.end(), part.begin(), part.end());
    }
    std::ranges::reverse(all);
    return all;
  }

 private:
  [[nodiscard]] std::size_t degree(rank_t rank) const { return pairs_.from(rank).size(); }
  [[nodiscard]] bool fewer(rank_t a, rank_t b) const {
    return degree(a) != degree(b) ? degree(a) < degree(b) : a < b;
  }

  /// Peripheral vertex: the end of two breadth-first walks.
  rank_t border(rank_t begin) {
    for (unsigned round = 0; round < 2; ++round) {
      const std::vector<rank_t> part = from(begin);
      for (const rank_t each : part) seen_[each] = false;
      begin = part.back();
    }
    return begin;
  }

  std::vector<rank_t> from(rank_t begin) {
    std::vector<rank_t> part{begin};
    seen_[begin] = true;
    std::vector<rank_t> next;
    for (std::size_t at = 0; at < part.size(); ++at) {
      next.clear();
      for (const auto& flow : pairs_.from(part[at])) {
        if (!seen_[flow.to]) next.push_back(flow.to);
      }
      std::ranges::sort(next, [&](rank_t a, rank_t b) { return fewer(a, b); });
      for (const rank_t each : next) {
        seen_[each] = true;
        part.push_back(each);
      }
    }
    return part;
  }

  const traffic& pairs_;
  std::vector<bool> seen_;
};

std::vector<std::uint32_t> order_of_nodes(const machine& where) {
  constexpr std::size_t most = 4096;
  const auto shares = where.allocation.shares();
  if (shares.size() > most) {
    return where.network.extents().empty() ? nodes_by_group(where) : nodes_along(where, snake);
  }
  // Edges join nodes at the smallest distance; useless if most pairs have it.
  const std::size_t most_edges = 64 * shares.size();
  unsigned nearest = std::numeric_limits<unsigned>::max();
  std::vector<traffic::message> edges;
  for (std::uint32_t a = 0; a < shares.size(); ++a) {
    for (std::uint32_t b = 0; b < a; ++b) {
      const unsigned far = where.network.distance(shares[a].node, shares[b].node);
      if (far > nearest) continue;
      if (far < nearest) edges.clear();
      nearest = far;
      edges.push_back({a, b, 1});
      edges.push_back({b, a, 1});
    }
    if (edges.size() > most_edges) return nodes_by_group(where);
  }
  return reverse_cuthill_mckee({static_cast<rank_t>(shares.size()), edges});
}

}  // namespace

std::vector<rank_t> reverse_cuthill_mckee(const traffic& pairs) { return walker(pairs).walk(); }

placement graph_similarity(const problem& given) {
  require_slots(given);
  return matched(given, reverse_cuthill_mckee(both_ways(given.what.traffic)),
                 order_of_nodes(given.where));
}

}  // namespace acre::mapping
