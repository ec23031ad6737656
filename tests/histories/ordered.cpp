// SPDX-License-Identifier: BSD-3-Clause
// Histories of sorted maps and priority queues.
#include "conservation.hpp"
#include "map_operations.hpp"
#include "numbered.hpp"
#include "trial.hpp"
#include <acre/base/bits.hpp>
#include <acre/container/priority/priority_queue.hpp>
#include <acre/container/sorted/sorted_map.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace histories {
namespace {

template <class Map>
void operate(trial& round, Map& map, std::uint64_t keys) {
  using K = typename Map::key_type;
  using V = typename Map::mapped_type;
  static constexpr action actions[] = {action::find,   action::find,   action::contains,
                                       action::insert, action::assign, action::erase};
  const event planned{
      .what = actions[round.alone(6)], .key = round.alone(keys), .argument = 1 + round.alone(1000)};
  const K key = numbered<K>::make(planned.key);
  const V value = numbered<V>::make(planned.argument);
  const bool later = round.alone(4) == 0;
  round.records().record(planned,
                         [&](event& each) { operate_on_key(each, map, key, value, later); });
}

template <class Map>
void read_range(trial& round, Map& map, std::uint64_t keys) {
  using K = typename Map::key_type;
  using V = typename Map::mapped_type;
  std::map<K, std::uint64_t> wanted;
  const std::uint64_t first = round.alone(keys);
  for (std::uint64_t i = first; i < acre::smaller(first + 5, keys); ++i) {
    wanted.emplace(numbered<K>::make(i), i);
  }
  const K last = wanted.rbegin()->first;
  const std::int64_t begin = now();
  std::map<K, V> found;
  map.for_each_in(wanted.begin()->first, last,
                  [&](const K& key, const V& value) { found.emplace(key, value); });
  const std::int64_t end = now();
  for (const auto& [key, number] : wanted) {
    if (key == last) continue;
    round.records().record({.what = action::find, .key = number}, [&](event& each) {
      const auto there = found.find(key);
      note_found<V>(each, there == found.end() ? std::nullopt : std::optional(there->second));
    });
    round.records().last().begin = begin;
    round.records().last().end = end;
  }
}

template <class Map>
bool run_map(trial& round) {
  const std::uint64_t keys = 1 + round.together(60);
  Map map(acre::world());
  for (int phase = 0; phase < 3; ++phase) {
    const int operations = round.operations(24);
    for (int i = 0; i < operations; ++i) {
      round.dawdle();
      if (round.alone(8) == 0) {
        read_range(round, map, keys);
      } else {
        operate(round, map, keys);
      }
    }
    if (round.together(3) != 0) map.rebalance();
  }
  acre::barrier();
  return round.explains<key_of_map>();
}

template <class T>
bool run_priorities(trial& round) {
  acre::priority_queue<T> values(acre::world());
  std::uint64_t next = 0;
  const auto push = [&](auto&& pushes) {
    const std::uint64_t number = (next++ * acre::size() + acre::rank()) * 64 + round.alone(64);
    round.records().record({.what = action::push, .argument = number},
                           [&](event&) { pushes(numbered<T>::make(number)); });
  };
  const auto note_pop = [](event& each, const std::optional<T>& value) {
    each.has_value = value.has_value();
    if (value) each.value = numbered<T>::number(*value);
  };
  const auto any_member = [&] { return static_cast<acre::rank_t>(round.alone(acre::size())); };
  for (int phase = 0; phase < 3; ++phase) {
    const int operations = round.operations(60);
    for (int i = 0; i < operations; ++i) {
      round.dawdle();
      if (round.alone(2) == 0) {
        push([&](const T& value) { values.push(any_member(), value); });
      } else {
        round.records().record({.what = action::pop},
                               [&](event& each) { note_pop(each, values.pop()); });
      }
    }
    std::map<std::uint64_t, int> children;
    values.work([&](T&& value, auto& more) {
      const std::uint64_t number = numbered<T>::number(value);
      round.records().record({.what = action::pop},
                             [&](event& each) { note_pop(each, std::optional<T>(value)); });
      round.dawdle();
      if (number % 64 < 32 && children[number % 64]++ < 8) {
        push([&](const T& child) { more.push(any_member(), child); });
      }
    });
  }
  return round.accepts(keeps_all_values);
}

}  // namespace

std::vector<subject> ordered_subjects() {
  using number = std::uint64_t;
  return {{"sorted_map of words", run_map<acre::sorted_map<number, number>>},
          {"sorted_map of wide values", run_map<acre::sorted_map<number, std::array<number, 512>>>},
          {"sorted_map of texts", run_map<acre::sorted_map<std::string, std::string>>},
          {"priority_queue of words", run_priorities<number>},
          {"priority_queue of texts", run_priorities<std::string>}};
}

}  // namespace histories
