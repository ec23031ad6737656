// SPDX-License-Identifier: BSD-3-Clause
// Simulates the kernel of acre-stencil on a machine: blocking puts of ranks to the neighbours in a
// 3-D grid.
//
//     bench-stencil --topology FILE --nodes FILE --slots 24 --order FILE --grid 24x24x16
//
// Prints mean seconds of a put, and the slowest rank's, per size. `--order` has each rank's slot
// (`acre map --format order`); `--platform` writes the machine for bench/peers/simgrid_puts.cpp.
#include <acre/base/error.hpp>
#include <acre/base/specification.hpp>
#include <acre/base/whole_file.hpp>
#include <acre/machines/networks/job_nodes.hpp>
#include <acre/machines/networks/network_file.hpp>

#include <CLI/CLI.hpp>
#include <bench/stencil/put_simulation.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <exception>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace {

using namespace acre;

// Aries: put between nodes of a router 0.8 us (Alverson et al. 2012, "Cray XC Series Network"), of
// which 2 x 2 links take 100 ns each. Memory: two sockets of 68 GB/s; a copy moves data thrice.
constexpr bench::put_model hazel_hen{.inside_latency = 200e-9,
                                     .software_latency = 400e-9,
                                     .link_latency = 200e-9,
                                     .memory_bandwidth = 2 * 68e9 / 3,
                                     .core_bandwidth = 8e9};

struct settings {
  std::string topology;
  std::string nodes;
  std::uint32_t slots = 24;
  std::string order;
  std::string grid;
  std::uint32_t iterations = 1;
  std::vector<double> sizes{1};
  double step = 0.005;
  std::string platform;
};

bench::put_job job_of(const settings& given, const machines::described_network& machine) {
  specification_reader text(given.grid, "bench-stencil", "write 24x24x16");
  const std::vector<std::uint32_t> grid = text.numbers('x');
  if (grid.size() != 3) text.fail("three numbers");
  const std::size_t ranks = std::size_t{grid[0]} * grid[1] * grid[2];
  const topology::allocation nodes =
      machines::allocation_on(machine, machines::read_job_nodes(given.nodes, given.slots));
  std::ifstream order(given.order);
  std::vector<topology::node_t> node_of_rank;
  for (topology::slot_t slot = 0; node_of_rank.size() < ranks; ++slot) {
    if (!given.order.empty() && !(order >> slot)) text.fail("a slot of each rank in --order");
    if (slot >= nodes.slots()) text.fail("at most as many ranks as slots");
    node_of_rank.push_back(nodes.node_of(slot));
  }
  return {*machine.network, std::move(node_of_rank), {grid[0], grid[1], grid[2]}};
}

void simulate(const settings& given) {
  const machines::described_network machine = machines::read_network(given.topology);
  const bench::put_job job = job_of(given, machine);
  if (!given.platform.empty()) {
    write_whole("bench-stencil", given.platform, bench::platform_of_puts(job, hazel_hen));
    std::string places;
    for (const topology::node_t each : job.node_of_rank) places += fmt::format("{}\n", each);
    write_whole("bench-stencil", given.platform + ".places", places);
  }
  nlohmann::json found;
  for (const double bytes : given.sizes) {
    const double shortest = hazel_hen.inside_latency + bytes / hazel_hen.core_bandwidth;
    const bench::put_times times =
        bench::simulate_puts(job, hazel_hen, given.iterations, bytes, given.step * shortest);
    found[fmt::format("{}", bytes)] = {{"mean", times.mean}, {"slowest", times.slowest}};
  }
  std::cout << found << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App program("Simulates blocking puts to the neighbours in a grid of ranks.");
  settings given;
  program.add_option("--topology", given.topology, "use this network, or file")->required();
  program.add_option("--nodes", given.nodes, "use these nodes, a list or file")->required();
  program.add_option("--slots", given.slots, "use N slots of each node");
  program.add_option("--order", given.order, "use the slots in this file (default: 0, 1, …)");
  program.add_option("--grid", given.grid, "use this grid of ranks")->required();
  program.add_option("--iterations", given.iterations, "put N messages to each neighbour");
  program.add_option("--sizes", given.sizes, "put messages of these bytes")->delimiter(',');
  program.add_option("--step", given.step,
                     "count events within this part of the shortest put as simultaneous");
  program.add_option("--platform", given.platform, "write the machine for SimGrid");
  CLI11_PARSE(program, argc, argv);
  try {
    simulate(given);
  } catch (const std::exception& failure) {
    std::cerr << failure.what() << "\n";
    return 1;
  }
  return 0;
}
