// SPDX-License-Identifier: BSD-3-Clause
// acre-graph: graph kernels on all ranks.
#include <apps/graph/kernels.hpp>
#include <apps/program/program.hpp>
#include <tools/command_line/files.hpp>

#include <optional>

namespace {

using namespace acre::graph;
using acre::command_line::command;

template <class Request>
struct kernel {
  Request wanted{};
  command& words;
  std::optional<acre::command_line::option> scale;
  std::optional<acre::command_line::option> edge_factor;

  kernel(command& program, const char* name, const char* about)
      : words(program.add_command(name, about)) {
    words.add("--seed", wanted.seed, "another graph for each, and other roots").shown_default();
    scale = words.add("--scale", wanted.scale, "of the Kronecker graph: it has 2^scale vertices")
                .shown_default()
                .within(1U, 31U);
    edge_factor = words.add("--edge-factor", wanted.edge_factor, "edges for each vertex")
                      .shown_default()
                      .within(1U, 1U << 16);
  }
  void or_file() {
    words.add("--from", wanted.from, "a file of Matrix Market, whose entries are the edges instead")
        .type_name("FILE")
        .check(acre::command_line::problem_of_shared_input)
        .excludes(*scale)
        .excludes(*edge_factor);
  }
  void times(const char* name, unsigned& value, const char* help) {
    words.add(name, value, help).shown_default().within(1U, 1U << 20);
  }
};

}  // namespace

int main(int argc, char** argv) {
  command program{"Graphs as sparse matrices.", "acre-graph"};
  program.require_command();
  program.footer("Run it with: acre run -n 4 acre-graph bfs --scale 16");

  kernel<search_request> of_search(program, "bfs", "breadth-first searches, as Graph500 has them");
  of_search.or_file();
  of_search.times("--roots", of_search.wanted.roots, "where searches begin");

  kernel<rank_request> of_ranks(program, "pagerank", "how often a random walk is where");
  of_ranks.or_file();
  of_ranks.times("--iterations", of_ranks.wanted.iterations, "products with the matrix");

  kernel<times_request> of_triangles(program, "triangles", "how many there are");
  of_triangles.or_file();
  of_triangles.times("--times", of_triangles.wanted.times, "of which the best counts");

  kernel<times_request> of_components(program, "components", "which vertices are connected");
  of_components.or_file();
  of_components.times("--times", of_components.wanted.times, "of which the best counts");

  kernel<times_request> of_square(program, "square", "the product of the matrix with itself");
  of_square.or_file();
  of_square.times("--times", of_square.wanted.times, "of which the best counts");

  kernel<times_request> of_product(program, "product", "of the matrix and a vector");
  of_product.or_file();
  of_product.times("--times", of_product.wanted.times, "of which the best counts");

  kernel<store_request> of_store(program, "edges", "writes the list of edges to a file");
  of_store.words.add("--to", of_store.wanted.path, "where each edge is two numbers of 64 bits")
      .type_name("FILE")
      .check(acre::command_line::problem_of_shared_output)
      .required();

  const auto work = [&] {
    if (of_search.words.given()) search(of_search.wanted);
    if (of_ranks.words.given()) rank_pages(of_ranks.wanted);
    if (of_triangles.words.given()) count_triangles(of_triangles.wanted);
    if (of_components.words.given()) find_components(of_components.wanted);
    if (of_square.words.given()) square(of_square.wanted);
    if (of_product.words.given()) multiply_vector(of_product.wanted);
    if (of_store.words.given()) store(of_store.wanted);
  };
  return acre::program::run(program, argc, argv, work, "--scale takes a smaller graph");
}
