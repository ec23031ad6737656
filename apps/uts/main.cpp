// SPDX-License-Identifier: BSD-3-Clause
// acre-uts: counts an unpredictable tree and compares the size with the published one.
#include <acre/acre.hpp>

#include <apps/program/program.hpp>
#include <apps/uts/search.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>

namespace {

using namespace acre::uts;

struct request {
  std::string tree = "T1";
};

acre::command_line::command& define(acre::command_line::command& program, request& wanted) {
  program.add("--tree", wanted.tree, "search this tree of the benchmark")
      .shown_default()
      .one_of({"T1", "T3", "T1L", "T3L"});
  program.footer("Run it with: acre run -n 4 acre-uts");
  return program;
}

void run(const request& wanted) {
  const tree& whole = *std::ranges::find(published, wanted.tree, &tree::name);
  const auto begin = std::chrono::steady_clock::now();
  const search_result counted = search(whole);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  if (acre::rank() != 0) return;
  const census& found = counted.found;
  fmt::print("{}: {} nodes, {} leaves, depth {}; {} bags stolen, {:.2f} million nodes a second\n",
             whole.name, acre::program::grouped(found.nodes), acre::program::grouped(found.leaves),
             found.depth, acre::program::grouped(counted.stolen),
             static_cast<double>(found.nodes) / spent.count() / 1e6);
  if (found != whole.expected) {
    throw acre::error("acre-uts", fmt::format("the result is wrong: {} nodes are published",
                                              acre::program::grouped(whole.expected.nodes)));
  }
}

}  // namespace

int main(int argc, char** argv) {
  request wanted;
  acre::command_line::command program{
      "Counts the nodes of an unpredictable tree and checks them against the published sizes.",
      "acre-uts"};
  return acre::program::run(define(program, wanted), argc, argv, [&] { run(wanted); });
}
