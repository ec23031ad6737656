// SPDX-License-Identifier: BSD-3-Clause
#include <acre/matrix_files/binsparse/binsparse_file_test.hpp>
#include <acre/matrix_files/binsparse/block_binsparse.hpp>
#include <acre/matrix_files/block_files_test.hpp>
#include <acre/matrix_files/files_test.hpp>

#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <hdf5.h>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace acre;
using namespace acre::binsparse_test;
using namespace acre::testing_blocks;
using namespace acre::files_test;

TEST(BlockBinsparse, IsReadAsItWasWritten) {
  const folder here;
  with_matrices<double, std::complex<float>>(
      all_symmetries, [&]<class T>(const block_matrix<T>& stored) {
        store_binsparse(here / "a", stored, "/h");
        const auto load = [&](const std::optional<block_distribution>& lies,
                              const std::optional<block_symmetry>& wanted) {
          return load_binsparse_blocks<T>(world(), here / "a", lies, wanted, "h");
        };
        expect_same(load({}, {}), stored);
        expect_same(load(stored.distribution(), block_symmetry::none), unfolded(stored));
        EXPECT_EQ(load_binsparse<T>(world(), here / "a", {}, "h").rows(), stored.rows().elements());
      });
  const auto none = matrix_for_file<float>(3, block_symmetry::none, 0.0);
  store_binsparse(here / "a", none);
  expect_same(load_binsparse_blocks<float>(world(), here / "a"), none);
  EXPECT_EQ(here.files(), 1U);
}

const dataset rows_of_entries{"indices_0", H5T_STD_I32LE, {0, 1, 2, 3, 3}};
const dataset columns_of_entries{"indices_1", H5T_STD_I32LE, {0, 0, 1, 1, 3}};
const dataset values_of_entries{"values", H5T_IEEE_F32LE, {1, 2, 3, 4, 5}};

TEST(BlockBinsparse, FilesOfOthersAreReadWithBlocksThatAreWanted) {
  const folder here;
  const std::string path = here / "others";
  const std::string more = R"(,"structure":"symmetric_lower")";
  write_binsparse(path, described("COO", "[4,4]", "float32", more),
                  {rows_of_entries, columns_of_entries, values_of_entries});
  const block_distribution halves({3, 1}, {3, 1}, size());
  const auto read = load_binsparse_blocks<double>(world(), path, halves);
  EXPECT_EQ(read.symmetry(), block_symmetry::symmetric);
  EXPECT_EQ(read.get_block(0, 0), (std::vector<double>{1, 2, 0, 2, 0, 3, 0, 3, 0}));
  EXPECT_EQ(read.get_block(1, 0), (std::vector<double>{0, 4, 0}));
  const auto whole = load_binsparse_blocks<float>(world(), path, halves, block_symmetry::none);
  EXPECT_EQ(whole.get_block(0, 1), (std::vector<float>{0, 4, 0}));
  const auto said = [&](const std::optional<block_distribution>& lies, block_symmetry wanted) {
    return error_of(
        [&] { static_cast<void>(load_binsparse_blocks<double>(world(), path, lies, wanted)); });
  };
  expect_same_error(said({}, block_symmetry::none), "does not define its blocks", path);
  expect_same_error(said(halves, block_symmetry::antisymmetric), "not have the requested symmetry",
                    path);
  expect_same_error(said(block_distribution({3, 2}, {3, 1}, size()), block_symmetry::none),
                    "has 4 rows and 4 columns, but the distribution has 5 and 4", path);
}

TEST(BlockBinsparse, NamesWhatIsWrongWithBlocks) {
  const folder here;
  const std::string path = here / "bad";
  std::string text = described("COO", "[4,4]", "float32");
  text.pop_back();
  text += R"(,"acre":{"row_blocks":"cut","column_blocks":"cut"}})";
  const auto expect = [&](const std::vector<double>& cut, const std::string& part) {
    write_binsparse(
        path, text,
        {rows_of_entries, columns_of_entries, values_of_entries, {"cut", H5T_STD_U32LE, cut}});
    expect_same_error(
        error_of([&] { static_cast<void>(load_binsparse_blocks<double>(world(), path)); }), part,
        path);
  };
  expect({2, 1}, "cut has blocks of 3 elements, but the matrix has 4");
  expect({4, 0}, "cut: ");
  write_binsparse(path, text, {rows_of_entries, columns_of_entries, values_of_entries});
  expect_same_error(
      error_of([&] { static_cast<void>(load_binsparse_blocks<double>(world(), path)); }),
      "/cut is not a dataset", path);
}

TEST(BlockBinsparse, IsNotStoredWhereTheDiagonalHasAnotherSymmetry) {
  const folder here;
  auto a = matrix_for_file<double>(5, block_symmetry::symmetric);
  if (rank() == 0) a.put_block(3, 3, std::vector<double>{1, 2, 3, 4});
  a.finalise();
  EXPECT_THROW(store_binsparse(here / "a", a), error);
  barrier();
  EXPECT_EQ(here.files(), 0U);
}

}  // namespace
