// SPDX-License-Identifier: BSD-3-Clause
// PageRank by (plus, second) products; pages without links distribute to all. Exact sums give the
// same bits on any number of ranks.
//
// Source: Page, Brin, Motwani, Winograd: The PageRank citation ranking, 1999.
#include <acre/base/error.hpp>
#include <acre/base/reproducible_sum.hpp>
#include <acre/csr/dense_vector.hpp>
#include <acre/csr/spmv.hpp>
#include <acre/launch/job.hpp>

#include <apps/graph/edge_lists.hpp>
#include <apps/graph/kernels.hpp>
#include <apps/graph/results.hpp>
#include <apps/graph/stopwatch.hpp>
#include <apps/graph/two_way_graph.hpp>
#include <fmt/format.h>

#include <cmath>
#include <cstddef>

namespace acre::graph {
namespace {

constexpr double follows = 0.85;

class walk {
 public:
  explicit walk(const two_way_graph& graph)
      : graph_(graph),
        ranks_(world(), graph.out().cut(), 1.0 / static_cast<double>(graph.out().rows())),
        sent_(world(), graph.out().cut()),
        received_(world(), graph.out().cut()) {}

  double step() {
    const auto rows = graph_.out().local();
    const auto ranks = ranks_.local();
    reproducible_sum<double> without_links;
    for (std::size_t row = 0; row < rows.count; ++row) {
      const std::size_t neighbours = rows.columns_of(row).size();
      if (neighbours == 0) without_links.add(ranks[row]);
      sent_.local()[row] = neighbours == 0 ? 0 : ranks[row] / static_cast<double>(neighbours);
    }
    const double lost = world().allreduce(without_links).value();
    spmv<semirings::plus_second<double>>(graph_.in(), sent_, received_);
    const auto pages = static_cast<double>(graph_.out().rows());
    const double everywhere = (1 - follows + follows * lost) / pages;
    double change = 0;
    for (std::size_t row = 0; row < rows.count; ++row) {
      const double now = everywhere + follows * received_.local()[row];
      change += std::abs(now - ranks[row]);
      ranks[row] = now;
    }
    return world().allreduce(change);
  }

  [[nodiscard]] const dense_vector<double>& ranks() const noexcept { return ranks_; }

  [[nodiscard]] double sum() const {
    double all = 0;
    for (const double each : ranks_.local()) all += each;
    return world().allreduce(all);
  }

 private:
  const two_way_graph& graph_;
  dense_vector<double> ranks_;
  dense_vector<double> sent_;
  dense_vector<double> received_;
};

}  // namespace

void rank_pages(const rank_request& wanted) {
  const two_way_graph graph(graph_of(world(), wanted), wanted.entries());
  walk pages(graph);
  double first_change = 0;
  double change = 0;
  const double seconds = seconds_of([&] {
    for (unsigned i = 0; i < wanted.iterations; ++i) {
      change = pages.step();
      if (i == 0) first_change = change;
    }
  });
  // Each step reduces the change at least by the factor 0.85.
  const double bound = first_change * std::pow(follows, wanted.iterations - 1.0) + 1e-12;
  if (std::abs(pages.sum() - 1) > 1e-9 || change > bound) {
    throw error(
        "acre-graph",
        fmt::format(
            "the result is wrong: the sum of the page ranks is {}, and their last change is {}",
            pages.sum(), change));
  }
  store_vector(wanted.output, pages.ranks());
  if (rank() == 0) {
    fmt::print(
        "{{\"program\": \"pagerank\", \"ranks\": {}, {}, \"entries\": {}, \"conduit\": "
        "\"{}\", \"verified\": true, \"iterations\": {}, \"change\": {:.3e}, \"seconds\": {:.5f}, "
        "\"ms_an_iteration\": {:.4f}}}\n",
        size(), name_of(wanted), graph.out().entries(), conduit_name(), wanted.iterations, change,
        seconds, seconds * 1e3 / wanted.iterations);
  }
  world().barrier();
}

}  // namespace acre::graph
