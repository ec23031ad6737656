// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/detail/stencil.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <unordered_map>

namespace acre::mapping {
namespace {

constexpr std::uint32_t longest = 2;
constexpr std::uint64_t digits = 2 * longest + 1;

}  // namespace

std::vector<std::uint32_t> cells_of(std::span<const rank_t> ranks, rank_t count) {
  std::vector<std::uint32_t> cells(count);
  for (std::uint32_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i] != invalid_rank) cells[ranks[i]] = i;
  }
  return cells;
}

stencil::stencil(const traffic& pairs, std::span<const std::uint32_t> extents,
                 std::span<const rank_t> ranks)
    : extents_(extents.begin(), extents.end()),
      ranks_(ranks),
      cells_(cells_of(ranks, pairs.ranks())) {
  constexpr rank_t looked_at = 4096;
  constexpr std::size_t most_dimensions = 27;  // so that steps fit 64 bits
  const rank_t stride = std::max<rank_t>(1, pairs.ranks() / looked_at);
  find_joined(pairs, stride);
  if (extents.size() <= most_dimensions) find_wider(pairs, stride);
}

std::size_t stencil::points() const noexcept {
  std::size_t all = 1 + wider_.size();
  for (const std::uint32_t each : extents_) all += std::min(each, 3U) - 1;
  return all;
}

double stencil::part_of_bytes(const traffic& pairs) const {
  double within = 0;
  double all = 0;
  for (rank_t rank = 0; rank < pairs.ranks(); ++rank) {
    for (const auto& [to, bytes] : pairs.from(rank)) {
      all += bytes;
      if (is_of_stencil(between(cells_[rank], cells_[to]))) within += bytes;
    }
  }
  return all > 0 ? within / all : 0;
}

std::optional<stencil::step> stencil::between(std::uint32_t from, std::uint32_t to) const {
  step all{.number = 0, .length = 0};
  std::uint64_t weight = 1;
  for (std::size_t d = extents_.size(); d-- > 0; weight *= digits) {
    const std::uint32_t extent = extents_[d];
    const std::uint32_t a = from % extent;
    const std::uint32_t b = to % extent;
    from /= extent;
    to /= extent;
    const std::uint32_t up = b >= a ? b - a : b + extent - a;
    const bool is_up = up <= extent - up;
    const std::uint32_t apart = is_up ? up : extent - up;
    if (apart > longest) return {};
    all.length += apart;
    all.number += weight * (is_up ? longest + apart : longest - apart);
  }
  return all;
}

bool stencil::leads_to_somebody(std::uint32_t from, std::uint64_t number) const {
  std::uint64_t to = 0;
  std::uint64_t weight = 1;
  for (std::size_t d = extents_.size(); d-- > 0; number /= digits) {
    const std::int64_t extent = extents_[d];
    const std::int64_t by = static_cast<std::int64_t>(number % digits) - std::int64_t{longest};
    const std::int64_t place = from % extents_[d] + by;
    // A step of half the extent is equal in both directions.
    const bool is_beyond = (place < 0 || place >= extent) && 2 * std::abs(by) != extent;
    if (is_beyond && !is_joined_[d]) return false;
    to += weight * static_cast<std::uint64_t>((place + extent) % extent);
    weight *= extents_[d];
    from /= extents_[d];
  }
  return ranks_[to] != invalid_rank;
}

bool stencil::is_of_stencil(const std::optional<step>& some) const {
  return some && (some->length == 1 ||
                  (!wider_.empty() && std::ranges::binary_search(wider_, some->number)));
}

/// Marks periodic dimensions: there, steps cross the border as often as any other layer.
void stencil::find_joined(const traffic& pairs, rank_t stride) {
  std::vector<std::size_t> steps(extents_.size(), 0);
  std::vector<std::size_t> across(extents_.size(), 0);
  for (rank_t rank = 0; rank < pairs.ranks(); rank += stride) {
    for (const auto& [peer, bytes] : pairs.from(rank)) {
      const auto some = between(cells_[rank], cells_[peer]);
      if (!some || some->length != 1) continue;
      std::uint32_t from = cells_[rank];
      std::uint32_t to = cells_[peer];
      for (std::size_t d = extents_.size(); d-- > 0;) {
        const std::uint32_t a = from % extents_[d];
        const std::uint32_t b = to % extents_[d];
        from /= extents_[d];
        to /= extents_[d];
        if (a == b) continue;
        ++steps[d];
        if (a + 1 != b && b + 1 != a) ++across[d];
      }
    }
  }
  for (std::size_t d = 0; d < extents_.size(); ++d) {
    is_joined_.push_back(2 * across[d] * extents_[d] > steps[d]);
  }
}

/// False if a dimension is so short that all-to-all traffic uses this step too.
bool stencil::is_of_long_dimensions(std::uint64_t number) const {
  constexpr std::uint32_t for_two = 6;
  constexpr std::uint32_t for_one = 4;
  for (std::size_t d = extents_.size(); d-- > 0; number /= digits) {
    const std::uint64_t digit = number % digits;
    if (digit == longest) continue;
    if (extents_[d] < (digit == 0 || digit == digits - 1 ? for_two : for_one)) return false;
  }
  return true;
}

void stencil::find_wider(const traffic& pairs, rank_t stride) {
  constexpr double most = 0.75;  // part of the ranks with an occupied target
  constexpr double seldom = 1.0 / 16;
  std::unordered_map<std::uint64_t, std::size_t> counts;
  std::size_t looked_at = 0;
  for (rank_t rank = 0; rank < pairs.ranks(); rank += stride) {
    ++looked_at;
    for (const auto& [to, bytes] : pairs.from(rank)) {
      const auto some = between(cells_[rank], cells_[to]);
      if (some && some->length > 1) ++counts[some->number];
    }
  }
  for (const auto& [number, count] : counts) {
    if (static_cast<double>(count) < seldom * static_cast<double>(looked_at)) continue;
    if (!is_of_long_dimensions(number)) continue;
    std::size_t possible = 0;
    for (rank_t rank = 0; rank < pairs.ranks(); rank += stride) {
      possible += leads_to_somebody(cells_[rank], number) ? 1 : 0;
    }
    if (static_cast<double>(count) >= most * static_cast<double>(possible))
      wider_.push_back(number);
  }
  std::ranges::sort(wider_);
}

}  // namespace acre::mapping
