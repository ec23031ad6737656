// SPDX-License-Identifier: BSD-3-Clause
// Sends matrix elements to their blocks' owners.
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
  element_exchange(const block_distribution& lies, block_symmetry symmetry);

  /// Adds an element; counts from 0. With a symmetry, ignores blocks below the diagonal.
  void add(std::size_t row, std::size_t column, const T& value);

  /// Fills an empty matrix, zero-padding blocks. Collective. Cost: 1 alltoallv, 1 allgather, 1
  /// allreduce, and block_matrix::finalise(); memory: twice the elements added and received.
  /// @param what  file name, for errors
  /// @throws acre::error on all members for duplicates
  void give_to(block_matrix<T>& to, const char* call, const std::string& what, const site& where);

 private:
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
