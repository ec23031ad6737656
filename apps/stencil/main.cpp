// SPDX-License-Identifier: BSD-3-Clause
// acre-stencil: latency of blocking puts to the neighbours in a 3-D grid of ranks by message size,
// with and without mapping.
#include <acre/base/error.hpp>
#include <acre/base/specification.hpp>
#include <acre/global/team/team.hpp>
#include <acre/launch/job.hpp>
#include <acre/layout/distribution.hpp>

#include <apps/program/memory.hpp>
#include <apps/program/program.hpp>
#include <apps/stencil/stencil_puts.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using acre::stencil::grid_extents;
using acre::stencil::stencil_puts;

constexpr const char* program_name = "acre-stencil";
constexpr const char* smaller = "choose a smaller --most";
constexpr const char* form_of_grid = "write three numbers: 4x3x2";

struct request {
  grid_extents grid{0, 0, 0};
  std::string mapping = "auto";
  std::uint32_t iterations = 100;
  std::uint32_t least = 1;
  std::uint32_t most = 2U << 20;
  bool json = false;
};

grid_extents read_grid(const std::string& text) {
  acre::specification_reader reader(text, "--grid", form_of_grid);
  const std::vector<std::uint32_t> numbers = reader.numbers('x');
  reader.expect_end();
  if (numbers.size() != 3 || std::ranges::count(numbers, 0U) != 0) {
    throw acre::error("--grid", "'" + text + "' is no grid of three dimensions", form_of_grid);
  }
  return {numbers[0], numbers[1], numbers[2]};
}

acre::command_line::command& define(acre::command_line::command& program, request& wanted) {
  constexpr std::uint32_t largest = 1U << 30;
  program
      .add_parsed("--grid", wanted.grid, read_grid,
                  "use a grid of XxYxZ ranks (default: chosen for little surface, by the mapping "
                  "also for the machine)")
      .type_name("XxYxZ");
  program
      .add("--mapping", wanted.mapping,
           "auto: place ranks near their neighbours; none: number the grid in the job's order")
      .shown_default()
      .one_of({"auto", "none"});
  program.add("--iterations", wanted.iterations, "put N messages of each size to each neighbour")
      .shown_default()
      .within(1U, largest);
  program.add("--least", wanted.least, "begin with messages of N bytes, and double them")
      .shown_default()
      .within(1U, largest);
  program.add("--most", wanted.most, "end with messages of at most N bytes")
      .shown_default()
      .within(1U, largest);
  program.add("--json", wanted.json, "print a line of JSON instead of the table");
  program.footer("Run it with: acre run -n 8 acre-stencil");
  return program;
}

/// Compact and non-increasing, as MPI_Dims_create.
grid_extents compact_grid(std::uint32_t ranks) {
  std::array<std::size_t, 3> parts{};
  constexpr std::size_t cube = std::size_t{1} << 20;
  acre::layout::find_parts(parts, std::array{cube, cube, cube}, ranks);
  std::ranges::sort(parts, std::greater());
  grid_extents grid;
  std::ranges::transform(parts, grid.begin(),
                         [](std::size_t each) { return static_cast<std::uint32_t>(each); });
  return grid;
}

void require_all_ranks(const grid_extents& grid) {
  const std::uint64_t rest = std::uint64_t{grid[0]} * grid[1];
  const std::uint32_t ranks = acre::size();
  if (ranks == 1) {
    throw acre::error(program_name, "a grid of one rank has no neighbours",
                      "start more ranks: acre run -n 8 acre-stencil");
  }
  if (grid[0] == 0 || (rest <= ranks && rest * grid[2] == ranks)) return;
  throw acre::error(program_name,
                    fmt::format("a grid of {}x{}x{} does not have the {} ranks of the job", grid[0],
                                grid[1], grid[2], ranks),
                    "start as many ranks as the grid has, or omit --grid");
}

struct placed_grid {
  acre::team members;
  grid_extents extents;
};

placed_grid place(const request& wanted) {
  require_all_ranks(wanted.grid);
  const bool chosen = wanted.grid[0] == 0;
  if (wanted.mapping == "none") {
    return {acre::world(), chosen ? compact_grid(acre::size()) : wanted.grid};
  }
  const acre::team grid =
      chosen ? acre::team::cartesian<3>()
             : acre::team::cartesian({wanted.grid[0], wanted.grid[1], wanted.grid[2]});
  return {grid, {grid.extents()[0], grid.extents()[1], grid.extents()[2]}};
}

struct latency {
  std::size_t bytes;
  double mean;     ///< seconds of a put, of all members
  double slowest;  ///< of the slowest member
};

latency measure(stencil_puts& puts, std::size_t bytes, std::uint32_t iterations) {
  const acre::team& grid = puts.members();
  const double seconds = puts.run(bytes, iterations);
  if (grid.allreduce(!puts.is_right(bytes), acre::op::logical_or)) {
    throw acre::error(program_name, fmt::format("a message of {} bytes has wrong data", bytes));
  }
  const double number = static_cast<double>(puts.neighbours().size()) * iterations;
  return {bytes, grid.allreduce(seconds) / grid.allreduce(number),
          grid.allreduce(number == 0 ? 0 : seconds / number, acre::op::max)};
}

void print_table(const request& wanted, const grid_extents& grid, double neighbours,
                 const std::vector<latency>& all) {
  fmt::print("grid {}x{}x{}, mapping {}, {} iterations, {:.2f} neighbours on average\n", grid[0],
             grid[1], grid[2], wanted.mapping, wanted.iterations, neighbours);
  fmt::print("{:>9}  {:>14}  {:>21}\n", "bytes", "latency (us)", "of slowest rank (us)");
  for (const latency& each : all) {
    fmt::print("{:>9}  {:>14.3f}  {:>21.3f}\n", each.bytes, 1e6 * each.mean, 1e6 * each.slowest);
  }
  fmt::print("all messages have arrived\n");
}

void print_json(const request& wanted, const grid_extents& grid, double neighbours,
                const std::vector<latency>& all) {
  std::string list;
  for (const latency& each : all) {
    list += fmt::format("{}\"{}\": {{\"mean\": {:.6g}, \"slowest\": {:.6g}}}",
                        list.empty() ? "" : ", ", each.bytes, 1e6 * each.mean, 1e6 * each.slowest);
  }
  fmt::print(
      "{{\"ranks\": {}, \"grid\": [{}, {}, {}], \"mapping\": \"{}\", \"iterations\": {}, "
      "\"conduit\": \"{}\", \"neighbours\": {:.4g}, \"verified\": true, \"microseconds\": "
      "{{{}}}}}\n",
      acre::size(), grid[0], grid[1], grid[2], wanted.mapping, wanted.iterations,
      acre::conduit_name(), neighbours, list);
}

void run(const request& wanted) {
  acre::program::require_memory(
      program_name, double{stencil_puts::sides + 1} * wanted.most * acre::size(), smaller);
  const placed_grid grid = place(wanted);
  stencil_puts puts(grid.members, grid.extents, wanted.most);
  std::vector<latency> all;
  for (std::size_t bytes = wanted.least; bytes <= wanted.most; bytes *= 2) {
    all.push_back(measure(puts, bytes, wanted.iterations));
  }
  const double neighbours =
      grid.members.allreduce(static_cast<double>(puts.neighbours().size())) / acre::size();
  if (grid.members.rank() == 0) {
    (wanted.json ? print_json : print_table)(wanted, grid.extents, neighbours, all);
  }
  grid.members.barrier();
}

}  // namespace

int main(int argc, char** argv) {
  request wanted;
  acre::command_line::command program{
      "Measures blocking puts to the neighbours in a 3-D grid of ranks.", program_name};
  define(program, wanted).refuse([&] {
    return wanted.least > wanted.most ? "--least exceeds --most" : "";
  });
  return acre::program::run(program, argc, argv, [&] { run(wanted); }, smaller);
}
