// SPDX-License-Identifier: BSD-3-Clause
// Compares a hash map with std::unordered_map.
#pragma once

#include <acre/runtime/world.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <random>
#include <unordered_map>

namespace acre::testing {

using map_model = std::unordered_map<std::uint64_t, std::uint64_t>;

template <class Map>
void follow_model(Map& map, map_model& model, std::uint64_t keys, std::uint64_t operations,
                  std::uint64_t seed) {
  std::mt19937_64 random(seed + rank());
  for (std::uint64_t i = 0; i < operations; ++i) {
    const std::uint64_t key = random() % keys * size() + rank();
    const std::uint64_t value = random();
    const auto before = model.find(key);
    const bool there = before != model.end();
    switch (random() % 7) {
      case 0:
        ASSERT_EQ(map.insert(key, value), !there);
        model.emplace(key, value);
        break;
      case 1:
        ASSERT_EQ(map.insert_or_assign(key, value), !there);
        model[key] = value;
        break;
      case 2:
        ASSERT_EQ(map.fetch_add(key, value), there ? before->second : 0);
        model[key] += value;
        break;
      case 3:
        ASSERT_EQ(map.update(key, [value](std::uint64_t& old) { old ^= value; }, value), there);
        model[key] = there ? before->second ^ value : value;
        break;
      case 4:
        ASSERT_EQ(map.erase(key), model.erase(key) == 1);
        break;
      case 5:
        ASSERT_EQ(map.contains(key), there);
        break;
      default:
        ASSERT_EQ(map.find(key), there ? std::optional(before->second) : std::nullopt);
    }
  }
}

}  // namespace acre::testing
