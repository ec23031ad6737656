// SPDX-License-Identifier: BSD-3-Clause
// Values of neighbours: copies of a vector's elements at the columns of own rows. In a node all
// elements are copied, otherwise each needed one once.
#pragma once

#include <acre/csr/csr_matrix.hpp>
#include <acre/csr/dense_vector.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/team/team.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace acre::graph {

template <class T>
class neighbour_values {
 public:
  /// Collective. Cost: 2 B; across nodes sorts own columns, and 2 M per about 1000 elements of an
  /// owner.
  neighbour_values(const csr_graph& graph, const dense_vector<T>& values) : rows_(graph.local()) {
    graph.members().barrier();
    if (graph.is_near()) {
      copy_all(values);
    } else {
      needed_.assign(rows_.columns, rows_.columns + rows_.entries());
      std::ranges::sort(needed_);
      needed_.erase(std::unique(needed_.begin(), needed_.end()), needed_.end());
      values_ = values.gather(std::span<const column_t>(needed_));
    }
    graph.members().barrier();
  }

  /// Calls f(neighbour, value) for each neighbour of own row `row`, in ascending order.
  template <class F>
  void each(std::size_t row, const F& f) const {
    const bool has_all = needed_.empty();
    auto at = needed_.begin();
    for (const column_t neighbour : rows_.columns_of(row)) {
      if (has_all) {
        f(neighbour, values_[neighbour]);
      } else {
        at = std::lower_bound(at, needed_.end(), neighbour);
        f(neighbour, values_[static_cast<std::size_t>(at - needed_.begin())]);
      }
    }
  }

 private:
  void copy_all(const dense_vector<T>& values) {
    values_.resize(values.size());
    for (rank_t member = 0; member < values.cut().members(); ++member) {
      const std::size_t first = values.cut().first_of(member);
      const std::size_t count = values.cut().count_of(member);
      if (count != 0) get(values.pointer(first), std::span(values_).subspan(first, count));
    }
  }

  csr_rows<present> rows_;
  std::vector<column_t> needed_;  ///< ascending; empty if values_ has all
  std::vector<T> values_;
};

}  // namespace acre::graph
