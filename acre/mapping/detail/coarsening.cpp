// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/detail/coarsening.hpp>

#include <algorithm>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

namespace acre::mapping {
namespace {

class gatherer {
  /// Group number of ranks whose group stayed too small.
  static constexpr std::uint32_t set_aside = invalid_rank - 1;

 public:
  gatherer(const traffic& pairs, const std::vector<std::uint32_t>& seat_of,
           const std::vector<bool>& is_whole, std::uint32_t window, std::uint32_t size)
      : pairs_(pairs),
        seat_of_(seat_of),
        is_whole_(is_whole),
        window_(window),
        size_(size),
        group_of_(pairs.ranks(), invalid_rank),
        with_group_(pairs.ranks()),
        first_(is_whole.size() * size / window + 1) {
    for (const std::uint32_t seat : seat_of) ++first_[seat / window + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    in_windows_.resize(pairs.ranks());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (rank_t rank = 0; rank < pairs.ranks(); ++rank) {
      in_windows_[next[seat_of[rank] / window]++] = rank;
    }
  }

  coarse_level gather(std::mt19937_64& random) {
    for (std::uint32_t w = 0; w + 1 < first_.size(); ++w) {
      const auto ranks = std::span(in_windows_).subspan(first_[w], first_[w + 1] - first_[w]);
      keep_together(ranks);
      gather_window(ranks, random);
      std::uint32_t seat = w * (window_ / size_);
      for (; seats_.size() < members_.size(); ++seat) {
        if (is_whole_[seat]) seats_.push_back(seat);
      }
    }
    std::vector<bool> stays;
    stays.reserve(seats_.size());
    for (const std::uint32_t seat : seats_) stays.push_back(!is_whole_[seat]);
    return {.pairs = between_groups(pairs_, group_of_, static_cast<rank_t>(members_.size())),
            .members = std::move(members_),
            .seat_of = std::move(seats_),
            .stays = std::move(stays)};
  }

 private:
  void keep_together(std::span<rank_t> ranks) {
    std::ranges::sort(ranks, {}, [&](rank_t rank) { return seat_of_[rank]; });
    for (const rank_t rank : ranks) {
      const std::uint32_t seat = seat_of_[rank] / size_;
      if (is_whole_[seat]) continue;
      if (seats_.empty() || seats_.back() != seat) {
        seats_.push_back(seat);
        members_.emplace_back();
      }
      group_of_[rank] = static_cast<std::uint32_t>(members_.size() - 1);
      members_.back().push_back(rank);
    }
  }

  /// Grows groups by heaviest exchange; groups left-over ranks by common heaviest peer.
  void gather_window(std::span<rank_t> ranks, std::mt19937_64& random) {
    const std::size_t before = members_.size();
    std::ranges::shuffle(ranks, random);
    std::vector<straggler> left_over;
    for (const rank_t rank : ranks) {
      if (group_of_[rank] != invalid_rank) continue;
      begin_group(rank);
      grow();
      if (members_.back().size() == size_) continue;
      for (const rank_t each : members_.back()) {
        group_of_[each] = set_aside;
        left_over.push_back({heaviest_peer(rank), rank, each});
      }
      members_.pop_back();
    }
    std::ranges::sort(left_over);
    for (const auto& [peer, first, rank] : left_over) {
      if (members_.size() == before || members_.back().size() == size_) {
        begin_group(rank);
      } else {
        join(rank);
      }
    }
  }

  using straggler = std::tuple<rank_t, rank_t, rank_t>;

  void begin_group(rank_t rank) {
    members_.emplace_back();
    for (const rank_t each : near_) with_group_[each] = 0;
    near_.clear();
    join(rank);
  }
  void join(rank_t rank) {
    group_of_[rank] = static_cast<std::uint32_t>(members_.size() - 1);
    members_.back().push_back(rank);
    for (const auto& [peer, bytes] : pairs_.from(rank)) {
      if (group_of_[peer] != invalid_rank || !are_together(rank, peer)) continue;
      if (with_group_[peer] == 0) near_.push_back(peer);
      with_group_[peer] += bytes;
    }
  }

  void grow() {
    while (members_.back().size() < size_) {
      rank_t best = invalid_rank;
      for (const rank_t each : near_) {
        if (group_of_[each] != invalid_rank) continue;
        if (best == invalid_rank || with_group_[each] > with_group_[best]) best = each;
      }
      if (best == invalid_rank) return;
      join(best);
    }
  }

  [[nodiscard]] bool are_together(rank_t one, rank_t other) const {
    return seat_of_[one] / window_ == seat_of_[other] / window_;
  }
  [[nodiscard]] rank_t heaviest_peer(rank_t rank) const {
    const auto peers = pairs_.from(rank);
    if (peers.empty()) return invalid_rank;
    return std::ranges::max_element(peers, {}, &traffic::flow::bytes)->to;
  }

  const traffic& pairs_;
  const std::vector<std::uint32_t>& seat_of_;
  const std::vector<bool>& is_whole_;
  std::uint32_t window_;
  std::uint32_t size_;
  std::vector<std::uint32_t> group_of_;
  std::vector<double> with_group_;
  std::vector<rank_t> near_;
  std::vector<std::uint32_t> first_;
  std::vector<rank_t> in_windows_;
  std::vector<std::vector<rank_t>> members_;
  std::vector<std::uint32_t> seats_;
};

}  // namespace

coarse_level grouped_within(const traffic& pairs, const std::vector<std::uint32_t>& seat_of,
                            const std::vector<bool>& is_whole, std::uint32_t window,
                            std::uint32_t size, std::mt19937_64& random) {
  return gatherer(pairs, seat_of, is_whole, window, size).gather(random);
}

}  // namespace acre::mapping
