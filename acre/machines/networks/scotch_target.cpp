// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/scotch_target.hpp>

#include <acre/topology/fat_tree.hpp>
#include <acre/topology/graph.hpp>
#include <acre/topology/torus.hpp>

#include <algorithm>
#include <array>

namespace acre::machines {
namespace {

constexpr std::array<std::string_view, 16> architectures{
    "mesh2D", "mesh3D", "meshXD", "torus2D", "torus3D", "torusXD", "hcub",  "cmplt",
    "tleaf",  "deco",   "cmpltw", "ltleaf",  "sub",     "vcmplt",  "vhcub", "deco2"};

class target_reader {
 public:
  explicit target_reader(const source_text& file) : file_(file), words_(words_of(file.text())) {}

  described_network read() {
    const std::string_view kind = next_word();
    std::unique_ptr<const topology::network> made =
        file_.at_line(line(), [&] { return make(kind); });
    if (made->nodes() > most_nodes)
      file_.fail(line(), "the architecture has more than 2^20 nodes", if_too_large);
    if (at_ != words_.size()) {
      next_word();
      file_.fail(line(), "expected the end, found " + in_quotes(words_[at_ - 1]),
                 "remove the extra text, or correct the architecture's numbers");
    }
    return {.network = std::move(made), .node_names = {}};
  }

 private:
  [[nodiscard]] std::unique_ptr<const topology::network> make(std::string_view kind) {
    if (kind == "mesh2D") return make_grid(2, false);
    if (kind == "mesh3D") return make_grid(3, false);
    if (kind == "meshXD") return make_grid(number("the number of dimensions"), false);
    if (kind == "torus2D") return make_grid(2, true);
    if (kind == "torus3D") return make_grid(3, true);
    if (kind == "torusXD") return make_grid(number("the number of dimensions"), true);
    if (kind == "hcub")
      return std::make_unique<topology::torus>(topology::hypercube(number("a dimension")));
    if (kind == "cmplt") {
      return std::make_unique<topology::fat_tree>(
          std::vector<topology::fat_tree::level>{{.children = number("a number of nodes")}});
    }
    if (kind == "tleaf") return make_tree();
    if (kind == "deco") return make_graph();
    file_.fail(
        line(), in_quotes(kind) + " is an unsupported architecture",
        "use mesh2D, mesh3D, meshXD, torus2D, torus3D, torusXD, hcub, cmplt, tleaf or deco 0");
  }

  [[nodiscard]] std::unique_ptr<const topology::network> make_grid(std::uint32_t dimensions,
                                                                   bool wraps) {
    constexpr std::uint32_t most_dimensions = 32;
    if (dimensions > most_dimensions)
      file_.fail(line(), "the architecture has more than 32 dimensions", if_too_large);
    std::vector<topology::torus::dimension> made;
    made.reserve(dimensions);
    for (std::uint32_t d = 0; d < dimensions; ++d) {
      made.push_back({.extent = number("an extent"), .wraps = wraps});
    }
    return std::make_unique<topology::torus>(std::move(made));
  }

  [[nodiscard]] std::unique_ptr<const topology::network> make_tree() {
    const std::uint32_t levels = number("a number of levels");
    std::vector<topology::fat_tree::level> made;
    for (std::uint32_t l = 0; l < levels; ++l) {
      const std::uint32_t children = number("a number of children");
      const std::uint32_t cost = number("a cost");
      if (cost == 0) file_.fail(line(), "a cost is zero", "write a cost of at least 1");
      made.push_back({.children = children, .bandwidth = topology::usual_bandwidth / cost});
    }
    std::ranges::reverse(made);
    return std::make_unique<topology::fat_tree>(made);
  }

  [[nodiscard]] std::unique_ptr<const topology::network> make_graph() {
    if (number("the kind of decomposition") != 0) {
      file_.fail(line(), "the kind of this decomposition is not 0",
                 "use the file that amk_grf or your own program wrote, not one that Scotch saved");
    }
    const std::uint32_t nodes = number("a number of nodes");
    const std::uint32_t domains = number("a number of domains");
    if (nodes == 0 || nodes > most_nodes_of_distances || domains < nodes) {
      file_.fail(line(),
                 "the number of nodes is 0 or more than 512, or exceeds the number of domains",
                 "describe larger machines by their links");
    }
    std::vector<bool> named(nodes);
    std::vector<topology::node_t> label;
    for (std::uint32_t i = 0; i < nodes; ++i) {
      label.push_back(number("the number of a node"));
      if (label.back() >= nodes || named[label.back()]) {
        file_.fail(line(), "a node's number is too large or a duplicate", "count from 0");
      }
      named[label.back()] = true;
      static_cast<void>(number("the weight of a node"));
      static_cast<void>(number("the domain of a node"));
    }
    std::vector<std::uint32_t> distance(std::size_t{nodes} * nodes);
    for (std::uint32_t i = 1; i < nodes; ++i) {
      for (std::uint32_t j = 0; j < i; ++j) {
        const std::uint32_t each = number("a distance");
        if (each == 0) file_.fail(line(), "a distance is zero", "write a distance of at least 1");
        distance[i * nodes + j] = distance[j * nodes + i] = each;
      }
    }
    std::vector<topology::graph::cable> cables = cables_of(nodes, distance);
    for (topology::graph::cable& each : cables)
      each = {label[each.a], label[each.b], each.bandwidth};
    return std::make_unique<topology::graph>(nodes, 0, std::move(cables));
  }

  [[nodiscard]] static std::vector<topology::graph::cable> cables_of(
      std::uint32_t nodes, const std::vector<std::uint32_t>& distance) {
    const auto between = [&](std::uint32_t a, std::uint32_t b) -> std::uint64_t {
      return distance[a * nodes + b];
    };
    std::vector<topology::graph::cable> cables;
    for (std::uint32_t a = 0; a < nodes; ++a) {
      for (std::uint32_t b = 0; b < a; ++b) {
        bool passes_another = false;
        for (std::uint32_t c = 0; c < nodes && !passes_another; ++c) {
          passes_another = c != a && c != b && between(a, c) + between(c, b) <= between(a, b);
        }
        if (passes_another) continue;
        const double bandwidth = topology::usual_bandwidth / static_cast<double>(between(a, b));
        cables.push_back({.a = a, .b = b, .bandwidth = bandwidth});
      }
    }
    return cables;
  }

  std::string_view next_word() {
    if (at_ == words_.size()) file_.fail("the file is empty", "write an architecture");
    return words_[at_++];
  }

  std::uint32_t number(const char* wanted) {
    if (at_ == words_.size()) {
      file_.fail(line(), "end of file, but " + std::string(wanted) + " is expected",
                 "check that the file is complete");
    }
    const auto value = as_number(words_[at_++]);
    if (!value) {
      file_.fail(line(),
                 "expected " + std::string(wanted) + ", found " + in_quotes(words_[at_ - 1]),
                 "write a number below 2^32");
    }
    return *value;
  }

  [[nodiscard]] std::size_t line() const {
    if (at_ == 0) return 1;
    return file_.line_of(static_cast<std::size_t>(words_[at_ - 1].data() - file_.text().data()));
  }

  const source_text& file_;
  std::vector<std::string_view> words_;
  std::size_t at_ = 0;
};

}  // namespace

bool names_scotch_target(std::string_view word) {
  return std::ranges::find(architectures, word) != architectures.end();
}

described_network read_scotch_target(const source_text& file) { return target_reader(file).read(); }

}  // namespace acre::machines
