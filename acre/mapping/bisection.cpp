// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/bisection.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

namespace acre::mapping {
namespace {

enum half : std::uint8_t { left, right };
half other(half from) { return from == left ? right : left; }

/// State per rank; each cut restores it.
struct cut_memory {
  explicit cut_memory(rank_t ranks)
      : inside(ranks, false), bias(ranks), side(ranks, right), gain(ranks), marked(ranks, false) {}

  std::vector<bool> inside;
  std::vector<double> bias;
  std::vector<half> side;
  std::vector<double> gain;
  std::vector<bool> marked;
};

class cut {
 public:
  cut(const problem& given, const traffic& pairs, std::span<rank_t> ranks, cut_memory& memory,
      double price)
      : given_(given),
        pairs_(pairs),
        ranks_(ranks),
        bias_(memory.bias),
        inside_(memory.inside),
        price_(price),
        side_(memory.side),
        gain_(memory.gain),
        locked_(memory.marked) {}

  void divide(std::size_t on_left) {
    grow(on_left);
    constexpr unsigned most_passes = 4;
    for (unsigned pass = 0; pass < most_passes && exchange(); ++pass) continue;
    std::ranges::sort(ranks_, {}, [&](rank_t rank) { return std::pair(side_[rank], rank); });
    for (const rank_t rank : ranks_) side_[rank] = right;
  }

 private:
  using entry = std::pair<double, rank_t>;
  using queue = std::priority_queue<entry>;

  [[nodiscard]] double gain(rank_t rank) const {
    double crossing = 0;
    double within = 0;
    for (const auto& [to, bytes] : pairs_.from(rank)) {
      if (inside_[to]) (side_[to] == side_[rank] ? within : crossing) += bytes;
    }
    return price_ * (crossing - within) + (side_[rank] == left ? -bias_[rank] : bias_[rank]);
  }

  void move(rank_t rank, std::array<queue, 2>& waiting) {
    if (++moves_ % 256 == 0) require_time(given_);
    side_[rank] = other(side_[rank]);
    locked_[rank] = true;
    gain_[rank] = -gain_[rank];
    for (const auto& [to, bytes] : pairs_.from(rank)) {
      if (!inside_[to]) continue;
      gain_[to] += 2 * price_ * (side_[to] == side_[rank] ? -bytes : bytes);
      if (!locked_[to]) waiting[side_[to]].push({gain_[to], ~to});
    }
  }

  std::optional<rank_t> best_of(queue& waiting, half where) const {
    while (!waiting.empty()) {
      const auto [gain, unlike] = waiting.top();
      waiting.pop();
      const rank_t rank = ~unlike;
      if (!locked_[rank] && side_[rank] == where && gain == gain_[rank]) return rank;
    }
    return std::nullopt;
  }

  /// Rank of largest bias to the left; ties: end of a breadth-first walk.
  [[nodiscard]] rank_t seed() {
    std::vector<bool>& seen = locked_;
    std::vector<rank_t> walk{ranks_[0]};
    seen[ranks_[0]] = true;
    for (std::size_t at = 0; at < walk.size(); ++at) {
      for (const auto& flow : pairs_.from(walk[at])) {
        if (!inside_[flow.to] || seen[flow.to]) continue;
        seen[flow.to] = true;
        walk.push_back(flow.to);
      }
    }
    for (const rank_t rank : walk) seen[rank] = false;
    rank_t best = walk.back();
    for (const rank_t rank : ranks_) {
      if (bias_[rank] > bias_[best]) best = rank;
    }
    return best;
  }

  void grow(std::size_t on_left) {
    std::array<queue, 2> waiting;
    for (const rank_t rank : ranks_) gain_[rank] = gain(rank);
    std::size_t next = 0;
    for (std::size_t moved = 0; moved < on_left; ++moved) {
      auto best = moved == 0 ? std::optional(seed()) : best_of(waiting[right], right);
      if (!best) {
        while (side_[ranks_[next]] == left) ++next;
        best = ranks_[next];
      }
      move(*best, waiting);
    }
    for (const rank_t rank : ranks_) locked_[rank] = false;
  }

  /// One pass of exchanges; keeps its best state. True if it helped.
  bool exchange() {
    std::array<queue, 2> waiting;
    for (const rank_t rank : ranks_) {
      gain_[rank] = gain(rank);
      waiting[side_[rank]].push({gain_[rank], ~rank});
    }
    std::vector<rank_t> moved;
    double saved = 0;
    double most_saved = 0;
    std::size_t best = 0;
    constexpr std::size_t most_in_vain = 128;
    while (moved.size() - best < most_in_vain) {
      const auto from_left = best_of(waiting[left], left);
      if (!from_left) break;
      saved += gain_[*from_left];
      move(*from_left, waiting);
      moved.push_back(*from_left);
      const auto from_right = best_of(waiting[right], right);
      if (!from_right) break;
      saved += gain_[*from_right];
      move(*from_right, waiting);
      moved.push_back(*from_right);
      if (saved > most_saved * (1 + 1e-9) + 1e-12) {
        most_saved = saved;
        best = moved.size();
      }
    }
    for (std::size_t i = best; i < moved.size(); ++i) side_[moved[i]] = other(side_[moved[i]]);
    for (const rank_t rank : moved) locked_[rank] = false;
    return best > 0;
  }

  const problem& given_;
  const traffic& pairs_;
  std::span<rank_t> ranks_;
  std::span<const double> bias_;
  const std::vector<bool>& inside_;
  double price_;
  std::span<half> side_;
  std::span<double> gain_;
  std::vector<bool>& locked_;
  std::size_t moves_ = 0;
};

class divider {
 public:
  explicit divider(const problem& given)
      : given_(given),
        pairs_(both_ways(given.what.traffic)),
        seats_(seats_by_group(given)),
        ranks_(pairs_.ranks()),
        near_(pairs_.ranks(), nowhere),
        memory_(pairs_.ranks()),
        places_(pairs_.ranks()) {
    std::iota(ranks_.begin(), ranks_.end(), rank_t{0});
  }

  placement divide() {
    if (!ranks_.empty()) divide(seats_, ranks_);
    return std::move(places_);
  }

 private:
  static constexpr topology::node_t nowhere = ~topology::node_t{0};

  [[nodiscard]] topology::node_t node(const seat& of) const {
    return given_.where.allocation.shares()[of.place].node;
  }

  void divide(std::span<seat> seats, std::span<rank_t> ranks) {
    if (seats.size() == 1) {
      topology::slot_t slot = given_.where.allocation.first_slot(seats[0].place);
      for (const rank_t rank : ranks) places_[rank] = slot++;
      return;
    }
    const std::size_t middle = halve(seats);
    const auto left_seats = seats.first(middle);
    const auto right_seats = seats.subspan(middle);
    const std::size_t on_left = ranks_in(left_seats);
    const topology::node_t to_left = node(left_seats[middle / 2]);
    const topology::node_t to_right = node(right_seats[right_seats.size() / 2]);
    halve_ranks(ranks, on_left, to_left, to_right);
    for (const rank_t rank : ranks.first(on_left)) near_[rank] = to_left;
    for (const rank_t rank : ranks.subspan(on_left)) near_[rank] = to_right;
    divide(left_seats, ranks.first(on_left));
    divide(right_seats, ranks.subspan(on_left));
  }

  void halve_ranks(std::span<rank_t> ranks, std::size_t on_left, topology::node_t to_left,
                   topology::node_t to_right) {
    const topology::network& network = given_.where.network;
    auto& inside = memory_.inside;
    auto& bias = memory_.bias;
    for (const rank_t rank : ranks) inside[rank] = true;
    for (const rank_t rank : ranks) {
      bias[rank] = 0;
      for (const auto& [to, bytes] : pairs_.from(rank)) {
        if (inside[to] || near_[to] == nowhere) continue;
        bias[rank] += bytes * (static_cast<double>(network.distance(to_right, near_[to])) -
                               static_cast<double>(network.distance(to_left, near_[to])));
      }
    }
    const double price = std::max(1U, network.distance(to_left, to_right));
    cut(given_, pairs_, ranks, memory_, price).divide(on_left);
    for (const rank_t rank : ranks) inside[rank] = false;
  }

  /// Splits between groups of the largest level that differs, else across the longest side; returns
  /// the number on the left.
  std::size_t halve(std::span<seat> seats) const {
    const topology::network& network = given_.where.network;
    for (unsigned level = 0; level < network.levels(); ++level) {
      const auto group = [&](const seat& each) { return network.group(node(each), level); };
      if (group(seats.front()) != group(seats.back())) return cut_between(seats, group);
    }
    const auto extents = network.extents();
    if (extents.empty()) return cut_between(seats, [](const seat& each) { return each.place; });
    const auto coordinate = [&](const seat& each, std::size_t d) {
      std::uint32_t router = node(each) / network.nodes_a_router();
      for (std::size_t lower = 0; lower < d; ++lower) router /= extents[lower];
      return router % extents[d];
    };
    std::size_t longest = 0;
    std::uint32_t most = 0;
    for (std::size_t d = 0; d < extents.size(); ++d) {
      const auto along = [&](const seat& each) { return coordinate(each, d); };
      const auto [first, last] = std::ranges::minmax(seats, {}, along);
      const std::uint32_t length = along(last) - along(first);
      if (length > most) std::tie(most, longest) = std::pair(length, d);
    }
    if (most == 0) return cut_between(seats, [](const seat& each) { return each.place; });
    const auto along = [&](const seat& each) { return coordinate(each, longest); };
    std::ranges::sort(seats, {},
                      [&](const seat& each) { return std::pair(along(each), each.place); });
    return cut_between(seats, along);
  }

  /// Position nearest to half of the ranks at which `key` changes.
  template <class Key>
  static std::size_t cut_between(std::span<const seat> seats, Key&& key) {
    const std::size_t all = ranks_in(seats);
    std::size_t best = 1;
    std::size_t least = all;
    std::size_t before = seats[0].ranks;
    for (std::size_t i = 1; i < seats.size(); ++i) {
      const std::size_t off = 2 * before > all ? 2 * before - all : all - 2 * before;
      if (key(seats[i]) != key(seats[i - 1]) && off < least) {
        least = off;
        best = i;
      }
      before += seats[i].ranks;
    }
    return best;
  }

  const problem& given_;
  traffic pairs_;
  std::vector<seat> seats_;
  std::vector<rank_t> ranks_;
  std::vector<topology::node_t> near_;
  cut_memory memory_;
  placement places_;
};

}  // namespace

placement bisection(const problem& given) {
  require_slots(given);
  return divider(given).divide();
}

}  // namespace acre::mapping
