// SPDX-License-Identifier: BSD-3-Clause
#include <apps/uts/tree.hpp>

#include <array>
#include <cmath>
#include <vector>

namespace acre::uts {
namespace {

constexpr std::uint32_t most_children = 100;  ///< except at a binomial root

/// Uniform in [0, 1): last 31 bits.
double drawn(const node& of) noexcept {
  constexpr std::uint32_t mask = 0x7fffffff;
  return static_cast<double>(of.state.back() & mask) / 2147483648.0;
}

std::uint32_t geometric(double drawn, double mean) noexcept {
  const double p = 1 / (1 + mean);
  const double number = std::floor(std::log(1 - drawn) / std::log(1 - p));
  return static_cast<std::uint32_t>(std::min(number, static_cast<double>(most_children)));
}

}  // namespace

node tree::root() const noexcept {
  const std::array<std::uint32_t, 5> words{0, 0, 0, 0, seed};
  return {sha1(words), 0};
}

std::uint32_t tree::children(const node& of) const noexcept {
  if (kind == branching::geometric) {
    return of.depth < depth_limit ? geometric(drawn(of), root_branching) : 0;
  }
  if (of.depth == 0) return static_cast<std::uint32_t>(root_branching);
  return drawn(of) < chance ? std::min(many, most_children) : 0;
}

node tree::child(const node& of, std::uint32_t number) noexcept {
  std::array<std::uint32_t, 6> words{};
  std::ranges::copy(of.state, words.begin());
  words.back() = number;
  return {sha1(words), of.depth + 1};
}

census count_below(const tree& whole, const node& start) {
  census found;
  std::vector<node> open{start};
  while (!open.empty()) {
    const node next = open.back();
    open.pop_back();
    const std::uint32_t children = whole.children(next);
    found += {1, children == 0 ? 1U : 0U, next.depth};
    for (std::uint32_t i = 0; i < children; ++i) open.push_back(tree::child(next, i));
  }
  return found;
}

}  // namespace acre::uts
