// SPDX-License-Identifier: BSD-3-Clause
// Products in several threads of a rank: the bits of one thread, settings, tasks.
#include <acre/base/error.hpp>
#include <acre/block/block_algebra.hpp>
#include <acre/block/block_model_test.hpp>
#include <acre/block/block_multiply.hpp>
#include <acre/block/detail/product_threads.hpp>
#include <acre/block/detail/tile_tasks.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace acre;
using namespace acre::testing_blocks;
using acre::block_matrices::product_threads;
using acre::block_matrices::tile_tasks;

template <class T>
void expect_same_bits(const block_sizes& sizes, double occupancy, multiply_options options,
                      const std::string& what) {
  const block_distribution lies(sizes, sizes, size());
  block_matrix<T> a(world(), lies);
  block_matrix<T> b(world(), lies);
  block_matrix<T> c(world(), lies);
  fill_at_random(a, occupancy, 1);
  fill_at_random(b, occupancy, 2);
  std::vector<T> of_one;
  multiply_report report_of_one;
  for (unsigned threads = 1; threads <= 3; ++threads) {
    options.threads = threads;
    fill_at_random(c, 0.1, 3);
    const multiply_report said = multiply(T(2), a, b, T(-1), c, options);
    if (threads == 1) {
      of_one = elements_here(c);
      report_of_one = said;
      EXPECT_NE(world().allreduce(of_one.size()), 0U) << what;
      continue;
    }
    EXPECT_EQ(elements_here(c), of_one) << what << ", " << threads << " threads";
    if (said.tasks_taken + report_of_one.tasks_taken > 0) continue;
    EXPECT_EQ(said.products, report_of_one.products) << what;
    EXPECT_EQ(said.operations, report_of_one.operations) << what;
  }
}

TEST(BlockThreads, GiveTheBitsOfOneThread) {
  std::mt19937_64 random(5);
  const block_sizes uneven = random_sizes(random, 30, 9);
  const auto by = [](multiply_algorithm algorithm, double filter) {
    return multiply_options{.filter = filter, .algorithm = algorithm};
  };
  expect_same_bits<double>(uneven, 0.3, by(multiply_algorithm::one_sided, 0), "one-sided");
  expect_same_bits<double>(uneven, 0.3, by(multiply_algorithm::one_sided, 0.5), "filtered");
  expect_same_bits<double>(uneven, 0.3, by(multiply_algorithm::cannon, 0), "Cannon");
  expect_same_bits<std::complex<float>>(uneven, 0.3, by(multiply_algorithm::one_sided, 0),
                                        "complex");
  expect_same_bits<double>(uneven, 0.3, {.layers = 2}, "layers");
  expect_same_bits<float>(uneven, 0.3, {.keep_pattern = true}, "kept pattern");
}

TEST(BlockThreads, GiveTheBitsOfOneThreadWhereSmallBlocksAreMerged) {
  const block_sizes sizes = block_sizes::equal(90, 5);
  expect_same_bits<double>(sizes, 1.0, {.algorithm = multiply_algorithm::one_sided}, "merged");
}

TEST(BlockThreads, GiveTheBitsOfOneThreadWhereBlocksExceedKernels) {
  const block_sizes sizes = block_sizes::equal(4, 130);
  expect_same_bits<double>(sizes, 1.0, {.algorithm = multiply_algorithm::one_sided}, "BLAS");
}

TEST(BlockThreads, ComputeTheProductIfMembersTakeTasks) {
  const auto sizes = block_sizes::equal(48, 6);
  const block_distribution lies(sizes, sizes, size());
  block_matrix<double> a(world(), lies);
  block_matrix<double> c(world(), lies);
  const std::vector<double> ones(36, 1.0);
  for (std::size_t i = 0; i < 48; ++i) {
    for (std::size_t j = 0; j < 48 && rank() == 0; ++j) a.put_block(i, j, ones);
  }
  a.finalise();
  multiply(1.0, a, a, 0.0, c, {.algorithm = multiply_algorithm::slicing, .threads = 3});
  EXPECT_EQ(stored_blocks(c), 48U * 48U);
  c.each_local_block([](std::size_t, std::size_t, const auto& block) {
    for (std::size_t e = 0; e < block.size(); ++e) ASSERT_EQ(block.data()[e], 48 * 6);
  });
}

TEST(BlockThreads, AreRefusedIfTooMany) {
  const block_sizes sizes{2, 3};
  block_matrix<double> a(world(), {sizes, sizes, size()});
  EXPECT_THROW(multiply(1.0, a, a, 0.0, a, {.threads = static_cast<unsigned>(-1)}), error);
}

TEST(BlockThreads, FollowTheSettingOfOpenMp) {
  const char* const said = std::getenv("OMP_NUM_THREADS");
  const std::string before = said == nullptr ? "" : said;
  ::setenv("OMP_NUM_THREADS", "3,2", 1);
  EXPECT_EQ(product_threads(0).most(), 3U);
  EXPECT_EQ(product_threads(0).worth(1e3), 1U);
  EXPECT_EQ(product_threads(0).worth(1e12), 3U);
  EXPECT_EQ(product_threads(2).worth(1), 2U);
  ::unsetenv("OMP_NUM_THREADS");
  EXPECT_GE(product_threads(0).most(), 1U);
  if (said != nullptr) ::setenv("OMP_NUM_THREADS", before.c_str(), 1);
}

TEST(BlockThreads, RunEachTaskOnceInSeveralThreads) {
  constexpr std::size_t rows = 3;
  constexpr std::size_t columns = 100;
  const tile_tasks tasks(rows, columns, 3);
  EXPECT_GE(rows * tasks.groups(), 3U);
  std::vector<std::atomic<unsigned>> times(rows * columns);
  std::vector<std::thread::id> of_number(3);
  std::atomic<unsigned> begun{0};
  tasks.run([&](unsigned thread, const tile_tasks::task& task) {
    if (of_number[thread] == std::thread::id()) {
      of_number[thread] = std::this_thread::get_id();
      // No thread finishes all tasks before the others begin.
      for (++begun; begun < 3;) std::this_thread::yield();
    }
    for (std::size_t j = task.first_column_tile; j < task.last_column_tile; ++j) {
      ++times[task.row_tile * columns + j];
    }
  });
  for (const auto& each : times) EXPECT_EQ(each, 1U);
  EXPECT_EQ(std::set(of_number.begin(), of_number.end()).size(), 3U);
}

}  // namespace
