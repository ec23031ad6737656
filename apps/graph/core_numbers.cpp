// SPDX-License-Identifier: BSD-3-Clause
#include <apps/graph/core_numbers.hpp>

#include <acre/container/distributor.hpp>
#include <acre/global/team/team.hpp>

#include <apps/graph/first_problem.hpp>
#include <apps/graph/neighbour_values.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <tuple>
#include <utility>

namespace acre::graph {
namespace {

constexpr std::uint32_t no_degree = std::numeric_limits<std::uint32_t>::max();

}  // namespace

core_numbers::core_numbers(const csr_graph& graph)
    : rows_(graph.local()), removals_(graph.members(), graph.cut()) {
  const team& members = graph.members();
  sort_by_degree();
  distributor<column_t> out(members);
  for (;; ++rounds_) {
    const std::uint32_t least = members.allreduce(least_degree(), op::min);
    if (least == no_degree) break;
    core_ = std::max(core_, least);
    remove_to(core_, [&](column_t neighbour) {
      const rank_t owner = graph.cut().owner(neighbour);
      out.push(owner, neighbour);
    });
    out.finish([&](column_t neighbour) { decrement(neighbour - rows_.first); });
  }
}

void core_numbers::sort_by_degree() {
  std::uint32_t most = 0;
  for (std::size_t row = 0; row < rows_.count; ++row) {
    degrees_.push_back(static_cast<std::uint32_t>(rows_.columns_of(row).size()));
    most = std::max(most, degrees_.back());
  }
  begins_.assign(most + std::size_t{2}, 0);
  for (const std::uint32_t degree : degrees_) ++begins_[degree + 1];
  for (std::size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
  std::vector<std::uint32_t> next = begins_;
  order_.resize(rows_.count);
  places_.resize(rows_.count);
  for (std::uint32_t row = 0; row < rows_.count; ++row) {
    places_[row] = next[degrees_[row]]++;
    order_[places_[row]] = row;
  }
}

std::uint32_t core_numbers::least_degree() const noexcept {
  return removed_ == order_.size() ? no_degree : degrees_[order_[removed_]];
}

template <class Send>
void core_numbers::remove_to(std::uint32_t core, const Send& send) {
  while (least_degree() <= core && removed_ != order_.size()) {
    const std::uint32_t row = order_[removed_];
    removals_.local()[row] = {core, rounds_, removed_};
    ++removed_;
    for (const column_t neighbour : rows_.columns_of(row)) {
      if (neighbour - rows_.first < rows_.count) {
        decrement(neighbour - rows_.first);
      } else {
        send(neighbour);
      }
    }
  }
}

/// Moves a row to the end of the rows with one neighbour less.
void core_numbers::decrement(std::size_t row) noexcept {
  const std::uint32_t degree = degrees_[row];
  if (degree <= core_) return;  // removed, or will be
  const std::uint32_t first = begins_[degree]++;
  const std::uint32_t place = places_[row];
  std::swap(order_[place], order_[first]);
  places_[order_[place]] = place;
  places_[row] = first;
  --degrees_[row];
}

std::string problem_of_cores(const csr_graph& graph, const dense_vector<removal>& removals) {
  const neighbour_values<removal> others(graph, removals);
  const auto place = [&](std::uint64_t vertex, const removal& each) {
    return std::tuple(each.core, each.round, graph.cut().owner(vertex), each.sequence);
  };
  std::string problem;
  for (std::size_t row = 0; row < removals.local().size() && problem.empty(); ++row) {
    const std::uint64_t vertex = removals.local_offset() + row;
    const removal& mine = removals.local()[row];
    std::uint64_t inside = 0;
    std::uint64_t later = 0;
    others.each(row, [&](column_t neighbour, const removal& each) {
      inside += each.core >= mine.core ? 1 : 0;
      later += place(neighbour, each) > place(vertex, mine) ? 1 : 0;
    });
    if (inside < mine.core || later > mine.core) {
      problem = fmt::format(
          "vertex {} of core number {} has {} neighbours in the core, {} of them removed later",
          vertex, mine.core, inside, later);
    }
  }
  return first_problem(graph.members(), problem);
}

}  // namespace acre::graph
