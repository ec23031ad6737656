// SPDX-License-Identifier: BSD-3-Clause
#include <acre/layout/grid_search.hpp>

#include <vector>

namespace acre::layout {
namespace {

void extend(std::vector<std::size_t>& parts, std::span<const std::size_t> given,
            std::size_t members, const std::function<void(std::span<const std::size_t>)>& f) {
  const std::size_t d = parts.size();
  if (d == given.size()) {
    if (members == 1) f(parts);
    return;
  }
  const std::size_t first = given[d] == 0 ? 1 : given[d];
  const std::size_t last = given[d] == 0 ? members : given[d];
  for (std::size_t each = first; each <= last; ++each) {
    if (members % each != 0) continue;
    parts.push_back(each);
    extend(parts, given, members / each, f);
    parts.pop_back();
  }
}

}  // namespace

void each_grid(std::span<const std::size_t> given, std::size_t members,
               const std::function<void(std::span<const std::size_t>)>& f) {
  std::vector<std::size_t> parts;
  extend(parts, given, members, f);
}

double contact(std::span<const std::size_t> parts, std::span<const std::size_t> extents) {
  double sum = 0;
  for (std::size_t d = 0; d < parts.size(); ++d) {
    const double cuts = static_cast<double>(parts[d] - 1);
    sum += parts[d] > extents[d] ? 1e3 * cuts : cuts / static_cast<double>(extents[d]);
  }
  return sum;
}

}  // namespace acre::layout
