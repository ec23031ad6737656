// SPDX-License-Identifier: BSD-3-Clause
// `acre map`: orders ranks so that heavy communicators are close.
#pragma once

#include <acre/mapping/metrics.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace acre::tool {

/// `table` compares mappings; the others write the chosen order.
enum class map_format { table, order, rankfile, mpich, slurm, intel, json };

struct listed_nodes {
  std::string list;
};
struct all_nodes {};
struct nodes_of_this_job {};
using job_nodes = std::variant<all_nodes, nodes_of_this_job, listed_nodes>;

/// Fan-out per level down to cores.
using node_shape = std::vector<std::uint32_t>;
/// File of hwloc's lstopo.
struct node_file {
  std::string path;
};
struct this_node {};
struct undivided {};
using node_places = std::variant<undivided, this_node, node_file, node_shape>;

/// Specification, "cart:8x8".
struct traffic_pattern {
  std::string specification;
};
struct traffic_file {
  std::string matrix;
  std::string messages{};             ///< empty: file next to `matrix`
  std::vector<std::uint32_t> grid{};  ///< rank grid; empty: detected
};
using traffic_source = std::variant<traffic_pattern, traffic_file>;

struct best_order {};
struct order_of_algorithm {
  std::string typed_name;
  bool is_refined = false;
};
/// Measured unchanged.
struct measured_order {
  std::string file;
};
/// Order in a file, refined.
struct improved_order {
  std::string file;
};
using wanted_order = std::variant<best_order, order_of_algorithm, measured_order, improved_order>;

struct goal {
  mapping::objective objective = mapping::objective::time;
  std::vector<double> level_costs;  ///< per byte; empty: equal links
};

struct map_options {
  std::string topology;  ///< specification or file
  job_nodes nodes;
  std::optional<std::uint32_t> slots;  ///< per node; default: the cores of `inside`, or 1
  node_places inside;
  traffic_source traffic;
  wanted_order order;
  map_format format = map_format::table;
  std::string output;
  goal wanted;
  double microseconds = 0;  ///< latency per link, for small messages
  double seconds = 10;      ///< limit of search time
  std::uint64_t seed = 1;
  std::uint64_t trials = UINT64_MAX;
  bool explain = false;
  std::vector<std::string> pictures;
  std::vector<std::string> heat_maps;  ///< .svg or .png; need no topology
};

/// Exit status; reports problems on standard error.
[[nodiscard]] int map(const map_options& options);

}  // namespace acre::tool
