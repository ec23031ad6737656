// Looking up many keys of a hash map at once, so that nobody waits for one of them alone: in parts
// that this rank can address the buckets are prefetched, and of another node's all keys go in one
// message.
#pragma once

#include <acre/acre.hpp>
#include <acre/container/hash_map.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace acre::contigs {

/// One for a kind of map at a time in a process; made and destroyed by all ranks.
template <class Map>
class bulk_finder {
  using K = typename Map::key_type;
  using V = typename Map::mapped_type;

 public:
  explicit bulk_finder(const Map& map) : map_(&map), asked_(size()) {
    served_ = &map;
    barrier();
  }
  ~bulk_finder() {
    barrier();
    served_ = nullptr;
  }
  bulk_finder(const bulk_finder&) = delete;
  bulk_finder& operator=(const bulk_finder&) = delete;

  /// values[i] becomes the value of keys[i], or V{} when that is not there.
  void find(std::span<const K> keys, std::span<V> values) {
    find_here(
        *map_, keys, [&](std::size_t i, const V& value) { values[i] = value; },
        [&](std::size_t i, rank_t owner) {
          asked_[owner].keys.push_back(keys[i]);
          asked_[owner].places.push_back(i);
        });
    std::vector<std::pair<rank_t, future<std::vector<V>>>> answers;
    for (rank_t owner = 0; owner < asked_.size(); ++owner) {
      if (asked_[owner].keys.empty()) continue;
      answers.emplace_back(owner, rpc(owner, &bulk_finder::serve, asked_[owner].keys));
    }
    for (auto& [owner, answer] : answers) {
      const std::vector<V> found = answer.get();
      questions& asked = asked_[owner];
      for (std::size_t i = 0; i < found.size(); ++i) values[asked.places[i]] = found[i];
      asked.keys.clear();
      asked.places.clear();
    }
  }

 private:
  struct questions {
    std::vector<K> keys;
    std::vector<std::size_t> places;
  };

  /// At the owner.
  static std::vector<V> serve(const std::vector<K>& keys) {
    std::vector<V> values(keys.size());
    find_here(
        *served_, keys, [&](std::size_t i, const V& value) { values[i] = value; },
        [](std::size_t, rank_t) {});
    return values;
  }

  /// Finds what lies in this node, and hands on the indices of the others with their owners.
  template <class Found, class Elsewhere>
  static void find_here(const Map& map, std::span<const K> keys, Found&& found,
                        Elsewhere&& elsewhere) {
    auto& table = map.guts();
    struct place {
      std::byte* block;
      std::uint64_t hash;
    };
    constexpr std::size_t together = 64;
    std::array<place, together> places;
    for (std::size_t begin = 0; begin < keys.size(); begin += together) {
      const std::size_t end = std::min(keys.size(), begin + together);
      for (std::size_t i = begin; i < end; ++i) {
        const auto at = table.locate(keys[i]);
        std::byte* const block = table.direct_block(at.owner);
        places[i - begin] = {block, at.hash};
        if (block == nullptr) {
          elsewhere(i, at.owner);
        } else {
          __builtin_prefetch(table.part_in(block).home(at.hash));
        }
      }
      for (std::size_t i = begin; i < end; ++i) {
        if (places[i - begin].block == nullptr) continue;
        auto there = table.part_in(places[i - begin].block);
        found(i, there.find(keys[i], places[i - begin].hash).value_or(V{}));
        table.tally(there.costs());
      }
    }
  }

  static inline const Map* served_ = nullptr;

  const Map* map_;
  std::vector<questions> asked_;  ///< by owner
};

}  // namespace acre::contigs
