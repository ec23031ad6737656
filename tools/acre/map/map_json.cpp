// SPDX-License-Identifier: BSD-3-Clause
#include "map_json.hpp"

#include "comparison.hpp"
#include "order_format.hpp"

#include <nlohmann/json.hpp>

namespace acre::tool {
namespace {

using json = nlohmann::ordered_json;

json described(const mapping::metrics& found) {
  return {{"time_seconds", found.time},
          {"blocking_time_seconds", found.blocking_time},
          {"largest_load_seconds", found.largest_load},
          {"mean_load_seconds", found.mean_load},
          {"hop_bytes", found.hop_bytes},
          {"cost", found.cost},
          {"mean_hops", found.mean_hops()},
          {"mean_dilation", found.mean_dilation},
          {"largest_dilation", found.largest_dilation},
          {"bytes_between_nodes", found.bytes_between_nodes},
          {"bytes_by_distance", found.bytes_by_distance}};
}

json described(const mapping::problem& given, const described_machine& machine) {
  json nodes = json::array();
  for (const auto& share : given.where.allocation.shares()) {
    nodes.push_back(
        {{"name", machine.node_names[nodes.size()]}, {"node", share.node}, {"slots", share.slots}});
  }
  return {{"topology", given.where.network.name()},
          {"pattern", given.what.name},
          {"grid", given.what.extents},
          {"structure", given.what.structure},
          {"ranks", given.what.traffic.ranks()},
          {"bytes", given.what.traffic.total()},
          {"nodes", std::move(nodes)}};
}

}  // namespace

std::string as_json(const map_result& result) {
  const written_order order{result.chosen.places, result.machine.allocation,
                            result.machine.node_names};
  const mapping::metrics& usual = mapping::default_order(result.all).measured;
  json node_of_rank = json::array();
  for (const topology::slot_t slot : order.places) {
    node_of_rank.push_back(order.node_names[order.allocation.place_of(slot)]);
  }
  json tried = json::array();
  for (const mapping::candidate& each : result.all) {
    tried.push_back({{"mapping", each.name},
                     {"seconds_taken", each.took.count()},
                     {"speed_up", speed_up(usual, each.measured)},
                     {"metrics", described(each.measured)}});
  }
  const json document{{"problem", described(result.given, result.machine)},
                      {"mapping", result.chosen.name},
                      {"speed_up", speed_up(usual, result.chosen.measured)},
                      {"slot_of_rank", order.places},
                      {"rank_of_slot", ranks_of_slots(order)},
                      {"node_of_rank", std::move(node_of_rank)},
                      {"metrics", described(result.chosen.measured)},
                      {"default", described(usual)},
                      {"tried", std::move(tried)}};
  // Names may be invalid UTF-8.
  constexpr int no_indent = -1;
  return document.dump(no_indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
         "\n";
}

}  // namespace acre::tool
