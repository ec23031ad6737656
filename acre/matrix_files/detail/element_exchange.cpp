// SPDX-License-Identifier: BSD-3-Clause
#include <acre/matrix_files/detail/element_exchange.hpp>

#include <acre/base/error.hpp>
#include <acre/block/stage_together.hpp>

#include <algorithm>
#include <bit>
#include <complex>
#include <span>
#include <tuple>

namespace acre::matrix_files {

template <block_element T>
element_exchange<T>::element_exchange(const block_distribution& lies, block_symmetry symmetry)
    : lies_(lies), symmetry_(symmetry) {}

template <block_element T>
void element_exchange<T>::add(std::size_t row, std::size_t column, const T& value) {
  const std::size_t i = lies_.rows().block_of(row);
  const std::size_t j = lies_.columns().block_of(column);
  if (symmetry_ != block_symmetry::none && i > j) return;
  const std::size_t number = (column - lies_.columns().begin_of(j)) * lies_.rows().size_of(i) +
                             (row - lies_.rows().begin_of(i));
  elements_.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j),
                       static_cast<std::uint32_t>(number),
                       std::bit_cast<decltype(element::value)>(value)});
}

template <block_element T>
auto element_exchange<T>::exchange(const team& members, const site& where) -> std::vector<element> {
  std::ranges::sort(elements_, {},
                    [&](const element& each) { return lies_.owner(each.row, each.column); });
  std::vector<std::size_t> counts(members.size());
  for (const element& each : elements_) ++counts[lies_.owner(each.row, each.column)];
  auto mine = members
                  .alltoallv(std::span<const element>(elements_),
                             std::span<const std::size_t>(counts), where)
                  .values;
  elements_ = {};
  std::ranges::sort(
      mine, {}, [](const element& each) { return std::tuple(each.row, each.column, each.number); });
  return mine;
}

/// First duplicate; default `place` if unique.
template <block_element T>
auto element_exchange<T>::first_twin(const std::vector<element>& sorted) const -> place {
  const auto found = std::ranges::adjacent_find(sorted, [](const element& a, const element& b) {
    return a.row == b.row && a.column == b.column && a.number == b.number;
  });
  if (found == sorted.end()) return {};
  const std::uint32_t rows = lies_.rows().size_of(found->row);
  return {lies_.rows().begin_of(found->row) + found->number % rows,
          lies_.columns().begin_of(found->column) + found->number / rows};
}

template <block_element T>
void element_exchange<T>::put(const std::vector<element>& sorted, block_matrix<T>& to,
                              const site& where) const {
  std::vector<T> block;
  for (auto at = sorted.begin(); at != sorted.end();) {
    const element& first = *at;
    block.assign(
        std::size_t{lies_.rows().size_of(first.row)} * lies_.columns().size_of(first.column), T{});
    for (; at != sorted.end() && at->row == first.row && at->column == first.column; ++at) {
      block[at->number] = std::bit_cast<T>(at->value);
    }
    to.put_block(first.row, first.column, block, where);
  }
}

template <block_element T>
void element_exchange<T>::give_to(block_matrix<T>& to, const char* call, const std::string& what,
                                  const site& where) {
  const team& members = to.members();
  const std::vector<element> mine = exchange(members, where);
  const std::vector<place> twins = members.allgather(first_twin(mine), where);
  const place twin = *std::ranges::min_element(twins, {}, &place::row);
  if (twin.row != place{}.row) {
    throw error(call,
                what + ": row " + std::to_string(twin.row + 1) + " has two entries in column " +
                    std::to_string(twin.column + 1) + ", both counted from 1" +
                    describe_place(where),
                "remove the duplicate entry");
  }
  block_matrices::put_together(call, to, where, [&] { put(mine, to, where); });
}

template class element_exchange<float>;
template class element_exchange<double>;
template class element_exchange<std::complex<float>>;
template class element_exchange<std::complex<double>>;

}  // namespace acre::matrix_files
