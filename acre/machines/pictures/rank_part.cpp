// SPDX-License-Identifier: BSD-3-Clause
// Draws nodes and slots in rank colours, and their legend.
#include <acre/machines/pictures/parts.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace acre::machines {
namespace {

constexpr std::int64_t free_slot = -1;
constexpr colour free_ink{0.66, 0.69, 0.74};

std::vector<std::int64_t> ranks_of(const mapping::machine& where,
                                   const mapping::placement& places) {
  std::vector<std::int64_t> ranks(where.allocation.slots(), free_slot);
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    ranks[places[rank]] = static_cast<std::int64_t>(rank);
  }
  return ranks;
}

void append(boxes_by_colour& cells, const colour& ink, const box& cell) {
  std::vector<box>& boxes = cells[ink];
  constexpr double near = 1e-6;
  if (!boxes.empty() && boxes.back().y == cell.y &&
      std::abs(boxes.back().x + boxes.back().width - cell.x) < near) {
    boxes.back().width = cell.x + cell.width - boxes.back().x;
  } else {
    boxes.push_back(cell);
  }
}

/// Slots per row: full rows unless they are too slim.
std::size_t columns_of(std::size_t slots) {
  const auto square =
      static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(slots)) - 1e-9));
  for (std::size_t columns = square; columns <= 2 * square; ++columns) {
    if (slots % columns == 0) return columns;
  }
  return square;
}

void add_slots(const box& node, std::span<const std::int64_t> ranks,
               std::span<const colour> colours, boxes_by_colour& cells) {
  const auto colour_of = [&](std::int64_t rank) {
    return rank == free_slot ? white : colours[static_cast<std::size_t>(rank)];
  };
  const auto columns = static_cast<double>(columns_of(ranks.size()));
  const double rows = std::ceil(static_cast<double>(ranks.size()) / columns);
  constexpr double smallest = 0.9;
  if (node.width / columns < smallest) {
    const auto taken = std::ranges::find_if(ranks, [](auto rank) { return rank != free_slot; });
    cells[colour_of(taken == ranks.end() ? free_slot : *taken)].push_back(node);
    return;
  }
  const double width = node.width / columns;
  const double height = node.height / rows;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const auto [column, row] = place_of(i, static_cast<std::size_t>(columns));
    append(cells, colour_of(ranks[i]),
           {node.x + column * width, node.y + row * height, width, height});
  }
}

std::vector<colour> colours_of_ranks(const mapping::communication& what) {
  const std::vector<colour> of_cells = rank_colours(what.extents);
  std::vector<colour> colours(what.traffic.ranks());
  for (std::uint32_t cell = 0; cell < of_cells.size(); ++cell) {
    const mapping::rank_t rank = what.rank_of(cell);
    if (rank != mapping::invalid_rank) colours[rank] = of_cells[cell];
  }
  return colours;
}

constexpr text_style name_style{.size = 7.5, .at = anchor::middle};
constexpr double name_height = 9;

bool have_room(canvas& page, std::span<const std::string> names, const floor_plan& plan,
               const mapping::machine& where) {
  if (names.empty()) return false;
  const auto shares = where.allocation.shares();
  for (std::size_t place = 0; place < shares.size(); ++place) {
    const box& node = plan.nodes[shares[place].node];
    if (node.height < 2.5 * name_height) return false;
    if (page.width_of(names[place], name_style) > node.width * 0.86) return false;
  }
  return true;
}

box below_name(const box& node) {
  return {node.x, node.y + name_height, node.width, node.height - name_height};
}

}  // namespace

void draw_ranks(canvas& page, point at, const mapping::problem& given,
                const mapping::placement& places, const floor_plan& plan,
                std::span<const std::string> node_names) {
  const std::vector<std::int64_t> ranks = ranks_of(given.where, places);
  const std::vector<colour> colours = colours_of_ranks(given.what);
  const auto moved = [&](const box& there) {
    return box{there.x + at.x, there.y + at.y, there.width, there.height};
  };
  for (const auto& [where, label] : plan.areas) {
    page.frame(moved(where), pale, 0.7);
    if (page.width_of(label, label_style) > where.width - 4) continue;
    page.text({at.x + where.x + 3, at.y + where.y + label_style.size}, label, label_style);
  }
  const auto node_box = [&](const box& node) { return moved(node).shrunk(node.width * 0.06); };
  boxes_by_colour nodes;
  for (const box& node : plan.nodes) {
    if (node.width > 0) nodes[pale].push_back(node_box(node));
  }
  page.fill(nodes);
  const auto shares = given.where.allocation.shares();
  const bool named = have_room(page, node_names, plan, given.where);
  boxes_by_colour slots;
  std::vector<box> not_full;
  for (std::uint32_t place = 0; place < shares.size(); ++place) {
    const auto [node, count] = shares[place];
    const auto here = std::span(ranks).subspan(given.where.allocation.first_slot(place), count);
    const box whole = node_box(plan.nodes[node]);
    const box of_slots = named ? below_name(whole) : whole;
    add_slots(of_slots, here, colours, slots);
    if (std::ranges::find(here, free_slot) != here.end()) not_full.push_back(of_slots);
    if (named) {
      page.text({whole.middle().x, whole.y + name_style.size - 0.5}, node_names[place], name_style);
    }
  }
  page.fill(slots);
  page.frame(not_full, free_ink, 0.5);
}

void draw_rank_legend(canvas& page, point at, std::span<const std::uint32_t> extents) {
  const auto dimensions = coloured_dimensions(extents);
  double x = at.x;
  for (std::size_t part = 0; part < dimensions.size(); ++part) {
    const std::size_t dimension = dimensions[part];
    const std::string name =
        extents.size() == 1 ? "rank" : "coordinate " + std::to_string(dimension + 1);
    page.text({x, at.y}, name + ":  0", label_style);
    x += page.width_of(name + ":  0", label_style) + 5;
    constexpr std::size_t steps = 32;
    constexpr double step = 3;
    for (std::size_t i = 0; i < steps; ++i) {
      const double share = static_cast<double>(i) / (part == 0 ? steps : steps - 1);
      page.fill({x + static_cast<double>(i) * step, at.y - 8, step + 0.3, 9},
                legend_colour(static_cast<colour_part>(part), share));
    }
    x += steps * step + 5;
    const std::string last = std::to_string(extents[dimension] - 1);
    page.text({x, at.y}, last, label_style);
    x += page.width_of(last, label_style) + 24;
  }
}

}  // namespace acre::machines
