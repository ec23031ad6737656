// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/pictures/link_kinds.hpp>

#include <acre/topology/torus.hpp>

#include <unordered_map>

namespace acre::machines {
namespace {

bool is_number(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::string kind_of_link(std::string_view link_name) {
  if (const std::size_t end = link_name.find(") ");
      link_name.starts_with('(') && end != std::string_view::npos && end + 3 < link_name.size()) {
    const std::string_view axis = link_name.substr(end + 3);
    return is_number(axis) ? "dimension " + std::string(axis) : std::string(axis);
  }
  std::string kind;
  bool keep_number = false;
  while (!link_name.empty()) {
    const std::string_view word = link_name.substr(0, link_name.find(' '));
    link_name.remove_prefix(word.size() + (word.size() < link_name.size() ? 1 : 0));
    if (!is_number(word) || keep_number) {
      if (word != "port") kind += (kind.empty() ? "" : " ") + std::string(word);
    }
    keep_number = word == "level";
  }
  return kind;
}

bool is_there(const topology::network& network, topology::link_t link) {
  const auto* torus = dynamic_cast<const topology::torus*>(&network);
  if (torus == nullptr) return true;
  const auto dimensions = torus->dimensions();
  std::size_t place = link / 2 / dimensions.size();
  const std::size_t along = link / 2 % dimensions.size();
  for (std::size_t d = 0; d < along; ++d) place /= dimensions[d].extent;
  const auto& [extent, wraps, bandwidth] = dimensions[along];
  place %= extent;
  if (wraps) return extent > 1;
  return link % 2 == 0 ? place + 1 < extent : place > 0;
}

std::vector<link_kind> link_kinds(const topology::network& network) {
  std::vector<link_kind> kinds;
  std::unordered_map<std::string, std::size_t> known;
  for (std::size_t link = 0; link < network.links(); ++link) {
    const auto each = static_cast<topology::link_t>(link);
    if (!is_there(network, each)) continue;
    const std::string kind = kind_of_link(network.link_name(each));
    const auto [found, is_new] = known.emplace(kind, kinds.size());
    if (is_new) kinds.push_back({.name = kind, .links = {}});
    kinds[found->second].links.push_back(each);
  }
  return kinds;
}

}  // namespace acre::machines
