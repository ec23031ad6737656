// SPDX-License-Identifier: BSD-3-Clause
// Kernels of acre-graph; each prints a line of JSON and verifies its result.
#pragma once

#include <apps/graph/graph_request.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace acre::graph {

struct search_request : graph_request {
  unsigned roots = 64;
  std::optional<unsigned> root{};  ///< instead of `roots`
  std::string parents{};           ///< file for the tree; may be empty
};
struct times_request : graph_request {
  unsigned times = 3;
};
struct rank_request : graph_request {
  unsigned iterations = 20;
};
struct label_request : graph_request {
  unsigned rounds = 10;
};
struct sample_request : graph_request {
  unsigned sources = 16;
};
struct path_request : search_request {
  unsigned delta = 32;
};
struct store_request : graph_request {
  std::string path;
};

// Collective. @throws acre::error on all ranks if the result is wrong
void search(const search_request& wanted);
void find_paths(const path_request& wanted);
void rank_pages(const rank_request& wanted);
void count_triangles(const times_request& wanted);
void find_components(const times_request& wanted);
void find_cores(const times_request& wanted);
void find_communities(const label_request& wanted);
void match(const times_request& wanted);
void find_betweenness(const sample_request& wanted);
void square(const times_request& wanted);
void multiply_vector(const times_request& wanted);
void store(const store_request& wanted);

}  // namespace acre::graph
