// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/simgrid_platform.hpp>

#include <acre/machines/networks/bandwidth_text.hpp>
#include <acre/machines/networks/detail/xml_text.hpp>
#include <acre/machines/networks/name_numbers.hpp>
#include <acre/machines/networks/simgrid_zones.hpp>
#include <acre/topology/dragonfly.hpp>
#include <acre/topology/fat_tree.hpp>
#include <acre/topology/torus.hpp>

#include <algorithm>

namespace acre::machines {
namespace {

class cluster_reader {
 public:
  cluster_reader(const source_text& file, const pugi::xml_node& cluster)
      : file_(file), cluster_(cluster), line_(line_of(file, cluster.offset_debug())) {}

  described_network read() const {
    const std::string_view kind = attribute("topology", "FLAT");
    std::unique_ptr<const topology::network> made =
        file_.at_line(line_, [&] { return make(kind); });
    if (made->nodes() > most_nodes) fail("the cluster has more than 2^20 nodes", if_too_large);
    const std::vector<std::uint32_t> numbers = node_numbers();
    if (numbers.size() != made->nodes()) {
      fail("radical lists " + std::to_string(numbers.size()) + " nodes, but " + made->name() +
               " has " + std::to_string(made->nodes()),
           "correct topo_parameters or radical");
    }
    return {.network = std::move(made), .node_names = names(numbers)};
  }

 private:
  [[noreturn]] void fail(std::string_view problem, std::string_view advice) const {
    file_.fail(line_, problem, advice);
  }

  [[nodiscard]] std::string_view attribute(const char* name, const char* otherwise) const {
    return cluster_.attribute(name).as_string(otherwise);
  }

  [[nodiscard]] std::unique_ptr<const topology::network> make(std::string_view kind) const {
    if (kind == "TORUS") return make_torus();
    if (kind == "FAT_TREE") return make_fat_tree();
    if (kind == "DRAGONFLY") return make_dragonfly();
    if (kind == "FLAT") {
      const auto nodes = static_cast<std::uint32_t>(node_numbers().size());
      return std::make_unique<topology::fat_tree>(
          std::vector<topology::fat_tree::level>{{.children = nodes, .bandwidth = bandwidth()}});
    }
    fail("the topology " + in_quotes(kind) + " is unknown",
         "use TORUS, FAT_TREE, DRAGONFLY or FLAT");
  }

  [[nodiscard]] double bandwidth() const {
    const std::string_view text = attribute("bw", "");
    const auto value = as_bandwidth(text, 1);
    if (!value) fail("bw=" + in_quotes(text) + " is not a bandwidth", "write bw=\"125MBps\"");
    return *value;
  }

  [[nodiscard]] std::vector<std::vector<std::uint32_t>> rows() const {
    std::vector<std::vector<std::uint32_t>> found{{}};
    const std::string_view text = attribute("topo_parameters", "");
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find_first_of(",;", begin), text.size());
      const auto number = as_number(without_blanks_around(text.substr(begin, end - begin)));
      if (!number) {
        fail("topo_parameters=" + in_quotes(text) + " is not a list of numbers",
             "write topo_parameters=\"3,2,2\"");
      }
      found.back().push_back(*number);
      if (end < text.size() && text[end] == ';') found.emplace_back();
      begin = end + 1;
    }
    return found;
  }

  void expect(bool right, const char* example) const {
    if (right) return;
    fail("topo_parameters=" + in_quotes(attribute("topo_parameters", "")) +
             " does not have the numbers that this topology needs",
         "write topo_parameters=\"" + std::string(example) + "\"");
  }

  [[nodiscard]] std::unique_ptr<const topology::network> make_torus() const {
    const auto numbers = rows();
    expect(numbers.size() == 1, "3,2,2");
    std::vector<topology::torus::dimension> dimensions;
    dimensions.reserve(numbers.front().size());
    for (const std::uint32_t extent : numbers.front()) {
      dimensions.push_back({.extent = extent, .bandwidth = bandwidth()});
    }
    return std::make_unique<topology::torus>(std::move(dimensions));
  }

  [[nodiscard]] std::unique_ptr<const topology::network> make_fat_tree() const {
    const auto numbers = rows();
    const std::size_t levels = numbers.front().front();
    expect(numbers.size() == 4 && numbers[0].size() == 1 && numbers[1].size() == levels &&
               numbers[2].size() == levels && numbers[3].size() == levels,
           "2;4,4;1,2;1,2");
    std::vector<topology::fat_tree::level> made;
    made.reserve(levels);
    for (std::size_t l = 0; l < levels; ++l) {
      made.push_back({.children = numbers[1][l],
                      .parents = numbers[2][l],
                      .cables = numbers[3][l],
                      .bandwidth = bandwidth()});
    }
    return std::make_unique<topology::fat_tree>(made);
  }

  [[nodiscard]] std::unique_ptr<const topology::network> make_dragonfly() const {
    const auto numbers = rows();
    expect(numbers.size() == 4 && numbers[0].size() == 2 && numbers[1].size() == 2 &&
               numbers[2].size() == 2 && numbers[3].size() == 1,
           "3,4;3,2;5,1;2");
    const double each = bandwidth();
    return std::make_unique<topology::dragonfly>(
        topology::dragonfly::shape{.groups = numbers[0][0],
                                   .chassis = numbers[1][0],
                                   .blades = numbers[2][0],
                                   .nodes = numbers[3][0],
                                   .node_bandwidth = each,
                                   .blade_bandwidth = each * numbers[2][1],
                                   .chassis_bandwidth = each * numbers[1][1],
                                   .group_bandwidth = each * numbers[0][1]});
  }

  [[nodiscard]] std::vector<std::uint32_t> node_numbers() const {
    return simgrid_radical(file_, line_, attribute("radical", ""));
  }

  [[nodiscard]] std::vector<std::string> names(const std::vector<std::uint32_t>& numbers) const {
    const std::string before(attribute("prefix", ""));
    const std::string after(attribute("suffix", ""));
    constexpr std::size_t digits = 10;
    if (before.size() + after.size() + digits > longest_name)
      fail("a name is too long", "use at most 255 characters");
    name_numbers all(file_, "node");
    for (const std::uint32_t number : numbers) {
      std::string name = before;
      all.add(name.append(std::to_string(number)).append(after), line_);
    }
    return all.names();
  }

  const source_text& file_;
  const pugi::xml_node& cluster_;
  std::size_t line_;
};

/// Tests whether the platform is one cluster without backbone or other hosts.
class cluster_search {
 public:
  explicit cluster_search(const pugi::xml_node& platform) {
    static_cast<void>(platform.find_node([&](const pugi::xml_node& node) {
      const std::string_view kind = node.name();
      if (kind == "cluster") {
        cluster_ = node;
        ++places_;
      }
      if (kind == "host" || kind == "cabinet" || kind == "peer") ++places_;
      return places_ > 1;
    }));
  }

  [[nodiscard]] bool is_alone() const {
    return cluster_ && places_ == 1 && !cluster_.attribute("bb_bw");
  }
  [[nodiscard]] const pugi::xml_node& cluster() const { return cluster_; }

 private:
  pugi::xml_node cluster_;
  std::size_t places_ = 0;
};

}  // namespace

described_network read_simgrid_platform(const source_text& file) {
  const pugi::xml_document document = parse_xml(file);
  const pugi::xml_node platform = document.child("platform");
  if (!platform) file.fail(1, "the file is not a platform of SimGrid", "begin it with <platform>");
  const cluster_search found(platform);
  return found.is_alone() ? cluster_reader(file, found.cluster()).read()
                          : read_simgrid_zones(file, platform);
}

}  // namespace acre::machines
