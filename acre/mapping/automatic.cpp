#include <acre/mapping/automatic.hpp>

#include <acre/mapping/folding.hpp>
#include <acre/mapping/hierarchical.hpp>
#include <acre/mapping/refine.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

namespace acre::mapping {
namespace {

using clock = std::chrono::steady_clock;

struct named_curve {
  const char* name;
  order_function cells;
};
constexpr std::array<named_curve, 3> curves{
    {{"rows", rows}, {"snake", snake}, {"hilbert", hilbert}}};

std::string join(std::span<const std::uint32_t> numbers) {
  std::string text;
  for (const std::uint32_t each : numbers) text += (text.empty() ? "" : "x") + std::to_string(each);
  return text;
}

class searcher {
 public:
  searcher(const problem& given, const search_options& options)
      : given_(given), options_(options), begin_(clock::now()) {}

  std::vector<candidate> run() {
    consider("packed", "packed", [&] { return packed(given_); });
    consider("hierarchical", "hierarchical", [&] { return hierarchical(given_); });
    consider("round robin", "round robin", [&] { return round_robin(given_); });
    // Half of the time is for what follows from shapes, the rest for refinement.
    consider_grids(begin_ + options_.at_most / 2);
    best_first();
    refine_best();
    return std::move(found_);
  }

 private:
  /// Makes and measures one; of those of one family only the best is kept.
  template <class Make>
  void consider(const std::string& family, std::string name, Make&& make) {
    const clock::time_point begin = clock::now();
    candidate made{.name = std::move(name), .places = make(), .measured = {}};
    made.measured = measure(given_.where, given_.what.traffic, made.places);
    made.took = clock::now() - begin;
    const auto same = std::ranges::find(families_, family);
    if (same == families_.end()) {
      families_.push_back(family);
      found_.push_back(std::move(made));
      return;
    }
    candidate& before = found_[static_cast<std::size_t>(same - families_.begin())];
    if (made.measured.better_than(before.measured)) before = std::move(made);
  }

  void consider_grids(clock::time_point end) {
    const auto& extents = given_.what.extents;
    if (extents.empty()) return;
    const std::optional<std::uint32_t> slots = slots_of_all_nodes();
    std::vector<std::vector<std::uint32_t>> shapes{{}};
    if (slots && *slots > 1) {
      const auto found = block_shapes(extents, *slots, 6);
      shapes.insert(shapes.end(), found.begin(), found.end());
    }
    // The most promising shapes first, should time run out: blocks before single ranks.
    std::ranges::rotate(shapes, shapes.begin() + 1);
    for (const auto& shape : shapes) {
      consider_foldings(shape.empty() ? ones() : shape, end);
      for (const named_curve& curve : curves) {
        const auto nodes = nodes_of(curve);
        for_each_turn([&](std::span<const std::uint32_t> which) {
          if (clock::now() > end) return;
          consider_turn(shape, curve, which, nodes);
        });
      }
    }
  }

  [[nodiscard]] std::vector<std::uint32_t> ones() const {
    return std::vector<std::uint32_t>(given_.what.extents.size(), 1);
  }

  /// The grid of blocks folded into the grid of nodes, where a job has all of these.
  void consider_foldings(const std::vector<std::uint32_t>& shape, clock::time_point end) {
    constexpr std::size_t most = 200;
    const auto machine_extents = given_.where.network.extents();
    const std::vector<std::uint32_t> nodes(machine_extents.rbegin(), machine_extents.rend());
    const auto counts = block_counts(given_.what.extents, shape);
    const auto in_rows =
        nodes.empty() ? nodes_by_group(given_.where) : nodes_along(given_.where, rows);
    for (const folding& factors : foldings(counts, nodes, most)) {
      if (clock::now() > end) return;
      consider("folded", "blocks " + join(shape) + " folded " + describe(factors), [&] {
        return matched(given_, blocks(given_.what.extents, shape, folded(factors), rows), in_rows);
      });
    }
  }

  static std::string describe(const folding& factors) {
    std::string text;
    for (const auto& row : factors) text += (text.empty() ? "(" : ") (") + join(row);
    return text + ")";
  }

  void consider_turn(const std::vector<std::uint32_t>& shape, const named_curve& curve,
                     std::span<const std::uint32_t> which, std::span<const std::uint32_t> nodes) {
    const auto extents = turned(given_.what.extents, which);
    const std::string axes = is_sorted(which) ? "" : " along " + join(which);
    if (shape.empty()) {
      return consider(curve.name, curve.name + axes, [&] {
        return matched(given_, transposed(curve.cells(extents), given_.what.extents, which), nodes);
      });
    }
    const std::string family = std::string("blocks, ") + curve.name;
    consider(family, "blocks " + join(shape) + ", " + curve.name + axes, [&] {
      const auto block = turned(shape, which);
      order cells = blocks(extents, block, curve.cells(block_counts(extents, block)), rows);
      return matched(given_, transposed(std::move(cells), given_.what.extents, which), nodes);
    });
  }

  [[nodiscard]] static bool is_sorted(std::span<const std::uint32_t> which) {
    return std::ranges::is_sorted(which);
  }

  /// Along the same curve where the network is a grid, else group by group.
  [[nodiscard]] std::vector<std::uint32_t> nodes_of(const named_curve& curve) const {
    if (!given_.where.network.extents().empty()) return nodes_along(given_.where, curve.cells);
    return nodes_by_group(given_.where);
  }

  template <class Visit>
  void for_each_turn(Visit&& visit) const {
    std::vector<std::uint32_t> which(given_.what.extents.size());
    std::iota(which.begin(), which.end(), 0U);
    constexpr std::size_t most_dimensions = 4;
    if (which.size() > most_dimensions) return visit(which);
    do visit(which);
    while (std::ranges::next_permutation(which).found);
  }

  [[nodiscard]] std::optional<std::uint32_t> slots_of_all_nodes() const {
    const auto shares = given_.where.allocation.shares();
    const std::uint32_t slots = shares.front().slots;
    const bool equal = std::ranges::all_of(
        shares, [&](const topology::allocation::share& each) { return each.slots == slots; });
    return equal ? std::optional(slots) : std::nullopt;
  }

  /// Equal but for rounding is no order that one may sort by: each is put behind those that are no
  /// worse.
  void best_first() {
    for (auto next = found_.begin(); next != found_.end(); ++next) {
      auto place = next;
      while (place != found_.begin() && next->measured.better_than(std::prev(place)->measured)) {
        --place;
      }
      std::rotate(place, next, std::next(next));
    }
  }

  void refine_best() {
    constexpr std::size_t most = 2;
    const std::size_t count = std::min(most, found_.size());
    for (std::size_t i = 0; i < count; ++i) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          begin_ + options_.at_most - clock::now());
      if (left.count() <= 0) break;
      const clock::time_point begin = clock::now();
      candidate better = found_[i];
      better.places =
          descend(given_, better.places,
                  {.at_most = left / static_cast<int>(count - i), .seed = options_.seed});
      better.measured = measure(given_.where, given_.what.traffic, better.places);
      if (!better.measured.better_than(found_[i].measured)) continue;
      better.name += ", refined";
      better.took += clock::now() - begin;
      found_.push_back(std::move(better));
    }
    best_first();
  }

  const problem& given_;
  const search_options& options_;
  clock::time_point begin_;
  std::vector<candidate> found_;
  std::vector<std::string> families_;  ///< of found_, while it is in the order of finding
};

}  // namespace

std::vector<candidate> search(const problem& given, const search_options& options) {
  require_slots(given);
  return searcher(given, options).run();
}

candidate automatic(const problem& given, const search_options& options) {
  return std::move(search(given, options).front());
}

}  // namespace acre::mapping
