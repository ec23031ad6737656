// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/hierarchical.hpp>

#include <algorithm>
#include <numeric>
#include <optional>

namespace acre::mapping {
namespace {

using seat_span = std::span<const seat>;

class cutter {
 public:
  explicit cutter(const problem& given) : given_(given), seats_(seats_by_group(given)) {}

  placement cut() {
    if (given_.what.has_empty_cells()) {
      ranks_ = hilbert(given_.what.extents);
    } else {
      std::vector<rank_t> all(given_.what.traffic.ranks());
      std::iota(all.begin(), all.end(), rank_t{0});
      cut_grid(seats_, 0, given_.what.extents, all);
    }
    return matched_cells(given_, std::move(ranks_), nodes_by_group(given_.where));
  }

 private:
  [[nodiscard]] unsigned levels() const { return given_.where.network.levels(); }
  [[nodiscard]] std::uint32_t group(const seat& of, unsigned level) const {
    return given_.where.network.group(given_.where.allocation.shares()[of.place].node, level);
  }

  [[nodiscard]] std::vector<seat_span> groups_of(seat_span some, unsigned level) const {
    std::vector<seat_span> groups;
    for (std::size_t begin = 0; begin < some.size();) {
      std::size_t end = begin + 1;
      while (level < levels() && end < some.size() &&
             group(some[end], level) == group(some[begin], level)) {
        ++end;
      }
      groups.push_back(some.subspan(begin, end - begin));
      begin = end;
    }
    return groups;
  }

  void cut_grid(seat_span some, unsigned level, const std::vector<std::uint32_t>& extents,
                std::span<const rank_t> cells) {
    if (level > levels()) {
      ranks_.insert(ranks_.end(), cells.begin(), cells.end());
      return;
    }
    const std::vector<seat_span> groups = groups_of(some, level);
    const std::uint32_t each = ranks_in(groups.front());
    const bool equal =
        std::ranges::all_of(groups, [&](seat_span one) { return ranks_in(one) == each; });
    const auto shape = equal ? tile(extents, each) : std::nullopt;
    if (!shape) return cut_curve(extents, cells);
    const order in_blocks = blocks(extents, *shape, snake(block_counts(extents, *shape)), rows);
    std::vector<rank_t> block(each);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (std::uint32_t i = 0; i < each; ++i) block[i] = cells[in_blocks[g * each + i]];
      cut_grid(groups[g], level + 1, *shape, block);
    }
  }

  /// Pieces of a Hilbert curve are no grids: lower levels keep this order.
  void cut_curve(const std::vector<std::uint32_t>& extents, std::span<const rank_t> cells) {
    for (const cell_t cell : hilbert(extents)) ranks_.push_back(cells[cell]);
  }

  [[nodiscard]] static std::optional<std::vector<std::uint32_t>> tile(
      std::span<const std::uint32_t> extents, std::uint32_t cells) {
    const auto shapes = block_shapes(extents, cells, 1);
    if (shapes.empty()) return std::nullopt;
    const bool fits =
        std::ranges::equal(extents, shapes.front(), [](auto a, auto b) { return a % b == 0; });
    return fits ? std::optional(shapes.front()) : std::nullopt;
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
