// SPDX-License-Identifier: BSD-3-Clause
#include <acre/matrix_files/block_files_test.hpp>
#include <acre/matrix_files/dbcsr/block_dbcsr_file.hpp>
#include <acre/matrix_files/files_test.hpp>

#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace acre;
using namespace acre::testing_blocks;
using namespace acre::files_test;

TEST(BlockDbcsrFile, IsReadAsItWasWritten) {
  const folder here;
  with_matrices<float, double, std::complex<float>, std::complex<double>>(
      {block_symmetry::none, block_symmetry::symmetric, block_symmetry::antisymmetric},
      [&]<class T>(const block_matrix<T>& stored) {
        store_dbcsr(here / "a", stored, "a name");
        expect_same(load_dbcsr<T>(world(), here / "a"), stored);
        expect_same(load_dbcsr<T>(world(), here / "a", stored.distribution()), stored);
      });
  EXPECT_EQ(here.files(), 1U);
}

TEST(BlockDbcsrFile, KeepsHermitianMatricesAndEmptyOnes) {
  const folder here;
  const auto hermitian = matrix_for_file<std::complex<double>>(5, block_symmetry::hermitian);
  store_dbcsr(here / "a", hermitian);
  expect_same(load_dbcsr<std::complex<double>>(world(), here / "a"), hermitian);
  const auto empty = matrix_for_file<double>(5, block_symmetry::none, 0);
  store_dbcsr(here / "b", empty);
  expect_same(load_dbcsr<double>(world(), here / "b"), empty);
}

// Files by bench/peers/dbcsr_multiply.F90, filled as by fill_at_random().
TEST(BlockDbcsrFile, ReadsWhatAnyNumberOfRanksOfDbcsrWrote) {
  const auto expect = [](const char* name, const block_sizes& sizes, double occupancy,
                         std::uint64_t seed) {
    block_matrix<double> made(world(), {sizes, sizes, size()});
    fill_at_random(made, occupancy, seed);
    const std::string path = std::string(ACRE_TEST_DATA) + "/blocks_" + name + ".dbcsr";
    expect_same(load_dbcsr<double>(world(), path), made, name);
  };
  expect("one_rank", {2, 3, 2, 3}, 0.6, 7);
  expect("two_ranks", {2, 3, 2, 3}, 0.6, 7);
  expect("four_ranks", {4, 1, 3, 4, 1, 3}, 0.5, 11);
}

TEST(BlockDbcsrFile, WritesTheBytesThatDbcsrWrote) {
  const folder here;
  const std::string path = std::string(ACRE_TEST_DATA) + "/blocks_one_rank.dbcsr";
  const team alone = world().split(static_cast<int>(rank()));
  const auto read = load_dbcsr<double>(alone, path);
  if (rank() == 0) store_dbcsr(here / "a", read, read_file(path).substr(10, 80));
  barrier();
  EXPECT_EQ(read_file(here / "a"), read_file(path));
}

struct hand_made {
  std::string begin = "DBCSRv_1.0" + std::string(80, ' ');
  char kind = 'N';
  std::vector<std::int32_t> head{1, 3, 2, 2};         // byte 91
  std::vector<std::int32_t> sizes{2, 1, 1, 2};        // byte 107
  std::vector<std::int32_t> counts{3, 7};             // byte 123
  std::vector<std::int32_t> begins{0, 2, 3};          // byte 131
  std::vector<std::int32_t> columns{1, 2, 1};         // byte 143
  std::vector<std::int32_t> firsts{6, 1, 5};          // byte 155
  std::vector<double> elements{1, 2, 3, 4, 5, 6, 7};  // byte 167, up to 223

  [[nodiscard]] std::string text() const {
    std::string all = begin + kind;
    for (const auto* each : {&head, &sizes, &counts, &begins, &columns, &firsts}) {
      all.append(reinterpret_cast<const char*>(each->data()), 4 * each->size());
    }
    return all.append(reinterpret_cast<const char*>(elements.data()), 8 * elements.size());
  }
};

using numbers = std::vector<double>;

TEST(BlockDbcsrFile, TakesBlocksInAnyOrderTurnedAndDeleted) {
  const folder here;
  hand_made file;
  write_file(here / "a", file.text() + "what was there before");
  auto a = load_dbcsr<double>(world(), here / "a");
  EXPECT_EQ(a.get_block(0, 0), (numbers{6, 7}));
  EXPECT_EQ(a.get_block(0, 1), (numbers{1, 2, 3, 4}));
  EXPECT_EQ(a.get_block(1, 0), (numbers{5}));
  EXPECT_EQ(a.get_block(1, 1), std::nullopt);
  barrier();
  file.firsts = {0, -1, 7};
  write_file(here / "a", file.text());
  a = load_dbcsr<double>(world(), here / "a");
  EXPECT_EQ(a.get_block(0, 0), std::nullopt);
  EXPECT_EQ(a.get_block(0, 1), (numbers{1, 3, 2, 4}));
  EXPECT_EQ(a.get_block(1, 0), (numbers{7}));
  barrier();
}

TEST(BlockDbcsrFile, GivesNumbersOfFewerBytesTheTypeThatIsWanted) {
  const folder here;
  const auto small = matrix_for_file<float>(9, block_symmetry::none);
  store_dbcsr(here / "a", small);
  const auto wide = load_dbcsr<std::complex<double>>(world(), here / "a", small.distribution());
  std::vector<std::complex<double>> read;
  wide.each_local_block([&](std::size_t, std::size_t, const auto& block) {
    read.insert(read.end(), block.data(), block.data() + block.size());
  });
  std::size_t i = 0;
  small.each_local_block([&](std::size_t, std::size_t, const auto& block) {
    for (std::size_t e = 0; e < block.size(); ++e) EXPECT_EQ(read.at(i++), double(block.data()[e]));
  });
  EXPECT_EQ(read.size(), i);
}

template <class T = double>
void expect_refused(const folder& here, const std::string& content, const std::string& part) {
  expect_file_refused(here, content, part,
                      [](const std::string& path) { return load_dbcsr<T>(world(), path); });
}

template <class F>
[[nodiscard]] std::string changed(F&& f) {
  hand_made file;
  f(file);
  return file.text();
}

constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();

TEST(BlockDbcsrFile, NamesTheByteOfAHeadThatIsWrong) {
  const folder here;
  using file = hand_made&;
  expect_refused(here, "", "byte 0: the file ends within its header");
  expect_refused(here, "DBCSRv_1.0", "byte 10: the file ends within its header");
  expect_refused(here, changed([](file f) { f.begin[7] = '2'; }),
                 "byte 0: the file does not begin");
  expect_refused(here, changed([](file f) { f.kind = 'X'; }),
                 "byte 90: the letter of the matrix kind is unknown");
  expect_refused(here, changed([](file f) { f.kind = 'S'; }), "byte 90: a matrix with a symmetry");
  for (const std::int32_t chunks : {0, -1}) {
    expect_refused(here, changed([&](file f) { f.head[0] = chunks; }), "byte 91: the number of ch");
  }
  expect_refused(here, changed([](file f) { f.head[0] = most; }), "byte 223: the file ends within");
  expect_refused(here, changed([](file f) { f.head[1] = 2; }), "byte 95: element type 2");
  expect_refused(here, changed([](file f) { f.head[1] = 3 << 24; }),
                 "byte 95: the file's integers");
  expect_refused<float>(here, changed([](file) {}),
                        "byte 95: elements are real numbers of 8 bytes");
  expect_refused(here, changed([](file f) { f.head[1] = 5; }), "byte 95: elements are complex");
  expect_refused(here, changed([](file f) { f.head[2] = -1; }), "byte 99: the number of rows");
  expect_refused(here, changed([](file f) { f.head[2] = most; }), "byte 223: the file ends within");
  expect_refused(here, changed([](file f) { f.head[3] = -7; }), "byte 103: the number of columns");
  expect_refused(here, changed([](file f) { f.head[3] = most; }), "byte 223: the file ends within");
  expect_refused(here, changed([](file f) { f.sizes[1] = 0; }), "byte 111: the size of a block");
  expect_refused(here, changed([](file f) { f.sizes[3] = -2; }), "byte 119: the size of a block");
  expect_refused(here, changed([](file f) { f.counts[0] = -1; }), "byte 123: the number of blocks");
  expect_refused(here, changed([](file f) { f.counts[0] = most; }), "byte 123: chunk 0 has its");
  expect_refused(here, changed([](file f) { f.counts[1] = -1; }), "byte 127: the number of elem");
  expect_refused(here, changed([](file f) { f.counts[1] = 8; }), "byte 127: chunk 0 has its");
}

TEST(BlockDbcsrFile, NamesTheByteOfAnIndexThatIsWrong) {
  const folder here;
  using file = hand_made&;
  expect_refused(here, changed([](file f) { f.begins[0] = 1; }), "byte 131: row 0 of 2 begins");
  expect_refused(here, changed([](file f) { f.begins[1] = -1; }), "byte 135: row 1 of 2 begins");
  expect_refused(here, changed([](file f) { f.begins[1] = 4; }), "byte 135: row 1 of 2 begins");
  expect_refused(here, changed([](file f) { f.begins[2] = 2; }), "byte 139: row 2 of 2 begins");
  expect_refused(here, changed([](file f) { f.columns[0] = 0; }),
                 "byte 143: column 0 is out of range");
  expect_refused(here, changed([](file f) { f.columns[2] = 3; }),
                 "byte 151: column 3 is out of range");
  expect_refused(here, changed([](file f) { f.firsts[0] = 7; }), "byte 155: 2 elements from 7");
  expect_refused(here, changed([](file f) { f.firsts[1] = -5; }), "byte 159: 4 elements from 5");
  expect_refused(here, changed([](file f) { f.firsts[2] = -most - 1; }), "byte 163: 1 elements");
  expect_refused(here, changed([](file f) { f.sizes[0] = most; }), "byte 155");
  expect_refused(here, changed([](file f) {
                   f.columns[1] = 1;
                   f.firsts[1] = 1;
                 }),
                 "1 of them are duplicates");
}

TEST(BlockDbcsrFile, NamesTheFirstOfManyWrongBytes) {
  const folder here;
  expect_refused(here, changed([](hand_made& f) { f.columns[1] = f.columns[2] = 9; }), "byte 147");
}

TEST(BlockDbcsrFile, RefusesEveryFileThatIsCutShort) {
  const folder here;
  const std::string whole = hand_made().text();
  for (std::size_t bytes = 3; bytes < whole.size(); bytes += 11) {
    expect_refused(here, whole.substr(0, bytes), ", byte ");
  }
}

TEST(BlockDbcsrFile, ReadsOrRefusesWhateverIsWritten) {
  const folder here;
  const std::uint64_t seed = 2026;
  std::mt19937_64 random(seed);
  const std::string whole = hand_made().text();
  for (int i = 0; i < 60; ++i) {
    std::string text = whole;
    for (auto times = 1 + random() % 3; times != 0; --times) {
      text[random() % 167] = static_cast<char>(random());
    }
    write_file(here / "any", text);
    const std::string said =
        error_of([&] { static_cast<void>(load_dbcsr<double>(world(), here / "any")); });
    EXPECT_EQ(world().broadcast(said, 0), said) << "seed " << seed << ", file " << i;
  }
}

TEST(BlockDbcsrFile, RefusesRowsWithoutSizesThatHaveBlocks) {
  const folder here;
  expect_refused(here, changed([](hand_made& f) {
                   f.head = {1, 3, 0, 0};
                   f.sizes = {};
                   f.begins = {0};
                 }),
                 "byte 115: row 0 of 0 begins");
}

TEST(BlockDbcsrFile, RefusesADistributionOfOtherBlocks) {
  const folder here;
  write_file(here / "a", hand_made().text());
  const block_sizes other({1, 1, 1});
  expect_error(error_of([&] {
                 static_cast<void>(load_dbcsr<double>(world(), here / "a",
                                                      block_distribution(other, other, size())));
               }),
               "has other blocks than the requested distribution");
  EXPECT_THROW(static_cast<void>(load_dbcsr<double>(world(), here / "none")), error);
}

TEST(BlockDbcsrFile, IsNotStoredOnADiskThatIsFull) {
  const auto a = matrix_for_file<double>(6, block_symmetry::none, 1);
  expect_not_stored_on_full_disk(600, [&](const std::string& path) { store_dbcsr(path, a); });
}

TEST(BlockDbcsrFile, WritesNoPipe) {
  const folder here;
  const auto a = matrix_for_file<double>(6, block_symmetry::none);
  files_test::expect_no_other_kind_written(here,
                                           [&](const std::string& path) { store_dbcsr(path, a); });
}

}  // namespace
