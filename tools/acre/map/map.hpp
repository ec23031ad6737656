// `acre map`: finds the order in which a job's ranks should take its slots, so that
// those who talk much sit near each other.
//
// From a network, the nodes of a job and a communication of communication to a table of
// all mappings that were tried, and to a file that a launcher reads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace acre::tool {

/// What is written. `table` compares the mappings, the others hold the chosen order.
enum class map_format { table, order, rankfile, mpich, slurm, intel, json };

struct map_options {
  std::string topology;                ///< a specification
  std::string nodes;                   ///< numbers and ranges, or a file of them; empty: all
  std::optional<std::uint32_t> slots;  ///< of each node; none: all of its cores, or 1
  std::string inside;                  ///< the places of a node; empty: not looked at
  std::string communication;           ///< a specification; or
  std::string matrix;                  ///< a file of traffic
  std::string messages;                ///< a file of their numbers; empty: what is beside `matrix`
  std::string grid;                    ///< in which its ranks stand; empty: it is looked for
  std::string algorithm;               ///< empty: the best of all
  std::string evaluated;               ///< a file with an order, which alone is looked at; or
  std::string start;                   ///< one that is made better
  map_format format = map_format::table;
  std::string output;              ///< a file; empty: standard output
  std::string objective = "time";  ///< "time", "hop-bytes", or costs of levels as "1:10:100"
  double microseconds = 0;         ///< that a link adds to a message's way
  double seconds = 10;             ///< to search for
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
