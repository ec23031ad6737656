// SPDX-License-Identifier: BSD-3-Clause
// What the program can be asked for. Each prints one line of JSON, and fails where its result is
// wrong.
#pragma once

#include <apps/graph/graph_request.hpp>

#include <cstdint>
#include <string>

namespace acre::graph {

struct search_request : graph_request {
  unsigned roots = 64;
};
struct times_request : graph_request {
  unsigned times = 3;
};
struct rank_request : graph_request {
  unsigned iterations = 20;
};
struct store_request : graph_request {
  std::string path;
};

// Collective. @throws acre::error on all ranks when a result is wrong
void search(const search_request& wanted);    ///< breadth first, from many roots
void rank_pages(const rank_request& wanted);  ///< PageRank
void count_triangles(const times_request& wanted);
void find_components(const times_request& wanted);
void square(const times_request& wanted);           ///< A A, of numbers and of edges
void multiply_vector(const times_request& wanted);  ///< A x
void store(const store_request& wanted);            ///< the list of edges, in a file

}  // namespace acre::graph
