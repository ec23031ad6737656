#include <acre/mapping/hierarchical.hpp>

#include <algorithm>
#include <numeric>

namespace acre::mapping {
namespace {

/// A node, and how many ranks it gets.
struct seat {
  std::uint32_t place;
  std::uint32_t ranks;
};
using seats = std::span<const seat>;

std::uint32_t ranks_in(seats some) {
  return std::accumulate(some.begin(), some.end(), 0U,
                         [](std::uint32_t sum, const seat& each) { return sum + each.ranks; });
}

/// The ranks of the nodes of one group after the other's.
class cutter {
 public:
  explicit cutter(const problem& given) : given_(given) {
    const auto shares = given.where.allocation.shares();
    for (const std::uint32_t place : nodes_by_group(given.where)) {
      seats_.push_back({.place = place, .ranks = 0});
    }
    std::uint32_t left = given.what.traffic.ranks();
    for (seat& each : seats_) left -= each.ranks = std::min(left, shares[each.place].slots);
  }

  placement cut() {
    std::vector<rank_t> all(given_.what.traffic.ranks());
    std::iota(all.begin(), all.end(), rank_t{0});
    cut_grid(seats_, 0, given_.what.extents, all);
    std::vector<std::uint32_t> nodes;
    for (const seat& each : seats_) nodes.push_back(each.place);
    return matched(given_, ranks_, nodes);
  }

 private:
  [[nodiscard]] unsigned levels() const { return given_.where.network.levels(); }
  [[nodiscard]] std::uint32_t group(const seat& of, unsigned level) const {
    return given_.where.network.group(given_.where.allocation.shares()[of.place].node, level);
  }

  /// The groups of a level that have ranks; below the last, each node is one.
  [[nodiscard]] std::vector<seats> groups_of(seats some, unsigned level) const {
    std::vector<seats> groups;
    for (std::size_t begin = 0; begin < some.size();) {
      std::size_t end = begin + 1;
      while (level < levels() && end < some.size() &&
             group(some[end], level) == group(some[begin], level)) {
        ++end;
      }
      groups.push_back(some.subspan(begin, end - begin));
      begin = end;
    }
    std::erase_if(groups, [](seats each) { return ranks_in(each) == 0; });
    return groups;
  }

  /// `cells` are the ranks of a grid of `extents`, in the order of their numbers.
  void cut_grid(seats some, unsigned level, const std::vector<std::uint32_t>& extents,
                std::span<const rank_t> cells) {
    if (level > levels()) {
      ranks_.insert(ranks_.end(), cells.begin(), cells.end());
      return;
    }
    const std::vector<seats> groups = groups_of(some, level);
    const std::uint32_t each = ranks_in(groups.front());
    const bool equal =
        std::ranges::all_of(groups, [&](seats one) { return ranks_in(one) == each; });
    const auto shapes = equal ? block_shapes(extents, each, 1) : decltype(block_shapes({}, 0, 0)){};
    if (shapes.empty() || !tiles(extents, shapes.front())) return cut_curve(extents, cells);
    const order in_blocks =
        blocks(extents, shapes.front(), snake(block_counts(extents, shapes.front())), rows);
    std::vector<rank_t> block(each);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (std::uint32_t i = 0; i < each; ++i) block[i] = cells[in_blocks[g * each + i]];
      cut_grid(groups[g], level + 1, shapes.front(), block);
    }
  }

  /// Pieces of a curve are no grids: their order is kept from here down.
  void cut_curve(const std::vector<std::uint32_t>& extents, std::span<const rank_t> cells) {
    for (const cell_t cell : hilbert(extents)) ranks_.push_back(cells[cell]);
  }

  [[nodiscard]] static bool tiles(std::span<const std::uint32_t> extents,
                                  std::span<const std::uint32_t> shape) {
    for (std::size_t d = 0; d < extents.size(); ++d) {
      if (extents[d] % shape[d] != 0) return false;
    }
    return true;
  }

  const problem& given_;
  std::vector<seat> seats_;
  std::vector<rank_t> ranks_;
};

}  // namespace

placement hierarchical(const problem& given) {
  require_slots(given);
  return cutter(given).cut();
}

}  // namespace acre::mapping
