// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/detail/several_grids.hpp>

#include <acre/mapping/curve.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace acre::mapping {
namespace {

std::uint64_t cells_in(std::span<const std::uint32_t> extents) {
  return std::accumulate(extents.begin(), extents.end(), std::uint64_t{1}, std::multiplies<>());
}

recognised_structure longest_first(recognised_structure grid) {
  std::vector<std::uint32_t> which(grid.extents.size());
  std::iota(which.begin(), which.end(), 0U);
  std::ranges::sort(which, {},
                    [&](std::uint32_t each) { return std::pair(~grid.extents[each], each); });
  const auto extents = turned(grid.extents, which);
  order cells = along_axes(rows(extents), grid.extents, which);
  for (cell_t& each : cells) each = grid.ranks[each];
  grid.ranks = std::move(cells);
  grid.extents = extents;
  return grid;
}

}  // namespace

several_grids::several_grids(const traffic& pairs, std::span<const rank_t> part_of)
    : pairs_(pairs), number_(part_of.size()) {
  constexpr std::size_t fewest = 8;
  std::vector<std::size_t> sizes;
  for (const rank_t part : part_of) {
    if (part >= sizes.size()) sizes.resize(part + std::size_t{1}, 0);
    ++sizes[part];
  }
  std::vector<std::uint32_t> place(sizes.size(), invalid_rank);
  for (rank_t rank = 0; rank < part_of.size(); ++rank) {
    const rank_t part = part_of[rank];
    if (sizes[part] < fewest) continue;
    if (place[part] == invalid_rank) {
      place[part] = static_cast<std::uint32_t>(members_.size());
      members_.emplace_back().reserve(sizes[part]);
    }
    members_[place[part]].push_back(rank);
  }
  std::ranges::sort(members_, {}, [](const std::vector<rank_t>& some) {
    return std::pair(~some.size(), some.front());
  });
  for (const auto& some : members_) {
    for (std::size_t i = 0; i < some.size(); ++i) number_[some[i]] = static_cast<rank_t>(i);
  }
}

bool several_grids::hold_most() const noexcept {
  std::size_t held = 0;
  for (const auto& some : members_) held += some.size();
  return members_.size() > 1 && 4 * held >= std::size_t{3} * pairs_.ranks();
}

traffic several_grids::within(std::size_t part) const {
  const std::vector<rank_t>& some = members_[part];
  std::vector<traffic::message> messages;
  for (const rank_t rank : some) {
    for (const auto& [to, bytes] : pairs_.from(rank)) {
      const rank_t number = number_[to];
      if (number < some.size() && some[number] == to) {
        messages.push_back({number_[rank], number, bytes});
      }
    }
  }
  return {static_cast<rank_t>(some.size()), messages};
}

void several_grids::set(std::size_t part, std::optional<recognised_structure> found) {
  if (!found) return;
  double bytes = 0;
  for (const rank_t rank : members_[part]) {
    for (const auto& each : pairs_.from(rank)) {
      const rank_t number = number_[each.to];
      if (number < members_[part].size() && members_[part][number] == each.to) bytes += each.bytes;
    }
  }
  explained_ += found->explained * bytes;
  for (rank_t& each : found->ranks) {
    if (each != invalid_rank) each = members_[part][each];
  }
  found_.push_back(longest_first(std::move(*found)));
}

std::optional<recognised_structure> several_grids::side_by_side() && {
  constexpr std::uint64_t most_cells_a_rank = 4;
  recognised_structure all;
  all.name = name();
  all.explained = explained_ / pairs_.total();
  all.extents = enclosing();
  std::size_t seated = 0;
  for (const auto& each : found_) {
    seated +=
        each.ranks.size() - static_cast<std::size_t>(std::ranges::count(each.ranks, invalid_rank));
  }
  if (found_.size() < 2 || 4 * seated < std::size_t{3} * pairs_.ranks()) return {};
  const std::uint64_t cells = cells_in(all.extents);
  if (cells > most_cells_a_rank * pairs_.ranks()) {
    all.ranks = behind_each_other();
    all.extents = {pairs_.ranks()};
  } else {
    if (const auto others = pairs_.ranks() - seated; cells - seated < others) {
      const std::uint64_t layer = cells / all.extents.front();
      all.extents.front() += static_cast<std::uint32_t>((others - 1) / layer + 1);
    }
    all.ranks = in_cells(all.extents);
  }
  seat_others(all.ranks);
  return all;
}

std::vector<std::uint32_t> several_grids::enclosing() const {
  std::vector<std::uint32_t> extents(1, 0);
  for (const auto& each : found_) {
    extents.resize(std::max(extents.size(), each.extents.size()), 1);
    extents[0] += each.extents[0];
    for (std::size_t d = 1; d < each.extents.size(); ++d) {
      extents[d] = std::max(extents[d], each.extents[d]);
    }
  }
  return extents;
}

std::vector<rank_t> several_grids::in_cells(std::span<const std::uint32_t> extents) const {
  std::vector<rank_t> cells(cells_in(extents), invalid_rank);
  const std::uint64_t layer = cells.size() / extents.front();
  std::uint64_t first = 0;
  for (const auto& [name, remark, shape, ranks, explained] : found_) {
    for (std::size_t from = 0; from < ranks.size(); ++from) {
      std::uint64_t to = 0;
      std::uint64_t stride = 1;
      std::size_t left = from;
      for (std::size_t d = extents.size(); d-- > 0; stride *= extents[d]) {
        const std::uint32_t extent = d < shape.size() ? shape[d] : 1;
        to += left % extent * stride;
        left /= extent;
      }
      cells[first + to] = ranks[from];
    }
    first += layer * shape.front();
  }
  return cells;
}

std::vector<rank_t> several_grids::behind_each_other() const {
  std::vector<rank_t> all;
  for (const auto& each : found_) {
    for (const cell_t at : hilbert(each.extents)) {
      if (each.ranks[at] != invalid_rank) all.push_back(each.ranks[at]);
    }
  }
  all.resize(pairs_.ranks(), invalid_rank);
  return all;
}

void several_grids::seat_others(std::vector<rank_t>& cells) const {
  std::vector<bool> is_seated(pairs_.ranks(), false);
  for (const rank_t each : cells) {
    if (each != invalid_rank) is_seated[each] = true;
  }
  std::size_t free = cells.size();
  for (rank_t rank = pairs_.ranks(); rank-- > 0;) {
    if (is_seated[rank]) continue;
    do --free;
    while (cells[free] != invalid_rank);
    cells[free] = rank;
  }
}

std::string several_grids::name() const {
  constexpr std::size_t most = 4;
  if (found_.empty()) return {};
  const std::string& first = found_.front().name;
  if (std::ranges::all_of(found_, [&](auto& each) { return each.name == first; })) {
    return std::to_string(found_.size()) + " times " + first;
  }
  std::string all = std::to_string(found_.size()) + " parts: ";
  for (std::size_t i = 0; i < std::min(most, found_.size()); ++i) {
    all += (i == 0 ? "" : ", ") + found_[i].name;
  }
  return all + (found_.size() > most ? ", …" : "");
}

}  // namespace acre::mapping
