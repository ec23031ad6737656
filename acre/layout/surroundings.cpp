// SPDX-License-Identifier: BSD-3-Clause
#include <acre/layout/surroundings.hpp>

#include <acre/layout/cut_at.hpp>

namespace acre::layout {
namespace {

/// Owner of a coordinate, as a stretch of one. In an empty line all are beyond an edge.
stretch find(const lined_up& line, std::ptrdiff_t coordinate) {
  const auto extent = static_cast<std::ptrdiff_t>(line.extent());
  if (extent == 0 || (coordinate < 0 && !line.wraps_before) ||
      (coordinate >= extent && !line.wraps_after)) {
    return {.where = side::own, .at = 0, .count = 1, .is_beyond = true};
  }
  const auto index = static_cast<std::size_t>((coordinate % extent + extent) % extent);
  const std::size_t part = block_at(line.begins, index);
  return {.where = side::own, .at = 0, .count = 1, .part = part, .from = index - line.begins[part]};
}

bool continues(const stretch& before, const stretch& next) {
  if (before.is_beyond || next.is_beyond) return before.is_beyond && next.is_beyond;
  return before.part == next.part && before.from + before.count == next.from;
}

void add(std::vector<stretch>& all, const lined_up& line, side where, std::ptrdiff_t first,
         std::size_t count, std::size_t at) {
  bool is_first = true;
  for (std::size_t i = 0; i < count; ++i) {
    stretch next = find(line, first + static_cast<std::ptrdiff_t>(i));
    if (!is_first && continues(all.back(), next)) {
      ++all.back().count;
      continue;
    }
    is_first = false;
    next.where = where;
    next.at = at + i;
    all.push_back(next);
  }
}

}  // namespace

std::vector<stretch> lined_up::around(std::size_t part) const {
  const std::size_t first = begins[part];
  const std::size_t count = begins[part + 1] - first;
  std::vector<stretch> all;
  if (count == 0) return all;
  add(all, *this, side::before,
      static_cast<std::ptrdiff_t>(first) - static_cast<std::ptrdiff_t>(width_before), width_before,
      margin_before - width_before);
  all.push_back({.where = side::own, .at = margin_before, .count = count, .part = part});
  add(all, *this, side::after, static_cast<std::ptrdiff_t>(first + count), width_after,
      margin_before + count);
  return all;
}

std::vector<std::size_t> lined_up::readers(std::size_t part) const {
  std::vector<std::size_t> found;
  if (begins[part] == begins[part + 1]) return found;
  for (std::size_t other = 0; other < parts(); ++other) {
    const std::vector<stretch> kept = around(other);
    const bool reads = std::any_of(kept.begin(), kept.end(), [&](const stretch& each) {
      return !each.is_beyond && each.part == part;
    });
    if (reads) found.push_back(other);
  }
  return found;
}

}  // namespace acre::layout
