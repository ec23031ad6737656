// SPDX-License-Identifier: BSD-3-Clause
// Sparse matrix-vector product for a star stencil with bit-reversed numbering; each rank owns rows
// and copies the whole vector.
#include <acre/algorithm/copy.hpp>
#include <acre/array/array.hpp>

#include <apps/prk/kernels.hpp>
#include <apps/prk/outcome.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace acre::prk {
namespace {

std::uint64_t reversed(std::uint64_t number, unsigned bits) {
  std::uint64_t result = 0;
  for (unsigned i = 0; i < bits; ++i) result |= (number >> i & 1) << (bits - 1 - i);
  return result;
}

/// Columns of the rows from `first`, sorted per row; the grid is periodic.
std::vector<std::uint64_t> columns_of(std::uint64_t first, std::size_t rows,
                                      const sparse_request& wanted) {
  const std::uint64_t side = std::uint64_t{1} << wanted.log2_size;
  std::vector<std::uint64_t> columns;
  columns.reserve(rows * (4 * wanted.radius + 1));
  const auto add = [&](std::uint64_t i, std::uint64_t j) {
    columns.push_back(reversed(i % side + j % side * side, 2 * wanted.log2_size));
  };
  for (std::uint64_t row = first; row < first + rows; ++row) {
    const std::uint64_t i = row % side;
    const std::uint64_t j = row / side;
    const auto begin = static_cast<std::ptrdiff_t>(columns.size());
    add(i, j);
    for (std::uint64_t r = 1; r <= wanted.radius; ++r) {
      add(i + r, j);
      add(i + side - r, j);
      add(i, j + r);
      add(i, j + side - r);
    }
    std::sort(columns.begin() + begin, columns.end());
  }
  return columns;
}

}  // namespace

void sparse(const sparse_request& wanted) {
  const std::uint64_t side = std::uint64_t{1} << wanted.log2_size;
  const std::uint64_t order = side * side;
  require_for_each_rank("rows", order);
  const std::size_t points = 4 * wanted.radius + 1;
  array<double> vector(world(), order);
  const std::span<double> own = vector.local();
  const std::uint64_t first = vector.pattern().index_of({.member = rank(), .offset = 0});
  const std::vector<std::uint64_t> columns = columns_of(first, own.size(), wanted);
  std::vector<double> matrix(columns.size());
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    matrix[i] = 1 / static_cast<double>(columns[i] + 1);
  }
  std::vector<double> whole(order);
  std::vector<double> result(own.size());

  const double seconds = seconds_of_one(wanted.iterations, [&] {
    for (std::size_t i = 0; i < own.size(); ++i) own[i] += static_cast<double>(first + i + 1);
    barrier();
    copy(vector, whole);
    barrier();  // all have copied before the update
    for (std::size_t row = 0; row < result.size(); ++row) {
      double sum = 0;
      for (std::size_t i = row * points; i < (row + 1) * points; ++i) {
        sum += matrix[i] * whole[columns[i]];
      }
      result[row] += sum;
    }
  });

  double sum = 0;
  for (const double each : result) sum += each;
  const double elements = static_cast<double>(order) * static_cast<double>(points);
  require_sum("the sum", world().allreduce(sum),
              elements * (wanted.iterations + 1.0) * (wanted.iterations + 2.0) / 2);
  print_rate("MFlops/s", 2e-6 * elements, seconds);
}

}  // namespace acre::prk
