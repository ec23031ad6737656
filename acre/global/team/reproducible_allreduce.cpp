// SPDX-License-Identifier: BSD-3-Clause
// Members add all numbers of a part: a number is smaller than a sum of 552 bytes.
#include <acre/base/column_sums.hpp>
#include <acre/base/error.hpp>
#include <acre/base/reproducible_sum.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/reduction.hpp>
#include <acre/global/team/team.hpp>
#include <acre/layout/cut.hpp>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace acre {

namespace {

void require_equal_sizes(const std::vector<std::size_t>& sizes, rank_t here, const site& where) {
  const auto other = std::ranges::find_if(sizes, [&](std::size_t n) { return n != sizes[here]; });
  if (other == sizes.end()) return;
  throw error("allreduce",
              "member " + std::to_string(other - sizes.begin()) + " passes " +
                  std::to_string(*other) + " elements, this one " + std::to_string(sizes[here]) +
                  describe_place(where),
              "pass equally many elements on all members");
}

}  // namespace

template <reproducible_addend T>
void team::allreduce(std::span<T> values, op::reproducible_addition, const site& where) const {
  constexpr std::size_t most_gathered = 512;
  const std::span<const T> own = values;
  require_equal_sizes(allgather(values.size(), where), rank(), where);
  if (values.size() * size() <= most_gathered) {
    const std::vector<T> all = allgather(own, where);
    base::add_columns(std::span<const T>(all), values);
    return;
  }
  const layout::balanced_cut cut(values.size(), size());
  std::vector<std::size_t> counts;
  counts.reserve(size());
  for (rank_t i = 0; i < size(); ++i) {
    counts.push_back(cut.first(std::size_t{i} + 1) - cut.first(i));
  }
  const parts<T> of_part = alltoallv(own, std::span<const std::size_t>(counts), where);
  std::vector<T> sums(counts[rank()]);
  base::add_columns(std::span<const T>(of_part.values), std::span(sums));
  const auto all = allgatherv(std::span<const T>(sums), where);
  T* to = values.data();
  for (const std::vector<T>& part : all) to = std::ranges::copy(part, to).out;
}

template void team::allreduce(std::span<float>, op::reproducible_addition, const site&) const;
template void team::allreduce(std::span<double>, op::reproducible_addition, const site&) const;
template void team::allreduce(std::span<std::complex<float>>, op::reproducible_addition,
                              const site&) const;
template void team::allreduce(std::span<std::complex<double>>, op::reproducible_addition,
                              const site&) const;

}  // namespace acre
