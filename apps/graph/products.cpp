// SPDX-License-Identifier: BSD-3-Clause
// A A and A x of the graph's matrix, for comparison.
#include <acre/base/error.hpp>
#include <acre/csr/dense_vector.hpp>
#include <acre/csr/elementwise.hpp>
#include <acre/csr/spgemm.hpp>
#include <acre/csr/spmv.hpp>
#include <acre/launch/job.hpp>

#include <apps/graph/edge_lists.hpp>
#include <apps/graph/kernels.hpp>
#include <apps/graph/stopwatch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace acre::graph {
namespace {

csr_matrix<double> numbered(const csr_graph& graph) {
  return apply(graph, [](std::size_t i, std::size_t j, present) {
    return static_cast<double>((i * 3 + j * 5) % 8 + 1);
  });
}

double number_of(std::size_t i) { return static_cast<double>(i % 16 + 1); }

template <class T>
std::vector<double> times(const csr_matrix<T>& a, const dense_vector<double>& x) {
  dense_vector<double> y(world(), a.cut());
  if constexpr (csr_matrix<T>::has_values) {
    spmv<semirings::plus_times<double>>(a, x, y);
  } else {
    spmv<semirings::plus_second<double>>(a, x, y);
  }
  return {y.local().begin(), y.local().end()};
}

dense_vector<double> numbers(const row_cut& cut) {
  dense_vector<double> x(world(), cut);
  for (std::size_t i = 0; i < x.local().size(); ++i) x.local()[i] = number_of(x.local_offset() + i);
  world().barrier();
  return x;
}

/// (A A) x = A (A x), exact below 2^53.
template <class T, class C>
void verify_square(const csr_matrix<T>& a, const csr_matrix<C>& c) {
  const auto x = numbers(a.cut());
  dense_vector<double> ax(world(), a.cut());
  std::ranges::copy(times(a, x), ax.local().begin());
  const bool is_right = times(c, x) == times(a, ax);
  if (!world().allreduce(is_right, op::logical_and)) {
    throw error("acre-graph", "the product of the matrix with itself is wrong");
  }
}

template <class S, class T>
double time_square(const csr_matrix<T>& a, unsigned times_wanted,
                   csr_matrix<typename S::value_type>& c) {
  return least_seconds_of(times_wanted, [&] { c = {}; }, [&] { c = spgemm<S>(a, a); });
}

}  // namespace

void square(const times_request& wanted) {
  const csr_graph graph = graph_of(world(), wanted);
  double times_s = 0;
  double pair_s = 0;
  std::size_t entries = 0;
  {
    const csr_matrix<double> a = numbered(graph);
    csr_matrix<double> c;
    times_s = time_square<semirings::plus_times<double>>(a, wanted.times, c);
    verify_square(a, c);
    entries = c.entries();
  }
  csr_matrix<std::int64_t> c;
  pair_s = time_square<semirings::plus_pair<std::int64_t>>(graph, wanted.times, c);
  verify_square(graph, c);
  std::uint64_t products = 0;
  const csr_rows<present> rows = graph.local();  // the rows are also the columns
  for (std::size_t row = 0; row < rows.count; ++row) {
    products += rows.columns_of(row).size() * rows.columns_of(row).size();
  }
  products = world().allreduce(products);
  if (rank() == 0) {
    fmt::print(
        "{{\"program\": \"square\", \"ranks\": {}, {}, \"conduit\": \"{}\", "
        "\"verified\": true, \"entries\": {}, \"products\": {}, \"entries_of_product\": {}, "
        "\"plus_times_s\": {:.4f}, \"plus_pair_s\": {:.4f}}}\n",
        size(), name_of(wanted), conduit_name(), graph.entries(), products, entries, times_s,
        pair_s);
  }
  world().barrier();
}

void multiply_vector(const times_request& wanted) {
  const csr_matrix<double> a = numbered(graph_of(world(), wanted));
  const auto x = numbers(a.cut());
  dense_vector<double> y(world(), a.cut());
  const double least =
      least_seconds_of(wanted.times, [] {}, [&] { spmv<semirings::plus_times<double>>(a, x, y); });
  bool is_right = true;
  for (std::size_t row = 0; row < a.local_rows(); ++row) {
    double sum = 0;
    for (std::size_t i = 0; i < a.local_columns(row).size(); ++i) {
      sum += a.local_values(row)[i] * number_of(a.local_columns(row)[i]);
    }
    is_right = is_right && sum == y.local()[row];
  }
  if (!world().allreduce(is_right, op::logical_and)) {
    throw error("acre-graph", "the product with a vector is wrong");
  }
  if (rank() == 0) {
    fmt::print(
        "{{\"program\": \"product\", \"ranks\": {}, {}, \"conduit\": \"{}\", "
        "\"verified\": true, \"entries\": {}, \"product_ms\": {:.4f}}}\n",
        size(), name_of(wanted), conduit_name(), a.entries(), least * 1e3);
  }
  world().barrier();
}

void store(const store_request& wanted) {
  store_edges(world(), edges_of(world(), wanted.list()), wanted.path);
}

}  // namespace acre::graph
