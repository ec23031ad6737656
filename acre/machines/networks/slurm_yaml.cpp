// SPDX-License-Identifier: BSD-3-Clause
// Converts the default topology of topology.yaml to lines of topology.conf.
#include <acre/machines/networks/hostlist.hpp>
#include <acre/machines/networks/slurm_lines.hpp>
#include <acre/machines/networks/slurm_topology.hpp>
#include <acre/machines/networks/yaml_text.hpp>

#include <algorithm>
#include <array>

namespace acre::machines {
namespace {

constexpr std::string_view example =
    "write it as in Slurm's manual: - topology: t1, below it tree: or block:";

void expect_list(const source_text& file, const json_value* value, const json_value& in,
                 const std::string& key) {
  if (value != nullptr && value->is == json_value::kind::list) return;
  file.fail(value != nullptr ? value->line : in.line,
            "the key '" + key + "' is missing or not a list", example);
}

std::string words_in(const source_text& file, const json_value& value) {
  if (value.is == json_value::kind::null || value.is == json_value::kind::object) {
    file.fail(value.line, "expected names", "write nodes: n[01-16]");
  }
  if (value.is != json_value::kind::list) return value.text;
  std::string all;
  for (const json_value& each : value.values) {
    all += (all.empty() ? "" : ",") + words_in(file, each);
  }
  return all;
}

struct attribute_name {
  std::string_view key;
  const char* name;
};

std::vector<slurm_line> lines_of(const source_text& file, const json_value& list,
                                 std::span<const attribute_name> names) {
  std::vector<slurm_line> lines;
  for (const json_value& each : list.values) {
    if (each.is != json_value::kind::object) file.fail(each.line, "expected an object", example);
    slurm_line line{.number = each.line, .attributes = {}};
    for (const std::string& key : each.keys) {
      const auto known = std::ranges::find(names, key, &attribute_name::key);
      if (known == names.end()) {
        file.fail(each.find(key)->line, in_quotes(key) + " is an unknown key of this object",
                  example);
      }
      line.attributes.push_back({known->name, words_in(file, *each.find(key))});
    }
    lines.push_back(std::move(line));
  }
  if (lines.empty()) file.fail(list.line, "the list is empty", example);
  return lines;
}

described_network read_tree(const source_text& file, const json_value& tree) {
  constexpr std::array names{attribute_name{"switch", "SwitchName"},
                             attribute_name{"children", "Switches"},
                             attribute_name{"nodes", "Nodes"}};
  expect_keys(file, tree, {"switches"});
  const json_value* switches = tree.find("switches");
  expect_list(file, switches, tree, "switches");
  return network_of_switches(file, lines_of(file, *switches, names));
}

described_network read_blocks(const source_text& file, const json_value& block) {
  constexpr std::array names{attribute_name{"block", "BlockName"},
                             attribute_name{"nodes", "Nodes"}};
  expect_keys(file, block, {"block_sizes", "blocks"});
  const json_value* blocks = block.find("blocks");
  expect_list(file, blocks, block, "blocks");
  std::vector<slurm_line> lines = lines_of(file, *blocks, names);
  if (const json_value* sizes = block.find("block_sizes")) {
    lines.push_back(
        {.number = sizes->line, .attributes = {{"BlockSizes", words_in(file, *sizes)}}});
  }
  return network_of_blocks(file, lines);
}

described_network read_ring(const source_text& file, const json_value& ring) {
  constexpr std::array names{attribute_name{"ring", "RingName"}, attribute_name{"nodes", "Nodes"}};
  expect_keys(file, ring, {"rings"});
  const json_value* rings = ring.find("rings");
  expect_list(file, rings, ring, "rings");
  return network_of_rings(file, lines_of(file, *rings, names));
}

using place = std::array<std::uint32_t, 3>;

place place_in(const source_text& file, const json_value* value, const json_value& in,
               std::uint32_t least) {
  place found{};
  for (std::size_t i = 0; i < found.size(); ++i) {
    constexpr std::array<std::string_view, 3> keys{"x", "y", "z"};
    const json_value* each = value == nullptr ? nullptr : value->find(keys[i]);
    const auto number = each == nullptr ? std::nullopt : as_number(each->text);
    if (!number || *number < least || *number > most_nodes) {
      file.fail((value == nullptr ? in : *value).line,
                "the numbers of x, y and z are missing or invalid", "write {x: 4, y: 4, z: 2}");
    }
    found[i] = *number;
  }
  return found;
}

class torus_reader {
 public:
  torus_reader(const source_text& file, const json_value& torus) : file_(file), torus_(torus) {}

  described_network read() {
    expect_keys(file_, torus_, {"name", "dims", "nodes", "regions", "placements"});
    extents_ = place_in(file_, torus_.find("dims"), torus_, 1);
    const std::size_t nodes = std::size_t{extents_[0]} * extents_[1] * extents_[2];
    if (std::size_t{extents_[0]} * extents_[1] > most_nodes || nodes > most_nodes) {
      file_.fail(torus_.line, "the torus has more than 2^20 nodes", if_too_large);
    }
    names_.resize(nodes);
    if (const json_value* all = torus_.find("nodes")) put(*all, {0, 0, 0}, extents_);
    if (const json_value* regions = torus_.find("regions")) {
      expect_list(file_, regions, torus_, "regions");
      for (const json_value& each : regions->values) {
        const json_value* inside = each.find("nodes");
        if (inside == nullptr) file_.fail(each.line, "the region has no nodes", example);
        put(*inside, place_in(file_, each.find("anchor"), each, 0),
            place_in(file_, each.find("dims"), each, 1));
      }
    }
    if (std::ranges::all_of(names_, &std::string::empty)) {
      file_.fail(torus_.line, "the torus has no nodes", "write nodes: n[01-32]");
    }
    return network_of_grid(file_, torus_.line, extents_, std::move(names_));
  }

 private:
  void put(const json_value& nodes, const place& anchor, const place& size) {
    const std::vector<std::string> names = file_.at_line(
        nodes.line, [&] { return expand_hostlist(words_in(file_, nodes), most_nodes); });
    for (std::size_t i = 0; i < size.size(); ++i) {
      if (std::size_t{anchor[i]} + size[i] > extents_[i]) {
        file_.fail(nodes.line, "the region exceeds the torus", "correct its anchor or dims");
      }
    }
    if (names.size() > std::size_t{size[0]} * size[1] * size[2]) {
      file_.fail(nodes.line, "the region has more nodes than places", "correct dims");
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::size_t x = anchor[0] + i % size[0];
      const std::size_t y = anchor[1] + i / size[0] % size[1];
      const std::size_t z = anchor[2] + i / size[0] / size[1];
      std::string& name = names_[x + extents_[0] * (y + extents_[1] * z)];
      if (!name.empty()) {
        file_.fail(nodes.line, "two regions contain the same place", "correct their anchors");
      }
      name = names[i];
    }
  }

  const source_text& file_;
  const json_value& torus_;
  place extents_{};
  std::vector<std::string> names_;
};

described_network read_torus(const source_text& file, const json_value& torus) {
  expect_keys(file, torus, {"toruses"});
  const json_value* all = torus.find("toruses");
  expect_list(file, all, torus, "toruses");
  if (all->values.size() != 1) {
    file.fail(all->line,
              "the number of toruses is not 1, and the links between several are unknown",
              "keep the torus that the job runs on");
  }
  return torus_reader(file, all->values.front()).read();
}

struct yaml_plugin {
  std::string_view key;
  described_network (*read)(const source_text&, const json_value&);
};
constexpr std::array yaml_plugins{yaml_plugin{"tree", read_tree}, yaml_plugin{"block", read_blocks},
                                  yaml_plugin{"ring", read_ring},
                                  yaml_plugin{"torus3d", read_torus}};

const json_value& usual_topology(const json_value& all) {
  const auto is_usual = [](const json_value& each) {
    const json_value* said = each.find("cluster_default");
    return said != nullptr && said->is == json_value::kind::boolean && said->number == 1;
  };
  const auto usual = std::ranges::find_if(all.values, is_usual);
  return usual == all.values.end() ? all.values.front() : *usual;
}

described_network read_topology(const source_text& file, const json_value& topology) {
  const json_value* described = nullptr;
  const yaml_plugin* by = nullptr;
  for (const yaml_plugin& each : yaml_plugins) {
    const json_value* here = topology.find(each.key);
    if (here == nullptr) continue;
    if (by != nullptr || topology.find("flat") != nullptr) {
      file.fail(here->line, "the topology has two kinds", "keep one of tree, block, ring …");
    }
    described = here;
    by = &each;
  }
  if (by == nullptr) {
    file.fail(topology.line, "the topology does not describe a network",
              "replace flat by tree or block, or use a specification: torus:8x8x6");
  }
  return by->read(file, *described);
}

}  // namespace

described_network read_slurm_yaml(const source_text& file) {
  const json_value all = parse_yaml(file);
  if (all.is != json_value::kind::list || all.values.empty()) {
    file.fail(all.line, "the list of topologies is missing", example);
  }
  for (const json_value& each : all.values) {
    expect_keys(file, each,
                {"topology", "cluster_default", "tree", "block", "flat", "ring", "torus3d"});
  }
  const json_value& usual = usual_topology(all);
  described_network made = read_topology(file, usual);
  if (all.values.size() > 1) {
    const json_value* name = usual.find("topology");
    made.warnings.insert(
        made.warnings.begin(),
        file.remark(usual.line, "the file has " + std::to_string(all.values.size()) +
                                    " topologies: this one" +
                                    (name == nullptr ? "" : ", " + in_quotes(name->text) + ",") +
                                    " is used, which is the default of its cluster"));
  }
  return made;
}

}  // namespace acre::machines
