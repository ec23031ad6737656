// SPDX-License-Identifier: BSD-3-Clause
// Products of block matrices of fill_at_random(), also measured with DBCSR by bench/multiply.
#include <acre/block/block_multiply.hpp>

#include <acre/base/error.hpp>
#include <acre/block/block_algebra.hpp>
#include <acre/global/team/team.hpp>
#include <acre/launch/job.hpp>

#include <apps/program/multiply_algorithm.hpp>
#include <apps/program/numbers.hpp>
#include <apps/program/program.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace {

using matrix = acre::block_matrix<double>;

struct request {
  std::vector<std::uint32_t> blocks{23};
  unsigned size = 2484;
  double occupancy = 0.1;
  std::uint64_t seed = 1;
  unsigned times = 3;
  /// Two, because repeated products alternate between two memory blocks.
  unsigned warm_up = 2;
  double filter = 0;
  unsigned layers = 0;
  acre::multiply_algorithm algorithm = acre::multiply_algorithm::automatic;
};

std::optional<std::vector<std::uint32_t>> read_blocks(const std::string& text) {
  return acre::program::numbers<std::uint32_t>(
      text, [](std::uint32_t each) { return each >= 1 && each <= 4096; });
}

acre::block_sizes repeated(const std::vector<std::uint32_t>& blocks, std::size_t size) {
  std::size_t sum = 0;
  for (const std::uint32_t each : blocks) sum += each;
  std::vector<std::uint32_t> sizes;
  for (std::size_t i = 0; i < (size + sum - 1) / sum; ++i) {
    sizes.insert(sizes.end(), blocks.begin(), blocks.end());
  }
  return acre::block_sizes(std::move(sizes));
}

struct sums {
  double squares = 0;
  double weighted = 0;
  std::uint64_t blocks = 0;
};

sums sums_of(const matrix& c) {
  sums here;
  c.each_local_block([&](std::size_t row, std::size_t column, const auto& block) {
    ++here.blocks;
    const std::size_t first_row = c.rows().begin_of(row);
    const std::size_t first_column = c.columns().begin_of(column);
    for (std::size_t j = 0; j < block.extent(1); ++j) {
      for (std::size_t i = 0; i < block.extent(0); ++i) {
        const double x = block(i, j);
        here.squares += x * x;
        const auto weight = ((first_row + i) * 7 + (first_column + j) * 13) % 11;
        here.weighted += x * (static_cast<double>(weight) - 5);
      }
    }
  });
  here.squares = acre::world().allreduce(here.squares);
  here.weighted = acre::world().allreduce(here.weighted);
  here.blocks = acre::world().allreduce(here.blocks);
  return here;
}

void run(const request& wanted) {
  const acre::block_sizes sizes = repeated(wanted.blocks, wanted.size);
  const acre::block_distribution lies(sizes, sizes, acre::size());
  matrix a(acre::world(), lies);
  matrix b(acre::world(), lies);
  acre::fill_at_random(a, wanted.occupancy, wanted.seed);
  acre::fill_at_random(b, wanted.occupancy, wanted.seed + 1);
  matrix c(acre::world(), lies);
  std::vector<double> seconds;
  acre::multiply_report said;
  for (unsigned i = 0; i < wanted.times + wanted.warm_up; ++i) {
    acre::barrier();
    const auto begin = std::chrono::steady_clock::now();
    said = acre::multiply(
        1.0, a, b, 0.0, c,
        {.filter = wanted.filter, .algorithm = wanted.algorithm, .layers = wanted.layers});
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    seconds.push_back(acre::world().allreduce(spent.count(), acre::op::max));
  }
  seconds.erase(seconds.begin(), seconds.begin() + wanted.warm_up);
  const sums of_c = sums_of(c);
  const std::size_t of_a = acre::stored_blocks(a);
  const std::size_t of_b = acre::stored_blocks(b);
  const auto total = [](std::uint64_t value) { return acre::world().allreduce(value); };
  const std::uint64_t flops = total(said.operations);
  const std::uint64_t products = total(said.products);
  const std::uint64_t read = acre::world().allreduce(said.bytes_read, acre::op::max);
  const std::uint64_t sent = acre::world().allreduce(said.bytes_sent, acre::op::max);
  if (acre::rank() == 0) {
    std::vector<double> sorted = seconds;
    std::ranges::sort(sorted);
    fmt::print(
        "{{\"ranks\": {}, \"size\": {}, \"blocks\": {}, \"occupancy\": {}, \"seconds\": [{:.6f}], "
        "\"best\": {:.6f}, \"median\": {:.6f}, \"flops\": {}, \"products\": {}, \"gflops\": "
        "{:.3f}, "
        "\"blocks_of_a\": {}, \"blocks_of_b\": {}, \"blocks_of_c\": {}, \"sum_of_squares\": "
        "{:.15g}, \"weighted_sum\": {:.15g}, \"read\": {}, "
        "\"sent\": {}, "
        "\"layers\": {}, \"conduit\": \"{}\"}}\n",
        acre::size(), sizes.elements(), sizes.blocks(), wanted.occupancy, fmt::join(seconds, ", "),
        sorted.front(), sorted[sorted.size() / 2], flops, products,
        static_cast<double>(flops) / sorted.front() / 1e9, of_a, of_b, of_c.blocks, of_c.squares,
        of_c.weighted, read, sent, said.layers, acre::conduit_name());
  }
  acre::barrier();
}

}  // namespace

int main(int argc, char** argv) {
  request wanted;
  std::string blocks = "23";
  acre::command_line::command program{"Multiplies two random block matrices.",
                                      "bench-block_multiply"};
  program.add("--blocks", blocks, "repeat these sizes of blocks: 23, or 13,5,5")
      .shown_default()
      .check([](const std::string& text) {
        return read_blocks(text) ? "" : "write sizes from 1 to 4096: 23, or 13,5,5";
      });
  program.add("--size", wanted.size, "use matrices of N rows").shown_default().within(1U, 1U << 24);
  program.add("--occupancy", wanted.occupancy, "set the share of stored blocks")
      .shown_default()
      .within(0.0, 1.0);
  program.add("--seed", wanted.seed, "seed the first factor").shown_default();
  program.add("--times", wanted.times, "time N products").shown_default().within(1U, 1000U);
  program.add("--warm-up", wanted.warm_up, "run N products before the timed ones")
      .shown_default()
      .within(0U, 1000U);
  program.add("--filter", wanted.filter, "omit blocks and products below this norm")
      .shown_default()
      .within(0.0, 1e9);
  program.add("--layers", wanted.layers,
              "let N members share blocks of the product (0: chosen by Acre)");
  acre::program::add_algorithm(program, wanted.algorithm);
  return acre::program::run(
      program, argc, argv,
      [&] {
        wanted.blocks = read_blocks(blocks).value();
        run(wanted);
      },
      "choose smaller matrices");
}
