// SPDX-License-Identifier: BSD-3-Clause
// Elements of a block matrix that come one by one, as from a file, on their way to who has their
// blocks.
//
// They travel as elements, not as blocks: a member that reads one element of each of many blocks
// has no block of zeros for each. Their owners see where a place has two.
#pragma once

#include <acre/base/site.hpp>
#include <acre/block/block_matrix.hpp>

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace acre::matrix_files {

template <block_element T>
class element_exchange {
 public:
  /// For a matrix of this distribution and symmetry.
  element_exchange(const block_distribution& lies, block_symmetry symmetry);

  /// Numbers from 0. Of a matrix with a symmetry both halves may be added: those in blocks below
  /// the diagonal are left out.
  void add(std::size_t row, std::size_t column, const T& value);

  /// Makes blocks of them, with zeros in places without an element, in a matrix that has none.
  /// Collective. Cost: 1 alltoallv, and as block_matrix::finalise(); memory at each member twice
  /// its elements, and twice those that it gets.
  /// @param what  has the elements: the name of the file, for errors
  /// @throws acre::error on all members when two elements have one place
  void give_to(block_matrix<T>& to, const char* call, const std::string& what, const site& where);

 private:
  /// Which block, which of its elements by columns, and the bytes of a T.
  struct element {
    std::uint32_t row;
    std::uint32_t column;
    std::uint32_t number;
    std::array<std::uint32_t, sizeof(T) / sizeof(std::uint32_t)> value;
  };
  struct place {
    std::uint64_t row = ~std::uint64_t{0};
    std::uint64_t column = 0;
  };

  [[nodiscard]] std::vector<element> exchange(const team& members, const site& where);
  [[nodiscard]] place first_twin(const std::vector<element>& sorted) const;
  void put(const std::vector<element>& sorted, block_matrix<T>& to, const site& where) const;

  block_distribution lies_;
  block_symmetry symmetry_;
  std::vector<element> elements_;
};

extern template class element_exchange<float>;
extern template class element_exchange<double>;
extern template class element_exchange<std::complex<float>>;
extern template class element_exchange<std::complex<double>>;

}  // namespace acre::matrix_files
