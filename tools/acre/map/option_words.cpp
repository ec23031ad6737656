// SPDX-License-Identifier: BSD-3-Clause
#include "option_words.hpp"

#include <acre/base/error.hpp>
#include <acre/base/specification.hpp>
#include <acre/mapping/automatic.hpp>

#include <algorithm>
#include <string_view>

namespace acre::tool {
namespace {

std::vector<std::uint32_t> numbers_from(const std::string& text, const char* advice) {
  specification_reader words(text, "map", advice);
  auto numbers = words.numbers('x');
  words.expect_end();
  return numbers;
}

}  // namespace

job_nodes nodes_from(const std::string& text) {
  if (text == "job") return nodes_of_this_job{};
  return listed_nodes{text};
}

node_places places_from(const std::string& text) {
  if (text == "here") return this_node{};
  if (text.find_first_not_of("0123456789x") != std::string::npos) return node_file{text};
  node_shape shape = numbers_from(
      text,
      "write the parts of a node as 2x4x8: 2 packages, 4 NUMA domains in each, 8 cores in each of "
      "these");
  if (std::ranges::find(shape, 0U) != shape.end()) {
    throw error("map", text + " contains a 0", "write the number of each part, at least 1: 2x4x8");
  }
  return shape;
}

std::vector<std::uint32_t> grid_from(const std::string& text) {
  return numbers_from(text, "write the extents of the grid of ranks: 64x32x32");
}

order_of_algorithm algorithm_from(const std::string& text) {
  constexpr std::string_view refined_mark = "-refined";
  order_of_algorithm wanted{.typed_name = mapping::typed_name(text)};
  wanted.is_refined = wanted.typed_name.ends_with(refined_mark);
  if (wanted.is_refined) {
    wanted.typed_name.resize(wanted.typed_name.size() - refined_mark.size());
  }
  return wanted;
}

goal goal_from(const std::string& text) {
  if (text == "time") return {};
  goal wanted{.objective = mapping::objective::cost, .level_costs = {}};
  if (text == "hop-bytes") return wanted;
  specification_reader words(
      text, "map",
      "write time, hop-bytes, or the costs of a byte within a node, within the "
      "smallest groups, and so on: 1:10:100");
  constexpr double most = 1e12;
  do {
    wanted.level_costs.push_back(words.positive("a cost"));
    if (wanted.level_costs.back() > most) {
      throw error("map", text + " has a cost above 1e12",
                  "write smaller costs; only their proportions matter");
    }
  } while (words.take(':'));
  words.expect_end();
  return wanted;
}

}  // namespace acre::tool
