// SPDX-License-Identifier: BSD-3-Clause
// `acre map`: finds the order in which a job's ranks should take its slots, so that
// those who talk much sit near each other.
//
// From a network, the nodes of a job and its traffic to a table of all mappings that were
// tried, and to a file that a launcher reads.
#pragma once

#include <acre/mapping/metrics.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace acre::tool {

/// What is written. `table` compares the mappings, the others hold the chosen order.
enum class map_format { table, order, rankfile, mpich, slurm, intel, json };

/// Numbers and ranges of nodes, their names, or a file of these.
struct listed_nodes {
  std::string list;
};
struct all_nodes {};
struct nodes_of_this_job {};  ///< as the job manager lists them
using job_nodes = std::variant<all_nodes, nodes_of_this_job, listed_nodes>;

/// Places of a node: each place holds so many of the next ones, down to cores.
using node_shape = std::vector<std::uint32_t>;
/// A file of hwloc's lstopo.
struct node_file {
  std::string path;
};
struct this_node {};
struct undivided {};
using node_places = std::variant<undivided, this_node, node_file, node_shape>;

/// A specification as "cart:8x8".
struct traffic_pattern {
  std::string specification;
};
struct traffic_file {
  std::string matrix;
  std::string messages{};             ///< a file of their numbers; empty: the one beside `matrix`
  std::vector<std::uint32_t> grid{};  ///< of the ranks; empty: it is looked for
};
using traffic_source = std::variant<traffic_pattern, traffic_file>;

/// The best order of all algorithms.
struct best_order {};
struct order_of_algorithm {
  std::string typed_name;  ///< mapping::typed_name()
  bool is_refined = false;
};
/// The order in a file, which is measured as it is.
struct measured_order {
  std::string file;
};
/// The order in a file, which is made better.
struct improved_order {
  std::string file;
};
using wanted_order = std::variant<best_order, order_of_algorithm, measured_order, improved_order>;

/// A quantity that a mapping shall have little of.
struct goal {
  mapping::objective objective = mapping::objective::time;
  std::vector<double> level_costs;  ///< of a byte; empty: each link costs as much
};

struct map_options {
  std::string topology;  ///< a specification or a file
  job_nodes nodes;
  std::optional<std::uint32_t> slots;  ///< of each node; empty: all of its cores, or 1
  node_places inside;
  traffic_source traffic;
  wanted_order order;
  map_format format = map_format::table;
  std::string output;  ///< a file; empty: standard output
  goal wanted;
  double microseconds = 0;  ///< that a link adds to a message's way
  double seconds = 10;      ///< to search for
  std::uint64_t seed = 1;
  std::uint64_t trials = UINT64_MAX;  ///< that each refinement makes
  bool explain = false;
  std::vector<std::string> pictures;   ///< files, .svg or .png
  std::vector<std::string> heat_maps;  ///< of the traffic; without a topology they are all
};

/// Says on standard error what is wrong with what is given, or with a file.
/// @return the status to exit with
[[nodiscard]] int map(const map_options& options);

}  // namespace acre::tool
