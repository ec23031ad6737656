// SPDX-License-Identifier: BSD-3-Clause
#include <acre/matrix_files/block_files_test.hpp>
#include <acre/matrix_files/files_test.hpp>
#include <acre/matrix_files/matrix_market/block_matrix_market.hpp>
#include <acre/matrix_files/matrix_market/wrong_texts_test.hpp>

#include <gtest/gtest.h>

#include <complex>
#include <string>
#include <vector>

namespace {

using namespace acre;
using namespace acre::testing_blocks;
using namespace acre::files_test;

TEST(BlockMatrixMarket, IsReadAsItWasWritten) {
  const folder here;
  with_matrices<double, std::complex<float>>(all_symmetries, [&]<class T>(
                                                                 const block_matrix<T>& stored) {
    store_matrix_market(here / "a.mtx", stored);
    const block_distribution other(stored.rows(), stored.columns(), size());
    expect_same(load_matrix_market<T>(world(), here / "a.mtx", other, stored.symmetry()), stored);
    expect_same(load_matrix_market<T>(world(), here / "a.mtx", other), unfolded(stored));
  });
  EXPECT_EQ(here.files(), 1U);
}

TEST(BlockMatrixMarket, IsReadAsItWasWrittenOfOtherNumbers) {
  const folder here;
  for (const double occupancy : {0.0, 1.0}) {
    const auto single = matrix_for_file<float>(3, block_symmetry::none, occupancy);
    store_matrix_market(here / "a", single);
    expect_same(load_matrix_market<float>(world(), here / "a", single.distribution()), single);
    const auto wide = matrix_for_file<std::complex<double>>(4, block_symmetry::none, occupancy);
    store_matrix_market(here / "b", wide);
    expect_same(load_matrix_market<std::complex<double>>(world(), here / "b", wide.distribution()),
                wide);
  }
}

const block_sizes two_and_one({2, 1});

template <class T>
block_matrix<T> load(const std::string& path, block_symmetry symmetry = block_symmetry::none) {
  return load_matrix_market<T>(world(), path, {two_and_one, two_and_one, size()}, symmetry);
}

TEST(BlockMatrixMarket, TakesWhatTheFormatAllows) {
  const folder here;
  write_file(here / "a",
             "%%matrixmarket MATRIX Coordinate Real Symmetric\r\n% words\n%\n\n 3 3 3 \r\n"
             "1 1 +1.5\r\n\n3\t1  -2e-1 \n3 2 7");
  const auto a = load<double>(here / "a");
  EXPECT_EQ(a.get_block(0, 0), (std::vector<double>{1.5, 0, 0, 0}));
  EXPECT_EQ(a.get_block(0, 1), (std::vector<double>{-0.2, 7}));
  EXPECT_EQ(a.get_block(1, 0), (std::vector<double>{-0.2, 7}));
  EXPECT_EQ(a.get_block(1, 1), std::nullopt);
  expect_same(load<double>(here / "a", block_symmetry::hermitian),
              load<double>(here / "a", block_symmetry::hermitian));
  write_file(here / "b", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n3 2\n");
  EXPECT_EQ(load<float>(here / "b").get_block(1, 0), (std::vector<float>{0, 1}));
  write_file(here / "c", "%%MatrixMarket matrix coordinate complex hermitian\n3 3 1\n3 2 1 2\n");
  using number = std::complex<double>;
  EXPECT_EQ(load<number>(here / "c", block_symmetry::hermitian).get_block(0, 1),
            (std::vector<number>{0, {1, -2}}));
  write_file(here / "d", "%%MatrixMarket matrix array real symmetric\n3 3\n0\n0\n5\n0\n6\n7\n");
  const auto d = load<double>(here / "d", block_symmetry::symmetric);
  EXPECT_EQ(d.get_block(0, 0), std::nullopt) << "an array's zeros make no block";
  EXPECT_EQ(d.get_block(0, 1), (std::vector<double>{5, 6}));
  EXPECT_EQ(d.get_block(1, 1), (std::vector<double>{7}));
  write_file(here / "e", "%%MatrixMarket matrix coordinate real symmetric\n3 3 1\n1 3 5\n");
  EXPECT_EQ(load<double>(here / "e", block_symmetry::symmetric).get_block(0, 1),
            (std::vector<double>{5, 0}))
      << "an entry above the diagonal";
  barrier();
}

template <class T = double>
void expect_refused(const folder& here, const std::string& content, const std::string& part,
                    block_symmetry symmetry = block_symmetry::none) {
  expect_file_refused(here, content, part,
                      [&](const std::string& path) { return load<T>(path, symmetry); });
}

TEST(BlockMatrixMarket, NamesTheLineThatIsWrong) {
  const folder here;
  for (const auto& [content, part] : wrong_texts("real")) expect_refused(here, content, part);
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  expect_refused(here, head + "3 4 0\n",
                 "line 2: the file has 3 rows and 4 columns, but the distribution has 3");
  expect_refused(here, head + "2 3 0\n", "line 2: the file has 2 rows");
  expect_refused(here, head + "3 3 1\n0 1 5\n", "line 3: row 0, column 1 is out of range");
  expect_refused(here, head + "3 3 1\n1 1 none\n", "line 3: 'none' is not a number");
  expect_refused(here, head + "3 3 1\n1 1 1e999\n", "line 3: '1e999' is out of range");
  expect_refused<float>(here, head + "3 3 1\n1 1 1e99\n", "line 3: '1e99' is out of range");
}

TEST(BlockMatrixMarket, NamesTwoEntriesOfOnePlace) {
  const folder here;
  expect_refused(here,
                 "%%MatrixMarket matrix coordinate real general\n3 3 3\n2 3 1\n1 1 1\n2 3 1\n",
                 "row 2 has two entries in column 3");
}

TEST(BlockMatrixMarket, NamesWhatBreaksTheSymmetry) {
  const folder here;
  const std::string banner = "%%MatrixMarket matrix coordinate ";
  const auto symmetric = block_symmetry::symmetric;
  expect_refused(here, banner + "real general\n3 3 0\n",
                 "line 2: the file does not have the requested symm", symmetric);
  expect_refused(here, banner + "real symmetric\n3 3 2\n1 2 5\n2 1 5\n",
                 "has two entries in column", symmetric);
  expect_refused(here, banner + "real skew-symmetric\n3 3 1\n2 2 5\n", "line 3: a diagonal entry",
                 block_symmetry::antisymmetric);
  expect_refused(here, banner + "real hermitian\n3 3 0\n", "line 1: the symmetry");
  using number = std::complex<double>;
  expect_refused<number>(here, banner + "complex hermitian\n3 3 1\n2 2 5 1\n",
                         "line 3: a diagonal entry of a hermitian");
  expect_refused<number>(here, banner + "complex symmetric\n3 3 0\n", "line 2: the file does not",
                         block_symmetry::hermitian);
  expect_refused<number>(here, banner + "complex general\n3 3 1\n2 2 5\n", "line 3: the line ends");
}

template <class T>
void expect_not_stored(const folder& here, const block_matrix<T>& a) {
  write_file(here / "kept", "before");
  EXPECT_THROW(store_matrix_market(here / "kept", a), error);
  barrier();
  EXPECT_EQ(read_file(here / "kept"), "before");
  EXPECT_EQ(here.files(), 1U);
}

TEST(BlockMatrixMarket, LeavesTheFileAsItWasWhereItCannotBeWritten) {
  const folder here;
  auto b = matrix_for_file<double>(5, block_symmetry::symmetric);
  if (rank() == 0) b.put_block(3, 3, std::vector<double>{1, 2, 3, 4});
  b.finalise();
  expect_not_stored(here, b);
}

TEST(BlockMatrixMarket, IsNotStoredOnADiskThatIsFull) {
  const folder here;
  const auto a = matrix_for_file<double>(6, block_symmetry::none, 1);
  const files_test::full_disk full(600);
  expect_not_stored(here, a);
}

}  // namespace
