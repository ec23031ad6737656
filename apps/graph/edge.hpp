// SPDX-License-Identifier: BSD-3-Clause
// Edges, and the shares of members in a list.
#pragma once

#include <acre/layout/cut.hpp>

#include <cstdint>
#include <functional>

namespace acre::graph {

struct edge {
  std::uint64_t from;
  std::uint64_t to;
  friend bool operator==(const edge&, const edge&) noexcept = default;
  friend auto operator<=>(const edge&, const edge&) noexcept = default;
};

enum class direction : unsigned char { both, forward };

using edge_sink = std::function<void(const edge&)>;

struct share {
  std::uint64_t first;
  std::uint64_t count;
};
[[nodiscard]] inline share share_of(std::uint64_t all, std::uint32_t member,
                                    std::uint32_t members) {
  const layout::balanced_cut cut(all, members);
  const std::uint64_t first = cut.first(member);
  return {first, cut.first(std::uint64_t{member} + 1) - first};
}

}  // namespace acre::graph
