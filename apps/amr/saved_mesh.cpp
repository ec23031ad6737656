// SPDX-License-Identifier: BSD-3-Clause
#include <apps/amr/saved_mesh.hpp>

#include <acre/agas/checkpoint.hpp>
#include <acre/global/team/team.hpp>

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

namespace acre::amr {

/// Only member of its collection; files contain this name.
struct run_so_far {
  problem given;
  std::uint32_t steps = 0;

  friend auto acre_fields(run_so_far& r) { return std::tie(r.given, r.steps); }
};

namespace {

using nodes_of_mesh = object_collection<tree_node>;

std::vector<std::size_t> places_of(std::size_t mine) {
  std::vector<std::size_t> places{0};
  for (const std::size_t of_rank : world().allgather(mine)) {
    places.push_back(places.back() + of_rank);
  }
  return places;
}

}  // namespace

void save_mesh(const problem& given, std::uint32_t steps, std::vector<tree_node> mine,
               const std::string& path) {
  std::ranges::sort(mine, {}, [](const tree_node& each) { return each.where().curve_begin(); });
  const std::vector<std::size_t> places = places_of(mine.size());
  const auto run =
      make_collection<run_so_far>(1, [&](std::size_t) { return run_so_far{given, steps}; });
  const nodes_of_mesh nodes = make_collection<tree_node>(
      places.back(), dist::at(places),
      [&](std::size_t number) { return std::move(mine[number - places[rank()]]); });
  checkpoint(std::tie(run, nodes), path);
}

saved_mesh load_mesh(const std::string& path) {
  auto [run, nodes] = restore<object_collection<run_so_far>, nodes_of_mesh>(path);
  const run_so_far known = invoke(run[0], [](const run_so_far& all) { return all; }).get();
  return {known.given, known.steps, std::move(nodes)};
}

}  // namespace acre::amr
