// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/automatic.hpp>

#include <acre/base/error.hpp>
#include <acre/base/specification.hpp>
#include <acre/mapping/bisection.hpp>
#include <acre/mapping/cp2k_heuristic.hpp>
#include <acre/mapping/cuthill_mckee.hpp>
#include <acre/mapping/folding.hpp>
#include <acre/mapping/greedy.hpp>
#include <acre/mapping/hierarchical.hpp>
#include <acre/mapping/hilbert_torus.hpp>
#include <acre/mapping/multilevel.hpp>
#include <acre/mapping/refine.hpp>
#include <acre/mapping/tree_grouping.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>

namespace acre::mapping {
namespace {

using clock = std::chrono::steady_clock;

struct named_curve {
  const char* name;
  order (*cells)(std::span<const std::uint32_t> extents);
};
constexpr std::array<named_curve, 3> curves{
    {{"rows", rows}, {"snake", snake}, {"hilbert", hilbert}}};

constexpr std::size_t in_rows = 0;

constexpr const char* packed_name = "packed";

/// `better` is not slower than "packed" and saves 1 % of the time (or cost) or 5 % of the
/// hop-bytes.
enum class class_of_candidate : std::uint8_t { better, standard, alike, slower };

class_of_candidate class_of(const candidate& one, const metrics& standard, objective goal) {
  constexpr double worth_it = 0.01;
  constexpr double lighter = 0.95;
  if (one.name == packed_name) return class_of_candidate::standard;
  if (one.measured.slower_than(standard, 1e-6, goal)) return class_of_candidate::slower;
  const bool is_lighter =
      goal == objective::time && one.measured.hop_bytes < lighter * standard.hop_bytes;
  return is_lighter || standard.slower_than(one.measured, worth_it, goal)
             ? class_of_candidate::better
             : class_of_candidate::alike;
}

bool precedes(const candidate& one, const candidate& other, const metrics& standard,
              objective goal) {
  const auto a = class_of(one, standard, goal);
  const auto b = class_of(other, standard, goal);
  return a != b ? a < b : one.measured.better_than(other.measured, goal);
}

/// Insertion sort: better_than() is no strict weak order.
void put_best_first(std::vector<candidate>& some, const metrics& standard, objective goal) {
  for (auto next = some.begin(); next != some.end(); ++next) {
    auto place = next;
    while (place != some.begin() && precedes(*next, *std::prev(place), standard, goal)) {
      --place;
    }
    std::rotate(place, next, std::next(next));
  }
}

class searcher {
 public:
  searcher(const problem& given, const search_options& options)
      : given_(given),
        options_(options),
        begin_(clock::now()),
        bounded_{given.what, given.where, given.goal, begin_ + options.at_most} {}

  std::vector<candidate> run() {
    const auto nodes = static_cast<double>(given_.where.allocation.shares().size());
    consider_any({packed_name, packed});
    consider_grids(begin_ + options_.at_most / 2);
    consider_any({"hierarchical", hierarchical});
    if (!given_.where.network.extents().empty()) {
      consider_any({"hilbert, both", hilbert_torus, 3e-7});
      consider_any({"hilbert, as CP2K", cp2k_heuristic, 3e-7});
      consider_directions();
    }
    consider("Gray code", "Gray code", [&] { return along_gray_codes(given_); });
    consider_levels(1);
    consider_any({"tree grouping", tree_grouping, 3e-7});
    consider_any({"reverse Cuthill-McKee", graph_similarity, 3e-7});
    consider_any({"recursive bisection", bisection, 3e-7 * std::log2(nodes + 1)});
    consider_any({"greedy", greedy, 5e-9 * nodes});
    for (const algorithm& each : options_.more) consider_any(each);
    consider_any({"round robin", round_robin});
    consider_any({"folded", folded_ranks});
    consider_any({"random", [&](const problem& it) { return random_order(it, options_.seed); }});
    best_first();
    if (may_try_longer()) {
      consider_levels(4);
      best_first();
    }
    refine_best();
    return std::move(found_);
  }

 private:
  /// Makes and measures a candidate; keeps the best per algorithm. Ignores one that throws.
  template <class Make>
  void consider(const std::string& algorithm, std::string name, Make&& make) {
    if (!wanted(algorithm) || !time_for_another()) return;
    const clock::time_point begin = clock::now();
    candidate made{.algorithm = algorithm, .name = std::move(name), .places = {}, .measured = {}};
    try {
      made.places = make();
      made.measured = measure(given_, made.places);
    } catch (const error&) {
      return;
    }
    made.took = clock::now() - begin;
    if (found_.empty()) {
      standard_ = made.measured;
      least_time_ = made.took;
    }
    const auto before = std::ranges::find(found_, algorithm, &candidate::algorithm);
    if (before == found_.end()) {
      found_.push_back(std::move(made));
    } else if (precedes(made, *before, standard_, given_.goal)) {
      *before = std::move(made);
    }
  }

  [[nodiscard]] bool time_for_another() const { return is_basic() || left() > least_time_; }

  /// The default, and in spite of the time limit the first algorithms that are cheap: a limit of
  /// some milliseconds on a busy machine must not decide the mapping.
  [[nodiscard]] bool is_basic() const {
    constexpr std::size_t basic = 4;
    constexpr std::chrono::milliseconds cheap(100);
    const bool may_take_longer =
        options_.only.empty() && options_.at_most.count() > 0 && least_time_ < cheap;
    return found_.size() < (may_take_longer ? basic : 2);
  }

  void consider_any(const algorithm& each) {
    const std::chrono::duration<double> estimate(each.seconds_a_flow *
                                                 static_cast<double>(given_.what.traffic.flows()));
    if (each.seconds_a_flow > 0 && estimate > left()) return;
    consider(each.name, each.name, [&] { return each.map(found_.empty() ? given_ : bounded_); });
  }

  void consider_directions() {
    constexpr std::string_view axes = "xyz";
    const std::size_t most = std::min(axes.size(), given_.where.network.extents().size());
    for (std::size_t axis = 0; axis < most && !options_.only.empty(); ++axis) {
      const std::string name = std::string("hilbert, as CP2K, ") + axes[axis];
      consider(name, name, [&] { return cp2k_direction(given_, axis); });
    }
  }

  /// By the machine's costs; for objective::time, also by costs that grow tenfold per level.
  /// @param patience  factor of the usual time
  void consider_levels(int patience) {
    consider_multilevel("multilevel", given_.where, patience);
    if (given_.goal != objective::time || given_.where.network.levels() == 0) return;
    std::vector<double> costs(given_.where.network.levels() + 2, 1);
    for (std::size_t level = 1; level < costs.size(); ++level) costs[level] = 10 * costs[level - 1];
    machine by_levels = given_.where;
    by_levels.level_costs = costs;
    consider_multilevel("multilevel, steep", by_levels, patience);
  }

  /// True if no candidate relieves the busiest link, and much time is left.
  [[nodiscard]] bool may_try_longer() const {
    constexpr double worth_it = 0.99;
    constexpr std::chrono::milliseconds much(1500);
    return given_.goal == objective::time && !counts_trials() && !given_.what.extents.empty() &&
           found_.front().measured.time > worth_it * standard_.time && left() > much;
  }

  void consider_multilevel(const char* name, const machine& where, int patience) {
    const std::chrono::duration<double> estimate(1e-6 *
                                                 static_cast<double>(given_.what.traffic.flows()));
    if (estimate > left()) return;
    const auto enough =
        patience * std::chrono::milliseconds(std::max(200U, given_.what.traffic.ranks()) / 2);
    const auto at_most = counts_trials() ? left() : std::min(left() / 8, enough);
    const problem costly{given_.what, where, objective::cost, bounded_.until};
    consider("multilevel", name, [&] {
      return multilevel(
          costly, {.at_most = at_most, .most_trials = options_.most_trials, .seed = options_.seed});
    });
  }

  [[nodiscard]] bool wanted(const std::string& algorithm) const {
    const auto& only = options_.only;
    return only.empty() || algorithm == packed_name ||
           std::ranges::find(only, typed_name(algorithm), typed_name) != only.end();
  }

  void consider_grids(clock::time_point end) {
    const auto& extents = given_.what.extents;
    if (extents.empty()) return;
    for (const auto& [ranks, each] : block_sizes()) {
      if (ranks < 2) continue;
      for (const auto& shape : block_shapes(extents, ranks, 6)) consider_shape(shape, each, end);
    }
    consider_shape({}, 0, end);
  }

  /// @param shape extents of a block; empty: single ranks
  /// @param each  ranks per node; 0: all slots
  void consider_shape(const std::vector<std::uint32_t>& shape, std::uint32_t each,
                      clock::time_point end) {
    const auto block =
        shape.empty() ? std::vector<std::uint32_t>(given_.what.extents.size(), 1) : shape;
    const auto ways = foldings_of(block);
    const auto first = std::span(ways).first(std::min<std::size_t>(1, ways.size()));
    consider_foldings(block, each, first, end);
    consider_curves(shape, each, end, false);
    consider_foldings(block, each, std::span(ways).subspan(first.size()), end);
    consider_curves(shape, each, end, true);
  }

  /// @param turned all permutations but the identity, else the identity
  void consider_curves(const std::vector<std::uint32_t>& shape, std::uint32_t each,
                       clock::time_point end, bool turned) {
    for (std::size_t i = 0; i < curves.size(); ++i) {
      for_each_turn(given_.what.extents.size(), [&](std::span<const std::uint32_t> which) {
        if (is_over(end) || std::ranges::is_sorted(which) == turned) return;
        consider_turn(shape, each, curves[i], which, nodes_of(i));
      });
    }
  }

  [[nodiscard]] bool is_over(clock::time_point end) const {
    return !is_basic() && clock::now() > end;
  }

  [[nodiscard]] std::vector<folding> foldings_of(std::span<const std::uint32_t> shape) const {
    constexpr std::size_t most = 200;
    const auto machine = given_.where.network.extents();
    const std::vector<std::uint32_t> nodes(machine.rbegin(), machine.rend());
    return foldings(block_counts(given_.what.extents, shape), nodes, most);
  }

  void consider_foldings(const std::vector<std::uint32_t>& block, std::uint32_t each,
                         std::span<const folding> some, clock::time_point end) {
    for (const folding& factors : some) {
      if (is_over(end)) return;
      consider("grid folding", "blocks " + join(block) + " folded " + describe(factors), [&] {
        return matched_cells(given_, blocks(given_.what.extents, block, folded(factors), rows),
                             nodes_of(in_rows), each);
      });
    }
  }

  static std::string describe(const folding& factors) {
    std::string text;
    for (const auto& row : factors) text += (text.empty() ? "(" : ") (") + join(row);
    return text + ")";
  }

  void consider_turn(const std::vector<std::uint32_t>& shape, std::uint32_t each,
                     const named_curve& curve, std::span<const std::uint32_t> which,
                     std::span<const std::uint32_t> nodes) {
    const auto extents = turned(given_.what.extents, which);
    const std::string axes = std::ranges::is_sorted(which) ? "" : " along " + join(which);
    if (shape.empty()) {
      return consider(curve.name, curve.name + axes, [&] {
        return matched_cells(given_, along_axes(curve.cells(extents), given_.what.extents, which),
                             nodes);
      });
    }
    consider(std::string("blocks, ") + curve.name,
             "blocks " + join(shape) + ", " + curve.name + axes, [&] {
               const auto block = turned(shape, which);
               order cells =
                   blocks(extents, block, curve.cells(block_counts(extents, block)), rows);
               return matched_cells(
                   given_, along_axes(std::move(cells), given_.what.extents, which), nodes, each);
             });
  }

  [[nodiscard]] const std::vector<std::uint32_t>& nodes_of(std::size_t curve) {
    std::vector<std::uint32_t>& nodes = nodes_[curve];
    if (nodes.empty()) {
      nodes = given_.where.network.extents().empty()
                  ? nodes_by_group(given_.where)
                  : nodes_along(given_.where, curves[curve].cells);
    }
    return nodes;
  }

  struct block_size {
    std::uint32_t ranks;
    std::uint32_t each;
  };

  /// Ranks per block, for equally full nodes: the fewest large nodes that suffice, or an even
  /// share. If no nodes suffice, the mean.
  [[nodiscard]] std::vector<block_size> block_sizes() const {
    const auto shares = given_.where.allocation.shares();
    const std::uint32_t ranks = given_.what.traffic.ranks();
    const auto even = static_cast<std::uint32_t>((ranks + shares.size() - 1) / shares.size());
    std::vector<std::uint32_t> slots;
    slots.reserve(shares.size());
    for (const auto& share : shares) slots.push_back(share.slots);
    std::ranges::sort(slots, std::greater{});
    for (std::size_t nodes = 1; nodes <= slots.size(); ++nodes) {
      const std::uint32_t most = slots[nodes - 1];
      if (nodes * std::uint64_t{most} < ranks) continue;
      if (even == most || even > slots.back()) return {{.ranks = most, .each = most}};
      return {{.ranks = most, .each = most}, {.ranks = even, .each = even}};
    }
    return {{.ranks = even, .each = 0}};
  }

  void best_first() { put_best_first(found_, standard_, given_.goal); }

  /// Descends; then anneals the best, if that helped or the rank grid is unknown. For
  /// objective::cost, only anneals levels.
  void refine_best() {
    const std::size_t most =
        given_.what.traffic.flows() == 0 ? 0 : std::min(options_.refined, found_.size());
    if (given_.goal == objective::cost) {
      if (most > 0) refine(found_.front(), anneal_levels, "annealed", left());
      return best_first();
    }
    const std::size_t before = found_.size();
    for (std::size_t i = 0; i < most; ++i) {
      refine(found_[i], descend, "refined", left() / static_cast<int>(most + 1 - i));
    }
    const bool helped = found_.size() > before;
    best_first();
    // Annealing rarely improves mappings from grids.
    const bool may_gain = helped || given_.what.extents.size() < 2;
    if (most == 0 || !may_gain) return;
    refine(found_.front(), anneal_levels, "annealed", left() * 3 / 4);
    best_first();
    anneal_best();
  }

  [[nodiscard]] bool counts_trials() const { return options_.most_trials != UINT64_MAX; }

  [[nodiscard]] std::chrono::milliseconds first_annealing() const {
    if (counts_trials()) return left();
    constexpr std::chrono::milliseconds least(400);
    return std::max(least,
                    std::chrono::milliseconds(std::int64_t{given_.what.traffic.ranks()} * 6 / 5));
  }

  /// Doubles the time of annealing until two successive runs gain less than 0.2 %.
  void anneal_best() {
    constexpr double worth_it = 0.002;
    std::chrono::milliseconds length = first_annealing();
    for (unsigned in_vain = 0; in_vain < 2; length = std::min(2 * length, left())) {
      if (left() < 4 * least_time_) return;
      const metrics before = found_.front().measured;
      refine(found_.front(), anneal, "annealed", std::min(left(), length));
      best_first();
      in_vain =
          before.slower_than(found_.front().measured, worth_it, given_.goal) ? 0 : in_vain + 1;
    }
  }

  void refine(const candidate& start, decltype(descend)* method, const char* name,
              std::chrono::milliseconds at_most) {
    if (at_most < 4 * least_time_) return;
    const clock::time_point begin = clock::now();
    candidate better = start;
    const effort effort{
        .at_most = at_most, .most_trials = options_.most_trials, .seed = options_.seed};
    better.places = method(given_, std::move(better.places), effort);
    better.measured = measure(given_, better.places);
    if (!precedes(better, start, standard_, given_.goal)) return;
    better.took += clock::now() - begin;
    const std::string made = std::string(", ") + name;
    if (better.name.ends_with(made)) {
      found_[static_cast<std::size_t>(&start - found_.data())] = std::move(better);
      return;
    }
    better.name += made;
    found_.push_back(std::move(better));
  }

  [[nodiscard]] std::chrono::milliseconds left() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(begin_ + options_.at_most -
                                                                 clock::now());
  }

  const problem& given_;
  const search_options& options_;
  clock::time_point begin_;
  problem bounded_;
  metrics standard_;
  std::chrono::duration<double> least_time_{};
  std::array<std::vector<std::uint32_t>, curves.size()> nodes_;
  std::vector<candidate> found_;
};

}  // namespace

std::string typed_name(std::string_view algorithm) {
  std::string name;
  for (const char c : algorithm) {
    const bool capital = c >= 'A' && c <= 'Z';
    if (c != ',') name += c == ' ' ? '-' : capital ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return name;
}

std::vector<candidate> search(const problem& given, const search_options& options) {
  require_slots(given);
  return searcher(given, options).run();
}

const candidate& default_order(std::span<const candidate> found) {
  return *std::ranges::find(found, packed_name, &candidate::name);
}

std::vector<candidate> judged(const problem& given, std::vector<candidate> some) {
  for (candidate& each : some) each.measured = measure(given, each.places);
  put_best_first(some, measure(given, packed(given)), given.goal);
  return some;
}

candidate automatic(const problem& given, const search_options& options) {
  return std::move(search(given, options).front());
}

}  // namespace acre::mapping
