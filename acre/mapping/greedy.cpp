// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/greedy.hpp>

#include <acre/mapping/attraction.hpp>

#include <algorithm>
#include <limits>
#include <numeric>

namespace acre::mapping {
namespace {

class placer {
 public:
  explicit placer(const problem& given)
      : given_(given),
        pairs_(both_ways(given.what.traffic)),
        placed_(pairs_),
        node_(pairs_.ranks()),
        taken_(given.where.allocation.shares().size(), 0),
        open_(taken_.size()),
        places_(pairs_.ranks()) {
    std::iota(open_.begin(), open_.end(), 0U);
  }

  placement place() {
    for (const rank_t first : by_bytes()) {
      if (placed_.taken(first)) continue;
      seat(first);
      while (const auto next = placed_.most_attracted()) seat(*next);
    }
    return std::move(places_);
  }

 private:
  [[nodiscard]] std::vector<rank_t> by_bytes() const {
    std::vector<double> bytes(pairs_.ranks(), 0);
    for (rank_t rank = 0; rank < pairs_.ranks(); ++rank) {
      for (const auto& flow : pairs_.from(rank)) bytes[rank] += flow.bytes;
    }
    std::vector<rank_t> ranks(pairs_.ranks());
    std::iota(ranks.begin(), ranks.end(), rank_t{0});
    std::ranges::sort(ranks, [&](rank_t a, rank_t b) {
      return bytes[a] != bytes[b] ? bytes[a] > bytes[b] : a < b;
    });
    return ranks;
  }

  void seat(rank_t rank) {
    require_time(given_);
    const std::uint32_t place = best_place(rank);
    places_[rank] = given_.where.allocation.first_slot(place) + taken_[place]++;
    node_[rank] = place;
    if (taken_[place] == given_.where.allocation.shares()[place].slots) std::erase(open_, place);
    placed_.take(rank);
  }

  [[nodiscard]] std::uint32_t best_place(rank_t rank) const {
    const auto shares = given_.where.allocation.shares();
    std::uint32_t best = open_.front();
    double least = std::numeric_limits<double>::infinity();
    for (const std::uint32_t place : open_) {
      double cost = 0;
      for (const auto& [to, bytes] : pairs_.from(rank)) {
        if (!placed_.taken(to)) continue;
        cost += bytes * given_.where.network.distance(shares[place].node, shares[node_[to]].node);
        if (cost > least) break;
      }
      if (cost < least || (cost == least && taken_[place] > taken_[best])) {
        least = cost;
        best = place;
      }
    }
    return best;
  }

  const problem& given_;
  traffic pairs_;
  attraction_queue placed_;
  std::vector<std::uint32_t> node_;
  std::vector<std::uint32_t> taken_;
  std::vector<std::uint32_t> open_;
  placement places_;
};

}  // namespace

placement greedy(const problem& given) {
  require_slots(given);
  return placer(given).place();
}

}  // namespace acre::mapping
