// SPDX-License-Identifier: BSD-3-Clause
#include "map.hpp"

#include "../complaint.hpp"
#include "../order.hpp"
#include "comparison.hpp"
#include "explanation.hpp"
#include "machine_source.hpp"
#include "map_json.hpp"
#include "map_result.hpp"
#include "order_format.hpp"
#include "places_in.hpp"
#include "traffic_source.hpp"
#include <acre/base/error.hpp>
#include <acre/base/standard_descriptors.hpp>
#include <acre/base/whole_file.hpp>
#include <acre/machines/pictures/heat_map.hpp>
#include <acre/machines/pictures/picture.hpp>
#include <acre/machines/scotch/scotch.hpp>
#include <acre/mapping/automatic.hpp>
#include <acre/mapping/inside_nodes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <variant>

namespace acre::tool {
namespace {

using mapping::candidate;

constexpr const char* call = "map";
/// Limit of a pattern's ranks without a machine.
constexpr std::size_t most_slots = std::size_t{1} << 31;

double left_of(double seconds, std::chrono::steady_clock::time_point begin) {
  const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - begin;
  return std::max(0.0, seconds - gone.count());
}

std::chrono::steady_clock::time_point half_of_time(double seconds,
                                                   std::chrono::steady_clock::time_point begin) {
  constexpr double longest = 1e6;
  const std::chrono::duration<double> half(std::min(seconds, longest) / 2);
  return begin + std::chrono::duration_cast<std::chrono::steady_clock::duration>(half);
}

std::string name_of_order(const std::string& file) { return "order of " + file; }

mapping::placement order_in(const std::string& file, const mapping::problem& given) {
  try {
    return read_order(file, given.what.traffic.ranks());
  } catch (const bad_order& wrong) {
    throw error(call, wrong.problem, wrong.advice);
  }
}

void try_alone(mapping::search_options& how, const std::string& file,
               const mapping::problem& given) {
  const std::string name = name_of_order(file);
  how.only = {mapping::typed_name(name)};
  how.more = {{name, [order = order_in(file, given)](const mapping::problem&) { return order; }}};
}

std::vector<candidate> found(const mapping::problem& given, const map_options& options,
                             std::chrono::steady_clock::time_point begin) {
  const std::chrono::duration<double> left(left_of(options.seconds, begin));
  mapping::search_options how{
      .at_most = std::chrono::duration_cast<std::chrono::milliseconds>(left),
      .seed = options.seed,
      // Takes 1/3 s for the 55296 flows of cart:24x24x16.
      .more = {{"scotch", machines::scotch, 6e-6}},
      .most_trials = options.trials};
  if (const auto* by = std::get_if<order_of_algorithm>(&options.order)) {
    how.only = {by->typed_name};
    if (!by->is_refined) how.refined = 0;
  } else if (const auto* measured = std::get_if<measured_order>(&options.order)) {
    try_alone(how, measured->file, given);
    how.refined = 0;
  } else if (const auto* improved = std::get_if<improved_order>(&options.order)) {
    try_alone(how, improved->file, given);
  }
  return mapping::search(given, how);
}

std::string wanted_name(const wanted_order& order) {
  if (const auto* by = std::get_if<order_of_algorithm>(&order)) return by->typed_name;
  if (const auto* measured = std::get_if<measured_order>(&order)) {
    return mapping::typed_name(name_of_order(measured->file));
  }
  return {};
}

const candidate& chosen(const std::vector<candidate>& all, const wanted_order& order) {
  const std::string name = wanted_name(order);
  if (name.empty()) return all.front();
  const auto wanted = std::ranges::find_if(
      all, [&](const candidate& each) { return mapping::typed_name(each.algorithm) == name; });
  if (wanted != all.end()) return *wanted;
  throw error(
      call, "mapping '" + name + "' not found for this job",
      "see acre map --help for all names; some need a grid, a small job or an optional library "
      "(acre --version --verbose), and large jobs may need more --time");
}

/// The default order stays in `all`.
const candidate& arranged(const mapping::problem& given, std::vector<candidate>& all,
                          const candidate& chosen, std::span<const std::uint32_t> inside,
                          double seconds) {
  const std::chrono::milliseconds at_most(static_cast<std::int64_t>(seconds * 1e3));
  candidate better = chosen;
  better.places = mapping::arranged_inside_nodes(given, std::move(better.places), inside, at_most);
  if (better.places == chosen.places) return chosen;
  better.name += ", arranged inside nodes";
  const auto place = all.begin() + (&chosen - all.data());
  if (&chosen == &mapping::default_order(all)) return *all.insert(place, std::move(better));
  return *place = std::move(better);
}

void require_costs(const std::vector<double>& costs, const topology::network& network) {
  const std::size_t levels = network.levels() + 2;
  if (costs.empty() || costs.size() == levels) return;
  throw error(call,
              fmt::format("--objective {} has {} costs, but {} needs {}", fmt::join(costs, ":"),
                          costs.size(), network.name(), levels),
              "give one cost within a node, one for each level of groups, and one for the whole");
}

std::string table_of(const mapping::communication& what, std::span<const candidate> all) {
  std::string text = comparison(all);
  if (!what.structure.empty()) text += "the ranks of this traffic form " + what.structure + "\n";
  if (!what.messages_from.empty()) {
    text += "latency is added for each of the messages in " + what.messages_from + "\n";
  }
  return text;
}

bool names_nodes_alone(map_format format) {
  return format == map_format::slurm || format == map_format::intel;
}

/// Rejects unsuitable formats before the search.
void require_format(map_format format, const described_machine& machine, std::size_t ranks,
                    std::span<const std::uint32_t> inside) {
  if (!inside.empty() && names_nodes_alone(format)) {
    throw error(call, "this format contains nodes only, not the places inside them",
                "use rankfile, mpich, order or json, or omit --inside");
  }
  if (names_nodes_alone(format) || format == map_format::rankfile) {
    require_plain_names(machine.node_names);
  }
  const std::size_t slots = machine.allocation.slots();
  if ((format == map_format::order || format == map_format::mpich) && ranks < slots) {
    throw error(
        call,
        fmt::format("{} ranks leave some of {} slots free, which this format does not support",
                    ranks, slots),
        "use as many slots as ranks (fewer --nodes, or fewer --slots), or the format "
        "rankfile, slurm, intel or json");
  }
}

void warn_of(const std::vector<std::string>& warnings) {
  for (const std::string& each : warnings) {
    std::fprintf(stderr, "acre: map: warning: %s\n", each.c_str());
  }
}

std::string in_format(map_format format, const map_result& result) {
  const written_order order{result.chosen.places, result.machine.allocation,
                            result.machine.node_names};
  switch (format) {
    case map_format::table:
      return table_of(result.given.what, result.all);
    case map_format::order:
      return as_order(order);
    case map_format::rankfile:
      return as_rankfile(order);
    case map_format::mpich:
      return as_mpich_rank_order(order);
    case map_format::slurm:
      return as_slurm_hostfile(order);
    case map_format::intel:
      return as_machinefile(order);
    case map_format::json:
      return as_json(result);
  }
  return {};
}

void draw_pictures(const map_result& result, const std::vector<std::string>& files) {
  const candidate& usual = mapping::default_order(result.all);
  const machines::pictured before{usual.name, usual.places, usual.measured};
  const machines::pictured after{result.chosen.name, result.chosen.places, result.chosen.measured};
  std::span<const std::string> names;
  if (result.machine.has_own_names) names = result.machine.node_names;
  for (const std::string& file : files) machines::draw(result.given, before, after, file, names);
}

void draw_heat_maps(const mapping::communication& what, const map_options& options) {
  for (const std::string& file : options.heat_maps) machines::draw_heat_map(what, file);
}

void draw_traffic(const map_options& options) {
  if (!options.output.empty() || !options.pictures.empty() || options.explain) {
    throw error(call, "--output, --picture and --explain need a network",
                "give it by --topology, e.g. torus:8x8x6");
  }
  for (const std::string& file : options.heat_maps) require_place(call, file);
  draw_heat_maps(traffic_of(options.traffic, options.microseconds != 0, most_slots), options);
}

void require_places(const map_options& options) {
  if (!options.output.empty()) require_place(call, options.output);
  for (const std::string& file : options.pictures) require_place(call, file);
  for (const std::string& file : options.heat_maps) require_place(call, file);
}

void write(const map_result& result, const map_options& options) {
  const std::string text = in_format(options.format, result);
  draw_pictures(result, options.pictures);
  draw_heat_maps(result.given.what, options);
  // Piped output has the order only.
  const bool piped = options.output.empty() && options.format != map_format::table;
  if (options.output.empty()) {
    std::fputs(text.c_str(), stdout);
  } else {
    write_whole(call, options.output, text);
    if (options.format != map_format::table) {
      std::fputs(table_of(result.given.what, result.all).c_str(), stdout);
    }
  }
  if (options.explain) {
    std::fputs(("\n" + explanation(result)).c_str(), piped ? stderr : stdout);
  }
  if (const std::string problem = lost_output(); !problem.empty()) {
    throw error(call, "standard output cannot be written: " + problem);
  }
}

}  // namespace

int map(const map_options& options) try {
  if (options.topology.empty() && !options.heat_maps.empty()) {
    draw_traffic(options);
    return 0;
  }
  const auto begin = std::chrono::steady_clock::now();
  const node_shape inside = read_node_shape(options.inside);
  const described_machine machine =
      read_machine(options.topology, options.nodes,
                   options.slots.value_or(inside.empty() ? 1 : places_in(inside)));
  warn_of(machine.warnings);
  const mapping::communication what =
      traffic_of(options.traffic, options.microseconds != 0, machine.allocation.slots(),
                 half_of_time(options.seconds, begin));
  warn_of(what.remarks);
  require_format(options.format, machine, what.traffic.ranks(), inside);
  require_places(options);
  const std::vector<double>& costs = options.wanted.level_costs;
  require_costs(costs, *machine.network);
  const mapping::problem given{
      what,
      {*machine.network, machine.allocation, options.microseconds * 1e-6, costs},
      options.wanted.objective};
  std::vector<candidate> all = found(given, options, begin);
  const candidate* best = &chosen(all, options.order);
  if (!inside.empty()) best = &arranged(given, all, *best, inside, left_of(options.seconds, begin));
  write({given, machine, all, *best, inside}, options);
  return 0;
} catch (const error& problem) {
  return complain(problem, 1);
}

}  // namespace acre::tool
