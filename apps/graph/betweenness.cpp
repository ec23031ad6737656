// SPDX-License-Identifier: BSD-3-Clause
#include <apps/graph/betweenness.hpp>

#include <acre/global/team/team.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace acre::graph {

betweenness::betweenness(const csr_graph& graph)
    : graph_(graph),
      rows_(graph.local()),
      out_(graph.members()),
      distances_(rows_.count),
      paths_(rows_.count),
      fractions_(rows_.count),
      sums_(graph.members(), graph.cut(), 0.0) {}

void betweenness::add_source(std::uint64_t source) {
  source_ = source;
  std::ranges::fill(distances_, unreached);
  std::ranges::fill(fractions_, 0.0);
  std::vector<level> levels(1);
  if (source - rows_.first < rows_.count) {
    levels[0].rows.push_back(source - rows_.first);
    distances_[source - rows_.first] = 0;
    paths_[source - rows_.first] = 1;
  }
  for (bool more = true; more;) {
    levels.push_back(next_level(levels.back(), static_cast<std::uint32_t>(levels.size())));
    more = graph_.members().allreduce(!levels.back().rows.empty(), op::logical_or);
  }
  for (; levels.size() > 1; levels.pop_back()) go_back(levels.back());
  for (std::size_t row = 0; row < rows_.count; ++row) {
    if (rows_.first + row != source) sums_.local()[row] += fractions_[row];
  }
}

void betweenness::send(const contribution& each) {
  if (each.to - rows_.first < rows_.count) {
    arrived_.push_back(each);
  } else {
    out_.push(graph_.cut().owner(each.to), each);
  }
}

template <class F>
void betweenness::receive(const F& f) {
  out_.finish([this](const contribution& each) { arrived_.push_back(each); });
  std::ranges::sort(arrived_, std::less<>());
  for (std::size_t begin = 0; begin < arrived_.size();) {
    const column_t to = arrived_[begin].to;
    double sum = 0;
    std::size_t end = begin;
    for (; end < arrived_.size() && arrived_[end].to == to; ++end) sum += arrived_[end].value;
    f(to - rows_.first, sum);
    begin = end;
  }
}

betweenness::level betweenness::next_level(const level& from, std::uint32_t distance) {
  arrived_.clear();
  for (const std::size_t row : from.rows) {
    const auto vertex = static_cast<column_t>(rows_.first + row);
    for (const column_t to : rows_.columns_of(row)) {
      const bool is_old =
          to - rows_.first < rows_.count && distances_[to - rows_.first] != unreached;
      if (!is_old) send({to, vertex, paths_[row]});
    }
  }
  level found;
  receive([&](std::size_t row, double sum) {
    if (distances_[row] != unreached) return;
    distances_[row] = distance;
    paths_[row] = sum;
    found.rows.push_back(row);
  });
  for (const contribution& each : arrived_) {
    if (distances_[each.to - rows_.first] == distance) found.edges.push_back({each.to, each.from});
  }
  return found;
}

void betweenness::go_back(const level& from) {
  arrived_.clear();
  for (const auto& [to, before] : from.edges) {
    const std::size_t row = to - rows_.first;
    send({before, to, (1 + fractions_[row]) / paths_[row]});
  }
  receive([&](std::size_t row, double sum) { fractions_[row] = paths_[row] * sum; });
}

std::string betweenness::problem_of_last() const {
  struct sums {
    double fractions;
    double inner;
  };
  sums all{0, 0};
  for (std::size_t row = 0; row < rows_.count; ++row) {
    if (distances_[row] == unreached || distances_[row] == 0) continue;
    all.fractions += fractions_[row];
    all.inner += distances_[row] - 1.0;
  }
  all = graph_.members().allreduce(all, [](const sums& a, const sums& b) {
    return sums{a.fractions + b.fractions, a.inner + b.inner};
  });
  if (std::abs(all.fractions - all.inner) <= 1e-9 * std::max(all.inner, 1.0)) return {};
  return fmt::format("the fractions from vertex {} sum to {}, and not to {}", source_,
                     all.fractions, all.inner);
}

}  // namespace acre::graph
