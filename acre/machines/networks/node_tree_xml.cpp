// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/node_tree_xml.hpp>

#include <acre/base/parse_number.hpp>
#include <acre/machines/networks/detail/xml_text.hpp>

#include <algorithm>
#include <array>
#include <unordered_map>

namespace acre::machines {
namespace {

struct kind_name {
  std::string_view type;
  topology::place_kind kind;
};
constexpr std::array kind_names{kind_name{"Package", topology::place_kind::package},
                                kind_name{"NUMANode", topology::place_kind::numa_domain},
                                kind_name{"L3Cache", topology::place_kind::l3_cache},
                                kind_name{"L2Cache", topology::place_kind::l2_cache},
                                kind_name{"Core", topology::place_kind::core},
                                kind_name{"PU", topology::place_kind::processing_unit}};

constexpr std::array<std::string_view, 4> devices{"Bridge", "PCIDev", "OSDev", "Misc"};

bool is_read(std::string_view version) {
  return version.starts_with("2.") || version.starts_with("3.");
}

/// CPU set of hwloc: hexadecimal 32-bit words, highest first, comma-separated; an empty word is 0;
/// a leading "0xf...f" sets all higher bits.
class unit_set {
 public:
  static std::optional<unit_set> read(std::string_view text) {
    constexpr std::string_view all_above = "0xf...f";
    unit_set made;
    for (bool is_last = false; !is_last;) {
      const std::size_t comma = text.rfind(',');
      is_last = comma == std::string_view::npos;
      std::string_view word = is_last ? text : text.substr(comma + 1);
      text = text.substr(0, is_last ? 0 : comma);
      if (is_last && word == all_above) {
        made.has_all_above_ = true;
        break;
      }
      if (word.starts_with("0x")) word.remove_prefix(2);
      const auto bits =
          word.empty() ? std::optional(0U) : base::parse_number<std::uint32_t>(word, 16);
      if (!bits) return std::nullopt;
      made.words_.push_back(*bits);
    }
    return made;
  }

  [[nodiscard]] bool contains(std::uint32_t unit) const {
    constexpr std::uint32_t bits = 32;
    if (unit / bits >= words_.size()) return has_all_above_;
    return (words_[unit / bits] >> unit % bits & 1) != 0;
  }

 private:
  std::vector<std::uint32_t> words_;
  bool has_all_above_ = false;
};

/// Removes disallowed processing units, then cores, caches and packages left empty; but no NUMA
/// domains, whose memory may be usable.
void keep_allowed(topology::node_place& tree, const unit_set& allowed) {
  std::erase_if(tree.inside, [&](topology::node_place& each) {
    if (each.kind == topology::place_kind::processing_unit)
      return !allowed.contains(*each.os_index);
    keep_allowed(each, allowed);
    return each.inside.empty() && each.kind != topology::place_kind::numa_domain;
  });
}

class xml_walk {
 public:
  explicit xml_walk(const source_text& file) : file_(file) {}

  topology::node_place read(const pugi::xml_node& machine) {
    std::vector<topology::node_place> found;
    add_places(machine, found, 0);
    if (units_.empty())
      fail(machine, "the node has no processing unit", "check that the file is complete");
    topology::node_place node{
        .kind = topology::place_kind::node, .os_index = {}, .inside = std::move(found)};
    leave_out_disallowed(machine, node);
    topology::add_missing_cores(node);
    return node;
  }

  [[noreturn]] void fail(const pugi::xml_node& at, std::string_view problem,
                         std::string_view advice) const {
    file_.fail(line_of(file_, at.offset_debug()), problem, advice);
  }

 private:
  void leave_out_disallowed(const pugi::xml_node& machine, topology::node_place& node) const {
    const std::string_view text = machine.attribute("allowed_cpuset").as_string();
    if (text.empty()) return;
    const auto allowed = unit_set::read(text);
    if (!allowed) {
      fail(machine, "allowed_cpuset=" + in_quotes(text) + " is not a set of processing units",
           "write the file again with: lstopo node.xml");
    }
    keep_allowed(node, *allowed);
    if (topology::count(node, topology::place_kind::processing_unit) != 0) return;
    fail(machine, "allowed_cpuset=" + in_quotes(text) + " allows no processing unit of the node",
         "write the file on a node and with the CPU limits of the job");
  }

  [[nodiscard]] std::optional<std::uint32_t> index_of(const pugi::xml_node& object) const {
    const pugi::xml_attribute index = object.attribute("os_index");
    if (!index) return std::nullopt;
    const auto number = as_number(index.value());
    if (!number) {
      fail(object, "os_index=" + in_quotes(index.value()) + " is not a number",
           "write the file again with: lstopo node.xml");
    }
    return number;
  }

  [[nodiscard]] topology::node_place place_of(const pugi::xml_node& object,
                                              topology::place_kind kind) {
    topology::node_place made{.kind = kind, .os_index = index_of(object), .inside = {}};
    if (kind != topology::place_kind::processing_unit) return made;
    if (!made.os_index)
      fail(object, "a processing unit has no os_index",
           "write the file again with: lstopo node.xml");
    const auto [known, added] = units_.emplace(*made.os_index, object);
    if (!added) {
      fail(object,
           "duplicate processing unit " + std::to_string(*made.os_index) +
               ", first defined in line " +
               std::to_string(line_of(file_, known->second.offset_debug())),
           "write the file again with: lstopo node.xml");
    }
    return made;
  }

  void add_places(const pugi::xml_node& object, std::vector<topology::node_place>& to,
                  std::size_t depth) {
    constexpr std::size_t deepest = 64;
    if (depth == deepest)
      fail(object, "objects are nested too deeply", "check that it is the right file");
    if (++objects_ > most_nodes) fail(object, "the file has more than 2^20 objects", if_too_large);
    const std::string_view type = object.attribute("type").as_string();
    if (type.empty())
      fail(object, "an object has no type", "write the file again with: lstopo node.xml");
    std::vector<topology::node_place> domains;
    std::vector<topology::node_place> below;
    for (const pugi::xml_node each : object.children("object")) {
      const std::string_view inner = each.attribute("type").as_string();
      if (std::ranges::find(devices, inner) != devices.end()) continue;
      const bool is_memory = inner == "NUMANode" || inner == "MemCache";
      add_places(each, is_memory ? domains : below, depth + 1);
    }
    if (!domains.empty() && type != "MemCache") {
      domains.front().inside = std::move(below);
      below = std::move(domains);
    } else {
      below.insert(below.begin(), domains.begin(), domains.end());
    }
    const auto known = std::ranges::find(kind_names, type, &kind_name::type);
    if (known == kind_names.end()) {
      to.insert(to.end(), std::make_move_iterator(below.begin()),
                std::make_move_iterator(below.end()));
      return;
    }
    to.push_back(place_of(object, known->kind));
    to.back().inside = std::move(below);
  }

  const source_text& file_;
  std::unordered_map<std::uint32_t, pugi::xml_node> units_;
  std::size_t objects_ = 0;
};

}  // namespace

topology::node_place read_node_tree(const source_text& file) {
  const pugi::xml_document document = parse_xml(file);
  const pugi::xml_node root = document.child("topology");
  if (!root) file.fail(1, "the file is not XML of hwloc", "write it with: lstopo node.xml");
  xml_walk walk(file);
  if (!is_read(root.attribute("version").as_string())) {
    walk.fail(root, "the version of the XML is not that of hwloc 2 or 3",
              "write it with the lstopo of hwloc 2 or 3");
  }
  const pugi::xml_node machine = root.child("object");
  if (!machine) walk.fail(root, "the topology has no object", "check that the file is complete");
  return walk.read(machine);
}

}  // namespace acre::machines
