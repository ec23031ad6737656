// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/json_network.hpp>

#include <acre/machines/networks/json_text.hpp>
#include <acre/machines/networks/name_numbers.hpp>
#include <acre/topology/graph.hpp>
#include <acre/topology/specification.hpp>

#include <cmath>

namespace acre::machines {
namespace {

class json_reader {
 public:
  explicit json_reader(const source_text& file)
      : file_(file), root_(parse_json(file)), vertices_(file, "node or switch") {}

  described_network read() {
    expect_keys(file_, root_, {"network", "nodes", "switches", "links", "allocation"});
    const json_value* specification = root_.find("network");
    described_network made = specification != nullptr ? named(*specification) : drawn();
    made.has_allocation = root_.find("allocation") != nullptr;
    return made;
  }

 private:
  described_network named(const json_value& specification) {
    if (specification.is != json_value::kind::text) {
      file_.fail(specification.line, "the value of 'network' is not a text",
                 "write \"network\": \"torus:8x8x6\"");
    }
    for (const char* key : {"switches", "links"}) {
      if (const json_value* also = root_.find(key)) {
        file_.fail(also->line, "a network given by its specification cannot have " + in_quotes(key),
                   "give either 'network' or 'nodes' and 'links'");
      }
    }
    described_network made{
        .network = file_.at_line(specification.line,
                                 [&] { return topology::make_network(specification.text); }),
        .node_names = {}};
    if (made.network->nodes() > most_nodes) {
      file_.fail(specification.line, "the network has more than 2^20 nodes", if_too_large);
    }
    if (const json_value* nodes = root_.find("nodes")) {
      add_vertices(*nodes);
      if (vertices_.size() != made.network->nodes()) {
        file_.fail(nodes->line,
                   std::to_string(vertices_.size()) + " nodes have names, but " +
                       made.network->name() + " has " + std::to_string(made.network->nodes()),
                   "name all nodes or omit 'nodes'");
      }
      made.node_names = vertices_.names();
    }
    return made;
  }

  described_network drawn() {
    const json_value& nodes = needed("nodes");
    add_vertices(nodes);
    described_network made{.network = nullptr, .node_names = vertices_.names()};
    const std::uint32_t node_count = vertices_.size();
    const json_value* named = root_.find("switches");
    const bool none =
        named == nullptr || (named->is == json_value::kind::list && named->values.empty());
    if (!none) add_vertices(*named);
    const json_value& links = needed("links");
    if (links.is != json_value::kind::list) {
      file_.fail(links.line, "the value of 'links' is not a list", "write \"links\": [{…}, …]");
    }
    for (const json_value& each : links.values) add_link(each);
    const std::uint32_t switches = vertices_.size() - node_count;
    made.network = file_.as_a_whole([&] {
      auto groups = topology::groups_by_switches(node_count, switches, cables_);
      return std::make_unique<topology::graph>(node_count, switches, std::move(cables_),
                                               std::move(groups));
    });
    return made;
  }

  [[nodiscard]] const json_value& needed(const char* key) const {
    const json_value* found = root_.find(key);
    if (found == nullptr) {
      file_.fail(root_.line, "the key " + in_quotes(key) + " is missing",
                 "give either 'network' or 'nodes' and 'links'");
    }
    return *found;
  }

  void add_vertices(const json_value& names) {
    for (const std::string& name : names_in(file_, names)) vertices_.add(name, names.line);
  }

  [[nodiscard]] std::vector<topology::graph::vertex_t> ends(const json_value& link,
                                                            const char* key) const {
    const json_value* value = link.find(key);
    if (value == nullptr) {
      file_.fail(link.line, "a link has no " + in_quotes(key),
                 "write {\"from\": \"n0\", \"to\": \"s0\"}");
    }
    std::vector<topology::graph::vertex_t> found;
    for (const std::string& name : names_in(file_, *value)) {
      const auto known = vertices_.find(name);
      if (!known) {
        file_.fail(value->line, in_quotes(name) + " is neither a node nor a switch",
                   "add it to 'nodes' or 'switches'");
      }
      found.push_back(*known);
    }
    return found;
  }

  [[nodiscard]] double bandwidth_of(const json_value& link) const {
    const json_value* value = link.find("bandwidth");
    if (value == nullptr) return topology::usual_bandwidth;
    if (value->is != json_value::kind::number ||
        !topology::is_bandwidth(value->number * topology::gigabyte)) {
      file_.fail(value->line, "a bandwidth is not a number from 1e-9 to 1e9", "write it in GB/s");
    }
    return value->number * topology::gigabyte;
  }

  void add_link(const json_value& link) {
    expect_keys(file_, link, {"from", "to", "bandwidth", "cables"});
    const std::vector<topology::graph::vertex_t> from = ends(link, "from");
    const std::vector<topology::graph::vertex_t> to = ends(link, "to");
    const double bandwidth = bandwidth_of(link);
    const json_value* several = link.find("cables");
    const std::size_t each = several == nullptr ? 1 : count_in(file_, *several);
    if (from.size() * to.size() > (most_links - cables_.size()) / each) {
      file_.fail(link.line, "the network has more than 2^23 cables", if_too_large);
    }
    for (const topology::graph::vertex_t a : from) {
      for (const topology::graph::vertex_t b : to) {
        if (a == b) {
          file_.fail(link.line, in_quotes(vertices_.name(a)) + " is linked to itself",
                     "remove it from one end of the link");
        }
        cables_.insert(cables_.end(), each, {.a = a, .b = b, .bandwidth = bandwidth});
      }
    }
  }

  const source_text& file_;
  json_value root_;
  name_numbers vertices_;
  std::vector<topology::graph::cable> cables_;
};

}  // namespace

described_network read_json_network(const source_text& file) { return json_reader(file).read(); }

}  // namespace acre::machines
