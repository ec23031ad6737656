#include "command_line.hpp"

#include <map>

namespace acre::tool {
namespace {

constexpr const char* about_map =
    "Finds the order in which a job's ranks should take its slots, so that ranks which talk\n"
    "much sit near each other. Says how much better it is than the default order, and writes\n"
    "it for a launcher.";

constexpr const char* examples =
    "Examples:\n"
    "  acre map --topology torus:8x8x6 --slots 24 --pattern cart:24x24x16\n"
    "  acre map --topology dragonfly:4x3x8x4 --nodes 0-95 --slots 8 --matrix traffic.mtx \\\n"
    "           --format rankfile --output ranks --explain --picture before-after.svg\n"
    "Networks: torus:8x8x6, mesh:16x16, hypercube:7, fat-tree:2;4,4;1,2;1,2,\n"
    "  dragonfly:8x6x16x4, tree:4x8x16; @10 gives bandwidths in GB/s.\n"
    "Patterns: cart:24x24x16, cart:8x8o, cannon:96x96, rows:8x16, columns:8x16, hypercube:7;\n"
    "  @8 gives bytes.\n"
    "Algorithms: packed, round-robin, folded, random, rows, snake, hilbert, blocks-rows,\n"
    "  blocks-snake, blocks-hilbert, grid-folding, hierarchical, hilbert-as-cp2k,\n"
    "  tree-grouping, recursive-bisection, greedy, reverse-cuthill-mckee, scotch;\n"
    "  with -refined behind a name, what exchanges make of it.";

const std::map<std::string, map_format>& formats() {
  static const std::map<std::string, map_format> names{
      {"table", map_format::table},       {"order", map_format::order},
      {"rankfile", map_format::rankfile}, {"mpich", map_format::mpich},
      {"slurm", map_format::slurm},       {"intel", map_format::intel},
      {"json", map_format::json}};
  return names;
}

/// From 0 on; unlike CLI::Range, which lets it pass, "nan" is none.
CLI::Validator number_within(double most) {
  const auto check = [most](const std::string& text) -> std::string {
    double number = 0;
    if (CLI::detail::lexical_cast(text, number) && number >= 0 && number <= most) return {};
    return text + " is no number from 0 to " + CLI::detail::to_string(most);
  };
  return {check, "NUMBER"};
}

/// As a script says it whose variable is not set.
CLI::Validator not_empty() {
  const auto check = [](const std::string& text) {
    return text.empty() ? std::string("it is empty") : std::string();
  };
  return {check, ""};
}

void add_problem(CLI::App& map, map_options& options) {
  map.add_option("-t,--topology", options.topology, "the network, as torus:8x8x6")
      ->type_name("SPEC|FILE")
      ->check(not_empty())
      ->required();
  map.add_option("--nodes", options.nodes,
                 "the job's nodes, as 0-63,70 or n[01-16]:24, a hostfile, or the word job: what "
                 "Slurm or PBS says; all without it")
      ->type_name("LIST|FILE")
      ->check(not_empty());
  map.add_option("--slots", options.slots,
                 "ranks that a node takes; without it one, or one for each core of --inside")
      ->type_name("N")
      ->check(CLI::Range(1U, 1U << 20));
  map.add_option("--inside", options.inside,
                 "what is in a node, as 2x4x8 (packages, NUMA domains, cores), a file of lstopo, "
                 "or the word here: ranks of a node are put near each other too")
      ->type_name("SPEC|FILE")
      ->check(not_empty());
  auto* communication =
      map.add_option("-p,--pattern", options.communication, "who talks to whom, as cart:8x8")
          ->type_name("SPEC");
  map.add_option("-m,--matrix", options.matrix,
                 "the same from a file: Matrix Market, or a graph of METIS")
      ->type_name("FILE")
      ->excludes(communication);
}

void add_latency(CLI::App& map, map_options& options) {
  map.add_option("--latency", options.microseconds,
                 "what a link adds to a message's way: it counts where messages are small")
      ->type_name("MICROSECONDS")
      ->capture_default_str()
      ->check(number_within(1e6));
}

void add_result(CLI::App& map, map_options& options) {
  map.add_option("-a,--algorithm", options.algorithm, "take this one; without it the best")
      ->type_name("NAME")
      ->check(not_empty());
  map.add_option("--time", options.seconds, "how long to search")
      ->type_name("SECONDS")
      ->capture_default_str()
      ->check(number_within(86400));
  map.add_option("--seed", options.seed, "where chance begins")
      ->type_name("N")
      ->capture_default_str();
  map.add_option("--trials", options.trials,
                 "exchanges that a refinement looks at: with time enough, the same order each time")
      ->type_name("N");
  map.add_option("-f,--format", options.format,
                 "table, order, rankfile, mpich, slurm, intel or json")
      ->type_name("NAME")
      ->transform(CLI::CheckedTransformer(formats()).description(""));
  map.add_option("-o,--output", options.output,
                 "where to write it (an order, if no format is given)")
      ->type_name("FILE");
  map.add_flag("--explain", options.explain, "say in sentences what was gained, and where");
  map.add_option("--picture", options.pictures, "draw the default order and the chosen one")
      ->type_name("FILE.svg|FILE.png");
}

}  // namespace

CLI::App* add_map(CLI::App& acre, map_options& options) {
  CLI::App* map = acre.add_subcommand("map", "find the order of ranks that suits a network");
  map->description(about_map);
  map->footer(examples);
  add_problem(*map, options);
  add_latency(*map, options);
  add_result(*map, options);
  map->callback([map, &options] {
    if (options.communication.empty() && options.matrix.empty()) {
      throw CLI::RequiredError("--pattern or --matrix");
    }
    if (!options.output.empty() && map->count("--format") == 0) {
      options.format = map_format::order;
    }
  });
  return map;
}

}  // namespace acre::tool
