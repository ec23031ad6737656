// SPDX-License-Identifier: BSD-3-Clause
// Block matrices for tests of files.
#pragma once

#include <acre/block/block_algebra.hpp>
#include <acre/block/block_model_test.hpp>
#include <acre/block/block_values.hpp>
#include <acre/block/detail/copy_blocks.hpp>
#include <acre/global/team/team.hpp>

#include <gtest/gtest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

namespace acre::testing_blocks {

inline const block_sizes file_rows({3, 1, 4, 2, 5, 1, 3});
inline const block_sizes file_columns({2, 2, 6, 1, 3});

inline constexpr std::initializer_list<block_symmetry> all_symmetries = {
    block_symmetry::none, block_symmetry::symmetric, block_symmetry::antisymmetric,
    block_symmetry::hermitian};

template <class T>
[[nodiscard]] block_matrix<T> matrix_for_file(std::uint64_t seed, block_symmetry symmetry,
                                              double occupancy = 0.4) {
  std::mt19937_64 random(seed);
  const block_sizes& columns = symmetry == block_symmetry::none ? file_columns : file_rows;
  block_matrix<T> a(world(), random_distribution(random, file_rows, columns, size()), symmetry);
  static_cast<void>(fill(a, occupancy, seed));
  return a;
}

template <class... T, class Check>
void with_matrices(std::initializer_list<block_symmetry> symmetries, Check&& check) {
  std::uint64_t seed = 11;
  for (const auto symmetry : symmetries) {
    ++seed;
    (check(matrix_for_file<T>(seed, symmetry)), ...);
  }
}

/// Compares bitwise, across distributions.
template <class T>
void expect_same(const block_matrix<T>& read, const block_matrix<T>& stored,
                 const std::string& what = "") {
  const block_matrix<T> here = redistribute(read, stored.distribution());
  ASSERT_EQ(here.symmetry(), stored.symmetry()) << what;
  std::vector<std::size_t> found;
  std::vector<std::size_t> expected;
  const auto list = [](const block_matrix<T>& from, std::vector<std::size_t>& blocks,
                       std::vector<T>& elements) {
    from.each_local_block([&](std::size_t i, std::size_t j, const box_span<const T, 2>& block) {
      blocks.insert(blocks.end(), {i, j});
      elements.insert(elements.end(), block.data(), block.data() + block.size());
    });
  };
  std::vector<T> found_elements;
  std::vector<T> expected_elements;
  list(here, found, found_elements);
  list(stored, expected, expected_elements);
  EXPECT_EQ(found, expected) << what;
  EXPECT_EQ(found_elements, expected_elements) << what;
}

template <class T>
[[nodiscard]] block_matrix<T> unfolded(const block_matrix<T>& a) {
  block_matrix<T> all(a.members(), a.distribution());
  block_matrices::copy_blocks(a, block_transposition::none, all, site::current());
  return all;
}

}  // namespace acre::testing_blocks
