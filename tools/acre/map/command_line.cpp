// SPDX-License-Identifier: BSD-3-Clause
#include "command_line.hpp"

#include "../../command_line/files.hpp"
#include "option_words.hpp"
#include <acre/base/parse_number.hpp>
#include <acre/base/version.hpp>

#include <cstddef>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace acre::tool {
namespace {

constexpr const char* about_map =
    "Finds the order in which a job's ranks should take its slots, so that ranks that\n"
    "exchange much data are near each other. Reports the gain over the default order, and\n"
    "writes the order for a launcher.";

constexpr const char* examples =
    "Examples:\n"
    "  acre map --topology torus:8x8x6 --slots 24 --pattern cart:24x24x16\n"
    "  acre map --topology dragonfly:4x3x8x4 --nodes 0-95 --slots 8 --matrix traffic.mtx \\\n"
    "           --format rankfile --output ranks --explain --picture before-after.svg\n"
    "Networks: torus:8x8x6, mesh:16x16, hypercube:7, fat-tree:2;4,4;1,2;1,2,\n"
    "  dragonfly:8x6x16x4, tree:4x8x16; @10 sets bandwidths in GB/s.\n"
    "Patterns: cart:24x24x16, cart:8x8o, cannon:96x96, rows:8x16, columns:8x16, hypercube:7,\n"
    "  shifts:96x96, lines:96x96 and layers:96x96/2x2 (products of matrices); @8 sets bytes.\n"
    "Numbers: node 1 of torus:4x3 is (1,0), the first coordinate varies fastest; rank 1 of\n"
    "  cart:4x3 is (0,1), as in MPI_Cart_create.\n"
    "Algorithms: packed, round-robin, folded, random, rows, snake, hilbert, blocks-rows,\n"
    "  blocks-snake, blocks-hilbert, grid-folding, hierarchical, hilbert-both, gray-code,\n"
    "  hilbert-as-cp2k (of one direction: hilbert-as-cp2k-x, -y, -z), multilevel,\n"
    "  tree-grouping, recursive-bisection, greedy, reverse-cuthill-mckee, scotch;\n"
    "  append -refined to a name to improve its order by exchanges.";

// As in map_format.
const std::vector<std::string> formats{"table", "order", "rankfile", "mpich",
                                       "slurm", "intel", "json"};

/// Problem unless a number from 0 to `most`; rejects "nan".
std::string no_number_within(double most, const std::string& text) {
  const auto number = base::parse_number<double>(text);
  if (number && *number >= 0 && *number <= most) return {};
  std::ostringstream said;
  said << text << " is not a number from 0 to " << most;
  return said.str();
}

template <class Kind>
Kind as(const std::string& text) {
  return {text};
}

traffic_file& file_of(traffic_source& traffic) {
  if (auto* const file = std::get_if<traffic_file>(&traffic)) return *file;
  return traffic.emplace<traffic_file>();
}

std::vector<std::pair<const char*, std::string*>> inputs_of(map_options& options) {
  std::vector<std::pair<const char*, std::string*>> inputs{{"--topology", &options.topology}};
  if (auto* each = std::get_if<listed_nodes>(&options.nodes)) {
    inputs.emplace_back("--nodes", &each->list);
  }
  if (auto* each = std::get_if<node_file>(&options.inside)) {
    inputs.emplace_back("--inside", &each->path);
  }
  if (auto* each = std::get_if<traffic_file>(&options.traffic)) {
    inputs.emplace_back("--matrix", &each->matrix);
    inputs.emplace_back("--messages", &each->messages);
  }
  if (auto* each = std::get_if<measured_order>(&options.order)) {
    inputs.emplace_back("--evaluate", &each->file);
  }
  if (auto* each = std::get_if<improved_order>(&options.order)) {
    inputs.emplace_back("--start", &each->file);
  }
  return inputs;
}

/// Rejects outputs that equal an input or output. Replaces `-`.
std::string problem_of_files(map_options& options) {
  std::vector<command_line::named_file> read;
  std::string standard;
  for (const auto& [option, path] : inputs_of(options)) {
    read.push_back({option, *path});
    if (*path != "-") continue;
    if (!standard.empty()) {
      return standard + " and " + option + " both read standard input: name a file for one of them";
    }
    standard = option;
    *path = "/dev/stdin";
  }
  std::vector<command_line::named_file> written{{"--output", options.output}};
  for (const std::string& each : options.pictures) written.push_back({"--picture", each});
  for (const std::string& each : options.heat_maps) written.push_back({"--heat-map", each});
  if (options.output == "-") options.output.clear();
  return clash_of(written, read);
}

void add_problem(command_line::command& map, map_options& options) {
  map.add("-t,--topology", options.topology, "use this network, e.g. torus:8x8x6")
      .type_name("SPEC|FILE");
  map.add_parsed(
         "--nodes", options.nodes, nodes_from,
         "use these nodes: 0-63,70 or n[01-16]:24, a hostfile, or the word job for those of "
         "Flux, Slurm, LSF, PBS or Grid Engine (default: the allocation in the network file, or "
         "all)")
      .type_name("LIST|FILE");
  map.add("--slots", options.slots,
          "put at most N ranks on a node (default: 1, or one for each core of --inside)")
      .type_name("N")
      .within(1U, 1U << 20);
  map.add_parsed(
         "--inside", options.inside, places_from,
         "also place ranks inside nodes of this shape: 2x4x8 (packages, NUMA domains, cores), a "
         "file of lstopo, or the word here for this machine")
      .type_name("SPEC|FILE");
  const command_line::option communication =
      map.add_parsed("-p,--pattern", options.traffic, as<traffic_pattern>,
                     "use this traffic pattern, e.g. cart:8x8")
          .type_name("SPEC");
  map.add_parsed(
         "-m,--matrix",
         [&options](const std::string& text) { file_of(options.traffic).matrix = text; },
         "read the traffic from FILE: Matrix Market, or a graph of METIS")
      .type_name("FILE")
      .excludes(communication);
  map.add_parsed(
         "--messages",
         [&options](const std::string& text) { file_of(options.traffic).messages = text; },
         "read the numbers of messages for --latency from FILE (default: the file that acre trace "
         "wrote with the matrix)")
      .type_name("FILE")
      .excludes(communication);
  map.add_parsed(
         "--grid",
         [&options](const std::string& text) { file_of(options.traffic).grid = grid_from(text); },
         "with --matrix: use this grid of ranks, e.g. 64x32x32 (default: detect one)")
      .type_name("SIZES")
      .excludes(communication);
}

void add_latency(command_line::command& map, map_options& options) {
  map.add("--latency", options.microseconds,
          "add this time per link and message; it matters if messages are small")
      .type_name("MICROSECONDS")
      .shown_default()
      .check([](const std::string& text) { return no_number_within(1e6, text); }, "NUMBER");
}

void add_objective(command_line::command& map, map_options& options) {
  map.add_parsed(
         "--objective", options.wanted, goal_from,
         "minimise time, hop-bytes, or the cost of bytes, e.g. 1:10:100 within a node, within a "
         "group, and beyond")
      .type_name("WORD|COSTS")
      .shown_default("time");
}

void add_choice(command_line::command& map, map_options& options) {
  const command_line::option algorithm =
      map.add_parsed("-a,--algorithm", options.order, algorithm_from,
                     "use this algorithm (default: the best)")
          .type_name("NAME");
  const command_line::option evaluated =
      map.add_parsed("--evaluate", options.order, as<measured_order>,
                     "measure the order in a file, as --format order writes it")
          .type_name("FILE")
          .excludes(algorithm);
  map.add_parsed("--start", options.order, as<improved_order>, "improve the order in a file")
      .type_name("FILE")
      .excludes(algorithm)
      .excludes(evaluated);
}

void add_result(command_line::command& map, map_options& options) {
  map.add("--time", options.seconds, "search for this time")
      .type_name("SECONDS")
      .shown_default()
      .check([](const std::string& text) { return no_number_within(86400, text); }, "NUMBER");
  map.add("--seed", options.seed, "seed the random numbers with N").type_name("N").shown_default();
  map.add("--trials", options.trials,
          "try N exchanges in a refinement; with enough --time the order is reproducible")
      .check(
          [](const std::string& text) {
            return text.starts_with('-') ? text + " is not a number of exchanges" : std::string();
          },
          "N");
  map.add_choice(
         "-f,--format", formats,
         [&options](std::size_t place) { options.format = static_cast<map_format>(place); },
         "write this format: table, order, rankfile, mpich, slurm, intel or json (default: table)")
      .type_name("NAME");
  map.add("-o,--output", options.output,
          "write to FILE, as an order unless --format is given; - is standard output")
      .type_name("FILE");
  map.add("--explain", options.explain, "explain the gain and its causes");
  map.add("--picture", options.pictures, "draw the default order and the chosen one")
      .type_name("FILE.svg|FILE.png");
  map.add("--heat-map", options.heat_maps,
          "draw the bytes between ranks; without --topology only this is done")
      .type_name("FILE.svg|FILE.png");
}

}  // namespace

void add_map(command_line::command& acre, map_options& options) {
  command_line::command& map =
      acre.add_command("map", "find the order of ranks that suits a network");
  map.description(about_map);
  map.footer(examples);
  map.version("acre map " ACRE_VERSION);
  add_problem(map, options);
  add_latency(map, options);
  add_objective(map, options);
  add_choice(map, options);
  add_result(map, options);
  map.require([&map, &options]() -> std::string {
    if (options.topology.empty() && options.heat_maps.empty()) return "--topology";
    if (!map.given("--pattern") && !map.given("--matrix")) return "--pattern or --matrix";
    if (map.given("--messages") && options.microseconds == 0) {
      return "--latency, which --messages needs,";
    }
    if (!options.output.empty() && !map.given("--format")) options.format = map_format::order;
    return {};
  });
  map.refuse([&options] { return problem_of_files(options); });
}

}  // namespace acre::tool
