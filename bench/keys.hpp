// SPDX-License-Identifier: BSD-3-Clause
// Keys for benchmarks, distinct per rank.
#pragma once

#include <acre/acre.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace acre::bench {

class keys_of {
 public:
  explicit keys_of(acre::rank_t rank) noexcept
      : first_(rank % acre::size() + 1), step_(acre::size()) {}
  std::uint64_t operator()(std::uint64_t i) const noexcept {
    return acre::mix_bits(i * step_ + first_);
  }

 private:
  std::uint64_t first_;
  std::uint64_t step_;
};

/// The next rank writes `others`.
struct key_sets {
  keys_of mine{acre::rank()};
  keys_of others{acre::rank() + 1};
};

template <class Container>
std::vector<std::uint64_t> owned_keys(const Container& all, std::uint64_t count) {
  const keys_of mine(acre::rank());
  std::vector<std::uint64_t> found;
  for (std::uint64_t i = 0; found.size() < count; ++i) {
    if (all.owner(mine(i)).is_this_rank()) found.push_back(mine(i));
  }
  return found;
}

inline constexpr std::uint64_t batch = 1024;

template <class Use>
void in_batches(std::uint64_t count, const keys_of& keys, Use&& use) {
  std::vector<std::uint64_t> some(batch);
  for (std::uint64_t i = 0; i < count; i += batch) {
    const std::uint64_t here = std::min(batch, count - i);
    for (std::uint64_t j = 0; j < here; ++j) some[j] = keys(i + j);
    use(std::span<const std::uint64_t>(some).first(here));
  }
}

}  // namespace acre::bench
