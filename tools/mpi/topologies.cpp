// SPDX-License-Identifier: BSD-3-Clause
#include "topologies.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <span>

namespace acre::mpi {
namespace {

// Programs may create communicators in a loop.
constexpr std::size_t most_noted = 64;

struct notes {
  std::mutex mutex;
  std::vector<std::string> lines;
};

notes& the_notes() {
  static notes& only = *new notes;
  return only;
}

std::vector<int> world_ranks(MPI_Comm comm, int size) {
  MPI_Group members = MPI_Group{};
  MPI_Group world = MPI_Group{};
  PMPI_Comm_group(comm, &members);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  std::vector<int> places(static_cast<std::size_t>(size));
  std::iota(places.begin(), places.end(), 0);
  std::vector<int> ranks(places.size());
  PMPI_Group_translate_ranks(members, size, places.data(), world, ranks.data());
  PMPI_Group_free(&members);
  PMPI_Group_free(&world);
  return ranks;
}

// "0-11", or "2,0,3-5".
std::string in_runs(std::span<const int> ranks) {
  std::string text;
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t end = i + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
    if (!text.empty()) text += ',';
    text += std::to_string(ranks[i]);
    if (end - i > 1) text += '-' + std::to_string(ranks[end - 1]);
    i = end;
  }
  return text;
}

std::string by_crosses(std::span<const int> numbers) {
  std::string text;
  for (const int each : numbers) text += (text.empty() ? "" : "x") + std::to_string(each);
  return text;
}

std::string described(MPI_Comm comm, int size) {
  int topology = MPI_UNDEFINED;
  PMPI_Topo_test(comm, &topology);
  const auto ranks = [&] { return "ranks " + in_runs(world_ranks(comm, size)); };
  if (topology == MPI_GRAPH || topology == MPI_DIST_GRAPH) return "graph communicator: " + ranks();
  int dimensions = 0;
  if (topology == MPI_CART) PMPI_Cartdim_get(comm, &dimensions);
  if (dimensions == 0) return {};
  std::vector<int> extents(static_cast<std::size_t>(dimensions));
  std::vector<int> periods(extents.size());
  std::vector<int> place(extents.size());
  PMPI_Cart_get(comm, dimensions, extents.data(), periods.data(), place.data());
  for (int& each : periods) each = each != 0 ? 1 : 0;
  return "cartesian communicator: dims " + by_crosses(extents) + " periods " + by_crosses(periods) +
         " " + ranks();
}

}  // namespace

void note_topology(MPI_Comm made) {
  if (made == MPI_COMM_NULL) return;
  int rank = 0;
  int size = 0;
  PMPI_Comm_rank(made, &rank);
  PMPI_Comm_size(made, &size);
  if (rank != 0) return;
  std::string line = described(made, size);
  notes& all = the_notes();
  const std::lock_guard guard(all.mutex);
  if (line.empty() || all.lines.size() == most_noted) return;
  if (std::ranges::find(all.lines, line) == all.lines.end()) all.lines.push_back(std::move(line));
}

std::vector<std::string> noted_topologies(std::size_t first) {
  notes& all = the_notes();
  const std::lock_guard guard(all.mutex);
  const auto begin =
      all.lines.begin() + static_cast<std::ptrdiff_t>(std::min(first, all.lines.size()));
  return {begin, all.lines.end()};
}

}  // namespace acre::mpi
