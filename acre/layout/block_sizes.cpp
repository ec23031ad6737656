// SPDX-License-Identifier: BSD-3-Clause
#include <acre/layout/block_sizes.hpp>

#include <acre/base/error.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace acre {

namespace {

constexpr std::size_t most_blocks = std::numeric_limits<std::int32_t>::max();

[[noreturn]] void refuse(const std::string& what, const site& where) {
  throw error("block_sizes", what + describe_place(where),
              "use at most 2^31 - 1 blocks of at least 1 element each");
}

std::vector<std::uint32_t> equal_sizes(std::size_t blocks, std::uint32_t size, const site& where) {
  if (blocks > most_blocks) {
    refuse(std::to_string(blocks) + " blocks exceed the upper bound of 2^31 - 1", where);
  }
  return std::vector<std::uint32_t>(blocks, size);
}

}  // namespace

block_sizes::block_sizes(std::vector<std::uint32_t> sizes, const site& where) {
  if (sizes.size() > most_blocks) {
    refuse(std::to_string(sizes.size()) + " blocks exceed the upper bound of 2^31 - 1", where);
  }
  std::vector<std::size_t> places;
  places.reserve(sizes.size() + 1);
  places.push_back(0);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) refuse("block " + std::to_string(i) + " is empty", where);
    places.push_back(places.back() + sizes[i]);
  }
  cut_ = layout::cut_at(std::move(places));
  kinds made{.sizes = std::move(sizes), .distinct = {}, .classes = {}};
  made.distinct = made.sizes;
  std::ranges::sort(made.distinct);
  const auto [first, last] = std::ranges::unique(made.distinct);
  made.distinct.erase(first, last);
  made.classes.reserve(made.sizes.size());
  for (const std::uint32_t size : made.sizes) {
    made.classes.push_back(static_cast<std::uint32_t>(
        std::ranges::lower_bound(made.distinct, size) - made.distinct.begin()));
  }
  kinds_ = base::shared_object<const kinds>::make(std::move(made));
}

block_sizes block_sizes::equal(std::size_t blocks, std::uint32_t size, const site& where) {
  return block_sizes(equal_sizes(blocks, size, where), where);
}

block_sizes block_sizes::covering(std::size_t elements, std::uint32_t size, const site& where) {
  if (size == 0) refuse("block size 0 is invalid", where);
  std::vector<std::uint32_t> sizes = equal_sizes(elements / size, size, where);
  if (elements % size != 0) sizes.push_back(static_cast<std::uint32_t>(elements % size));
  return block_sizes(std::move(sizes), where);
}

}  // namespace acre
