// SPDX-License-Identifier: BSD-3-Clause
// Measures process mappings, and writes them for simulation by SimGrid.
//
//     bench-mapping search --network torus:4x4x2 --slots 32 --pattern cannon:32x32 --folder F
//     bench-mapping routes --network torus:4x4x2 --folder F
//
// `search` prints mapping::search's result, and writes F/platform.xml (network), F/0.hosts, …
// (hosts of ranks per candidate). With `--injection`, the platform has a route per pair of nodes.
// `routes` prints routes with bandwidths per pair.
#include <acre/base/error.hpp>
#include <acre/base/specification.hpp>
#include <acre/base/whole_file.hpp>
#include <acre/machines/scotch/scotch.hpp>
#include <acre/mapping/automatic.hpp>
#include <acre/topology/specification.hpp>

#include <CLI/CLI.hpp>
#include <bench/mapping/platform.hpp>
#include <bench/mapping/route_platform.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace acre;
using topology::allocation;
using topology::node_t;

struct settings {
  std::string network;
  std::string communication;
  std::string nodes = "all";
  std::string folder;
  std::uint32_t slots = 1;
  std::uint32_t milliseconds = 5'000;
  std::vector<std::uint32_t> sizes{1'048'576};
  std::vector<std::string> algorithms;
  double injection = 0;
};

/// Latency per link: 100 ns plus SMPI's overhead.
constexpr double hop_latency = 200e-9;

std::vector<node_t> drawn(std::uint32_t count, std::uint32_t all, std::uint32_t seed) {
  std::vector<node_t> numbers(all);
  std::iota(numbers.begin(), numbers.end(), node_t{0});
  std::mt19937_64 random(seed);
  for (std::uint32_t i = 0; i < count; ++i)
    std::swap(numbers[i], numbers[i + random() % (all - i)]);
  numbers.resize(count);
  return numbers;
}

/// `given.nodes`: "all", "first:32", "drawn:32,64,7" (32 of 64, seed 7), "sparse:32,64,7" (sorted).
allocation allocated(const topology::network& network, const settings& given) {
  if (given.nodes == "all") return allocation::whole(network, given.slots);
  specification_reader text(given.nodes, "bench-mapping",
                            "write all, first:32, drawn:32,64,7 or sparse:32,64,7");
  const std::string_view kind = text.kind();
  text.expect(':', "its numbers");
  const std::vector<std::uint32_t> numbers = text.numbers(',');
  text.expect_end();
  std::vector<node_t> nodes;
  if (kind == "first" && numbers.size() == 1) {
    nodes.resize(numbers[0]);
    std::iota(nodes.begin(), nodes.end(), node_t{0});
  } else if ((kind == "drawn" || kind == "sparse") && numbers.size() == 3 &&
             numbers[0] <= numbers[1]) {
    nodes = drawn(numbers[0], numbers[1], numbers[2]);
    if (kind == "sparse") std::ranges::sort(nodes);
  } else {
    text.fail_kind("choice of nodes");
  }
  std::vector<allocation::share> shares;
  for (const node_t node : nodes) shares.push_back({.node = node, .slots = given.slots});
  return {network, std::move(shares)};
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  write_whole("bench-mapping", path.string(), text);
}

void search(const settings& given) {
  const auto network = topology::make_network(given.network);
  const allocation nodes = allocated(*network, given);
  const mapping::machine where{*network, nodes, hop_latency};
  const auto of_size = [&](std::uint32_t size) {
    return mapping::make_communication(fmt::format("{}@{}", given.communication, size));
  };
  const mapping::communication what = of_size(std::ranges::max(given.sizes));
  mapping::search_options how{.at_most = std::chrono::milliseconds(given.milliseconds),
                              .more = {{"scotch", acre::machines::scotch}}};
  std::vector<mapping::candidate> found = mapping::search({.what = what, .where = where}, how);
  if (!given.algorithms.empty()) {
    how.only = given.algorithms;
    how.refined = 0;
    std::ranges::move(mapping::search({.what = what, .where = where}, how),
                      std::back_inserter(found));
  }
  nlohmann::json chosen;
  for (const std::uint32_t size : given.sizes) {
    const mapping::communication sized = of_size(size);
    chosen[std::to_string(size)] = mapping::judged({sized, where}, found).front().name;
  }
  auto printed = nlohmann::json::array();
  for (const mapping::candidate& each : found) {
    if (!given.folder.empty()) {
      std::string hosts;
      for (const topology::slot_t slot : each.places)
        hosts += fmt::format("n{}\n", nodes.node_of(slot));
      write_file(fmt::format("{}/{}.hosts", given.folder, printed.size()), hosts);
    }
    printed.push_back({{"name", each.name},
                       {"algorithm", each.algorithm},
                       {"load", each.measured.largest_load / std::ranges::max(given.sizes)},
                       {"phases", each.measured.blocking_time / std::ranges::max(given.sizes)},
                       {"hop_bytes", each.measured.hop_bytes / std::ranges::max(given.sizes)},
                       {"dilation", each.measured.mean_dilation},
                       {"took", each.took.count()}});
  }
  if (!given.folder.empty()) {
    write_file(given.folder + "/platform.xml",
               given.injection > 0
                   ? bench::route_platform(*network, given.slots, given.injection * 1e9)
                   : bench::simgrid_platform(*network, given.slots));
  }
  std::cout << nlohmann::json{{"ranks", what.traffic.ranks()},
                              {"nodes", nodes.shares().size()},
                              {"grid", join(what.extents)},
                              {"chosen", chosen},
                              {"candidates", printed}}
            << "\n";
}

/// At most 4,096 random pairs.
void print_routes(const settings& given) {
  const auto network = topology::make_network(given.network);
  write_file(given.folder + "/platform.xml", bench::simgrid_platform(*network, given.slots));
  constexpr std::uint64_t most = 4096;
  const std::uint64_t all = network->nodes() * network->nodes();
  std::mt19937_64 random(1);
  std::vector<topology::link_t> links;
  for (std::uint64_t i = 0; i < std::min(all, most); ++i) {
    const std::uint64_t pair = all <= most ? i : random() % all;
    const auto from = static_cast<node_t>(pair / network->nodes());
    const auto to = static_cast<node_t>(pair % network->nodes());
    links.clear();
    network->route(from, to, links);
    std::string line = fmt::format("{} {}", from, to);
    for (const auto link : links) line += fmt::format(" {}={:.6g}", link, network->bandwidth(link));
    std::cout << line << "\n";
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App program("Writes mappings for simulation by SimGrid.");
  settings given;
  auto* search_command =
      program.add_subcommand("search", "write the mappings that mapping::search finds");
  auto* routes_command = program.add_subcommand("routes", "print the links between pairs of nodes");
  program.require_subcommand(1);
  for (auto* command : {search_command, routes_command}) {
    command->add_option("--network", given.network, "use this network, e.g. torus:8x8x6")
        ->required();
    command->add_option("--folder", given.folder, "write files to this folder");
  }
  search_command->add_option("--pattern", given.communication, "use this pattern, e.g. cart:8x8")
      ->required();
  search_command->add_option("--slots", given.slots, "use N slots of each node");
  search_command->add_option("--nodes", given.nodes,
                             "use these nodes: all, first:32, sparse:32,64,7 or drawn:32,64,7");
  search_command
      ->add_option("--sizes", given.sizes, "choose a mapping for each of these message sizes")
      ->delimiter(',');
  search_command
      ->add_option("--algorithms", given.algorithms,
                   "add the unrefined orders of these algorithms to those of the search")
      ->delimiter(',');
  search_command->add_option("--injection", given.injection,
                             "join nodes to routers with this many GB/s");
  search_command->add_option("--milliseconds", given.milliseconds, "search for this time");
  routes_command->get_option("--folder")->required();
  CLI11_PARSE(program, argc, argv);
  try {
    search_command->parsed() ? search(given) : print_routes(given);
  } catch (const std::exception& failure) {
    std::cerr << failure.what() << "\n";
    return 1;
  }
  return 0;
}
