// SPDX-License-Identifier: BSD-3-Clause
#include <acre/topology/fat_tree.hpp>

#include <acre/base/error.hpp>
#include <acre/base/specification.hpp>

#include <algorithm>

namespace acre::topology {
namespace {

std::size_t within_limits(std::size_t number) {
  if (number <= most_links_of_word) return number;
  throw error("topology::fat_tree", "the fat tree has more than 2^26 nodes or cables",
              "use fewer levels, children or cables");
}

/// Cannot overflow: both factors are below 2^32.
std::size_t product(std::size_t a, std::size_t b) { return within_limits(a * b); }

}  // namespace

std::size_t fat_tree::count_nodes(const std::vector<level>& levels) {
  if (levels.empty()) {
    throw error("topology::fat_tree", "the fat tree has no levels", "add at least 1 level");
  }
  std::size_t nodes = 1;
  for (const level& each : levels) {
    if (each.children == 0 || each.parents == 0 || each.cables == 0 || !(each.bandwidth > 0)) {
      throw error("topology::fat_tree",
                  "a level of the fat tree has 0 children, parents or cables, or no bandwidth",
                  "each number must be at least 1, and each bandwidth greater than 0");
    }
    nodes = product(nodes, each.children);
  }
  return nodes;
}

std::size_t fat_tree::count_links(const std::vector<level>& levels) {
  std::size_t subtrees = count_nodes(levels);
  std::size_t copies = 1;
  std::size_t links = 0;
  for (const level& each : levels) {
    const std::size_t up = product(product(product(subtrees, copies), each.parents), each.cables);
    links = within_limits(links + 2 * up);
    subtrees /= each.children;
    copies *= each.parents;
  }
  return links;
}

fat_tree::fat_tree(const std::vector<level>& levels)
    : network(count_nodes(levels), count_links(levels)) {
  storey next{.shape = {}};
  for (const level& each : levels) {
    next.shape = each;
    const auto subtrees = static_cast<std::uint32_t>(nodes() / next.nodes_below);
    next.links_up = subtrees * next.copies_below * each.parents * each.cables;
    storeys_.push_back(next);
    next.first_link += 2 * next.links_up;
    next.nodes_below *= each.children;
    next.copies_below *= each.parents;
  }
}

std::size_t fat_tree::climb(node_t a, node_t b) const noexcept {
  std::size_t storeys = 0;
  while (storeys < storeys_.size() &&
         a / storeys_[storeys].nodes_below != b / storeys_[storeys].nodes_below) {
    ++storeys;
  }
  return storeys;
}

unsigned fat_tree::distance(node_t from, node_t to) const {
  return static_cast<unsigned>(2 * climb(from, to));
}

void fat_tree::route(node_t from, node_t to, std::vector<link_t>& crossed) const {
  const std::size_t top = climb(from, to);
  // Number among the top switches of the same sub-tree; its digits are the parents chosen.
  std::uint32_t copy = 0;
  const auto cable = [&](const storey& here, node_t node, std::uint32_t lower_copy) {
    const auto [children, parents, cables, speed] = here.shape;
    const std::uint32_t parent = to / here.copies_below % parents;
    const std::uint32_t which = to / here.copies_below / parents % cables;
    const std::uint32_t lower = node / here.nodes_below * here.copies_below + lower_copy;
    return (lower * parents + parent) * cables + which;
  };
  for (std::size_t s = 0; s < top; ++s) {
    const storey& here = storeys_[s];
    crossed.push_back(here.first_link + cable(here, from, copy));
    copy += to / here.copies_below % here.shape.parents * here.copies_below;
  }
  for (std::size_t s = top; s-- > 0;) {
    const storey& here = storeys_[s];
    copy %= here.copies_below;
    crossed.push_back(here.first_link + here.links_up + cable(here, to, copy));
  }
}

const fat_tree::storey& fat_tree::storey_of(link_t link) const {
  const auto above = std::ranges::upper_bound(storeys_, link, {}, &storey::first_link);
  return *std::prev(above);
}

double fat_tree::bandwidth(link_t link) const { return storey_of(link).shape.bandwidth; }

std::string fat_tree::link_name(link_t link) const {
  const storey& here = storey_of(link);
  const bool up = link - here.first_link < here.links_up;
  const std::uint32_t place = (link - here.first_link) % here.links_up;
  const std::uint32_t each = here.shape.parents * here.shape.cables;
  const auto storey_number = static_cast<std::size_t>(&here - storeys_.data());
  const std::string lower =
      storey_number == 0 ? "node " : "level " + std::to_string(storey_number) + " switch ";
  return lower + std::to_string(place / each) + (up ? " up " : " down ") +
         std::to_string(place % each);
}

std::string fat_tree::name() const {
  std::string text = "fat-tree:" + std::to_string(storeys_.size());
  for (const auto member : {&level::children, &level::parents, &level::cables}) {
    std::vector<std::uint32_t> row;
    row.reserve(storeys_.size());
    for (const storey& each : storeys_) row.push_back(each.shape.*member);
    text += ";" + join(row, ',');
  }
  std::vector<double> speeds;
  speeds.reserve(storeys_.size());
  for (const storey& each : storeys_) speeds.push_back(each.shape.bandwidth);
  return text + bandwidths_name(speeds);
}

unsigned fat_tree::levels() const { return static_cast<unsigned>(storeys_.size() - 1); }

std::uint32_t fat_tree::group(node_t node, unsigned depth) const {
  return node / storeys_[storeys_.size() - 1 - depth].nodes_below;
}

}  // namespace acre::topology
