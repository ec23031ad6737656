// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/error.hpp>
#include <acre/csr/dense_vector.hpp>
#include <acre/matrix_files/files_test.hpp>

#include <apps/graph/edge_lists.hpp>
#include <apps/graph/results.hpp>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace {

using acre::graph::store_vector;
using acre::graph::whole_words;

TEST(Results, AreLinesOfVerticesInOrder) {
  const acre::files_test::folder here;
  const acre::row_cut cut = whole_words(200, acre::size());
  acre::dense_vector<std::uint32_t> values(acre::world(), cut, ~0U);
  if (values.cut().owner(1) == acre::rank()) values.local()[1] = 7;
  store_vector(here / "values", values);
  std::string expected;
  for (int i = 0; i < 200; ++i) expected += std::to_string(i) + (i == 1 ? " 7\n" : " -1\n");
  EXPECT_EQ(acre::files_test::read_file(here / "values"), expected);
  acre::barrier();
  acre::dense_vector<double> reals(acre::world(), whole_words(2, acre::size()), 0.1);
  store_vector(here / "reals", reals);
  EXPECT_EQ(acre::files_test::read_file(here / "reals"), "0 0.1\n1 0.1\n");
  acre::barrier();
  EXPECT_THROW(store_vector(here / "no/folder", reals), acre::error);
  acre::barrier();
}

}  // namespace
