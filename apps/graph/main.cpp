// SPDX-License-Identifier: BSD-3-Clause
// acre-graph: graph kernels on all ranks.
#include <acre/base/error.hpp>

#include <apps/graph/kernels.hpp>
#include <apps/program/program.hpp>
#include <tools/command_line/files.hpp>

#include <optional>
#include <string>

namespace {

using namespace acre::graph;
using acre::command_line::command;

std::string problem_of_generator(const graph_request& wanted) {
  try {
    static_cast<void>(wanted.list());
  } catch (const acre::error& problem) {
    return problem.problem();
  }
  return "";
}

template <class Request>
struct kernel {
  Request wanted{};
  command& words;
  std::optional<acre::command_line::option> scale;
  std::optional<acre::command_line::option> edge_factor;
  std::optional<acre::command_line::option> generate;

  kernel(command& program, const char* name, const char* about)
      : words(program.add_command(name, about)) {
    words.add("--seed", wanted.seed, "seed all random numbers").shown_default();
    scale = words.add("--scale", wanted.scale, "use a Kronecker graph of 2^SCALE vertices")
                .shown_default()
                .within(1U, 31U);
    edge_factor = words
                      .add("--edge-factor", wanted.edge_factor,
                           "generate this number of edges for each vertex")
                      .shown_default()
                      .within(1U, 1U << 16);
    generate = words
                   .add("--generate", wanted.generate,
                        "use another random graph instead: rmat:SCALE,EDGES, "
                        "geometric:VERTICES,RADIUS or gnm:VERTICES,EDGES")
                   .type_name("GRAPH")
                   .excludes(*scale)
                   .excludes(*edge_factor);
    words.refuse([this] { return problem_of_generator(wanted); });
  }
  void or_file() {
    words.add("--from", wanted.from, "read the edges from FILE (Matrix Market) instead")
        .type_name("FILE")
        .check(acre::command_line::problem_of_shared_input)
        .excludes(*scale)
        .excludes(*edge_factor)
        .excludes(*generate);
  }
  void directed() {
    words.add("--directed", wanted.is_directed, "take each edge in one direction only");
  }
  void output(const std::string& values) {
    file("-o,--output", wanted.output,
         "write a line for each vertex to FILE: its number, and " + values);
    words.refuse([this] {
      return acre::command_line::clash_of({{"--output", wanted.output}}, {{"--from", wanted.from}});
    });
  }
  void searches(const char* roots) {
    words.add("--root", wanted.root, "start from this vertex")
        .excludes(words.add("--roots", wanted.roots, roots).shown_default().within(1U, 1U << 20));
    file(
        "--parents", wanted.parents,
        "write a line for each vertex to FILE: its number, and the least predecessor on a shortest "
        "path, or -1");
    words.refuse([this]() -> std::string {
      if (wanted.output.empty() && wanted.parents.empty()) return "";
      if (!wanted.root) return "--output and --parents need --root";
      return acre::command_line::clash_of(
          {{"--output", wanted.output}, {"--parents", wanted.parents}}, {{"--from", wanted.from}});
    });
  }
  void file(const char* name, std::string& path, const std::string& help) {
    words.add(name, path, help)
        .type_name("FILE")
        .check(acre::command_line::problem_of_shared_output);
  }
  void times(const char* name, unsigned& value, const char* help) {
    words.add(name, value, help).shown_default().within(1U, 1U << 20);
  }
  void repeats() { times("--times", wanted.times, "repeat this many times and report the best"); }
};

}  // namespace

int main(int argc, char** argv) {
  command program{"Runs graph algorithms on sparse matrices.", "acre-graph"};
  program.require_command();
  program.footer("Run it with: acre run -n 4 acre-graph bfs --scale 16");

  kernel<search_request> of_search(program, "bfs", "run breadth-first searches, as in Graph500");
  of_search.or_file();
  of_search.searches("search from this number of roots");
  of_search.output("its distance from the root in edges, or -1");

  kernel<path_request> of_paths(program, "paths", "find the shortest paths from some vertices");
  of_paths.or_file();
  of_paths.directed();
  of_paths.searches("start from this number of roots");
  of_paths.output("its distance from the root, or -1");
  of_paths.times("--delta", of_paths.wanted.delta,
                 "work on distances of this range at a time; edges have weights of 1 to 255");

  kernel<rank_request> of_ranks(program, "pagerank", "compute the PageRank of each vertex");
  of_ranks.or_file();
  of_ranks.directed();
  of_ranks.output("its PageRank");
  of_ranks.times("--iterations", of_ranks.wanted.iterations,
                 "multiply by the matrix this many times");

  kernel<times_request> of_triangles(program, "triangles", "count the triangles");
  of_triangles.or_file();
  of_triangles.repeats();

  kernel<times_request> of_components(program, "components", "find the connected components");
  of_components.or_file();
  of_components.output("the least vertex of its component");
  of_components.repeats();

  kernel<times_request> of_cores(program, "cores", "find the core number of each vertex");
  of_cores.or_file();
  of_cores.output("its core number");
  of_cores.repeats();

  kernel<label_request> of_communities(program, "communities",
                                       "find communities by label propagation");
  of_communities.or_file();
  of_communities.output("the label of its community");
  of_communities.times("--rounds", of_communities.wanted.rounds,
                       "propagate labels at most this many times");

  kernel<times_request> of_matching(program, "matching", "find a maximal matching");
  of_matching.or_file();
  of_matching.output("its partner, or -1");
  of_matching.repeats();

  kernel<sample_request> of_betweenness(program, "betweenness",
                                        "compute the betweenness centrality of each vertex");
  of_betweenness.or_file();
  of_betweenness.directed();
  of_betweenness.output("its betweenness, not normalised");
  of_betweenness.times("--sources", of_betweenness.wanted.sources,
                       "estimate it by the paths from this number of vertices");

  kernel<times_request> of_square(program, "square", "multiply the matrix with itself");
  of_square.or_file();
  of_square.repeats();

  kernel<times_request> of_product(program, "product", "multiply the matrix with a vector");
  of_product.or_file();
  of_product.repeats();

  kernel<store_request> of_store(program, "edges", "write the list of edges to a file");
  of_store.words.add("--to", of_store.wanted.path, "write each edge to FILE as two 64-bit numbers")
      .type_name("FILE")
      .check(acre::command_line::problem_of_shared_output)
      .required();

  const auto work = [&] {
    if (of_search.words.given()) search(of_search.wanted);
    if (of_paths.words.given()) find_paths(of_paths.wanted);
    if (of_ranks.words.given()) rank_pages(of_ranks.wanted);
    if (of_triangles.words.given()) count_triangles(of_triangles.wanted);
    if (of_components.words.given()) find_components(of_components.wanted);
    if (of_cores.words.given()) find_cores(of_cores.wanted);
    if (of_communities.words.given()) find_communities(of_communities.wanted);
    if (of_matching.words.given()) match(of_matching.wanted);
    if (of_betweenness.words.given()) find_betweenness(of_betweenness.wanted);
    if (of_square.words.given()) square(of_square.wanted);
    if (of_product.words.given()) multiply_vector(of_product.wanted);
    if (of_store.words.given()) store(of_store.wanted);
  };
  return acre::program::run(program, argc, argv, work, "choose a smaller --scale");
}
