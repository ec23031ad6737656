// SPDX-License-Identifier: BSD-3-Clause
// Histories of hash maps, sets and counting maps.
#include "map_operations.hpp"
#include "numbered.hpp"
#include "one_home.hpp"
#include "trial.hpp"
#include <acre/container/hash/counting_map.hpp>
#include <acre/container/hash/hash_map.hpp>
#include <acre/container/hash/hash_set.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace histories {
namespace {

event key_event(trial& round, action what, std::uint64_t keys) {
  return {.what = what, .key = round.alone(keys), .argument = 1 + round.alone(1000)};
}

template <class Map>
void operate(trial& round, Map& map, std::uint64_t keys) {
  using K = typename Map::key_type;
  using V = typename Map::mapped_type;
  static constexpr action actions[] = {action::find,   action::find,   action::contains,
                                       action::insert, action::assign, action::add,
                                       action::erase};
  const event planned = key_event(round, actions[round.alone(7)], keys);
  const K key = numbered<K>::make(planned.key);
  const V value = numbered<V>::make(planned.argument);
  const bool later = round.alone(4) == 0;
  round.records().record(planned, [&](event& each) {
    if (each.what != action::add) return operate_on_key(each, map, key, value, later);
    const std::uint64_t amount = each.argument;
    each.result = said(map.update(
        key, [amount](V& old) { old = numbered<V>::make(numbered<V>::number(old) + amount); },
        value));
  });
}

/// Each key is a separate operation.
template <class Map>
void operate_on_many(trial& round, Map& map, std::uint64_t keys) {
  using K = typename Map::key_type;
  using V = typename Map::mapped_type;
  std::vector<K> wanted;
  std::vector<V> values;
  std::vector<event> planned;
  const bool inserts = round.alone(2) == 0;
  const std::uint64_t number = 1 + round.alone(6);
  for (std::uint64_t i = 0; i < number; ++i) {
    planned.push_back(key_event(round, inserts ? action::insert : action::find, keys));
    wanted.push_back(numbered<K>::make(planned.back().key));
    values.push_back(numbered<V>::make(planned.back().argument));
  }
  const std::int64_t begin = now();
  std::vector<std::optional<V>> found(wanted.size());
  if (inserts) {
    static_cast<void>(map.insert_many(wanted, values));
  } else {
    map.find_many(wanted, std::span(found));
  }
  const std::int64_t end = now();
  for (std::size_t i = 0; i < planned.size(); ++i) {
    round.records().record(planned[i], [&](event& each) {
      if (!inserts) note_found(each, found[i]);
    });
    round.records().last().begin = begin;
    round.records().last().end = end;
  }
}

template <class Map>
bool run_map(trial& round) {
  const std::uint64_t keys = 1 + round.together(12);
  const std::uint64_t capacity = keys * acre::size() + round.together(64);
  Map map(acre::world(), capacity);
  for (int phase = 0; phase < 3; ++phase) {
    const int operations = round.operations(24);
    for (int i = 0; i < operations; ++i) {
      round.dawdle();
      if (round.alone(10) == 0) {
        operate_on_many(round, map, keys);
      } else {
        operate(round, map, keys);
      }
    }
    switch (round.together(4)) {
      case 0:
        map.resize(capacity + round.together(100) + keys);
        break;
      case 1:
        map.rehash(1);
        map.reserve(capacity);
        break;
      case 2:
        map.sync();
        break;
      default:
        break;
    }
  }
  acre::barrier();
  return round.explains<key_of_map>();
}

bool run_set(trial& round) {
  const std::uint64_t keys = 1 + round.together(20);
  acre::hash_set<std::uint64_t> set(acre::world(), 64 * acre::size());
  const int operations = round.operations(80);
  for (int i = 0; i < operations; ++i) {
    round.dawdle();
    static constexpr action actions[] = {action::contains, action::insert, action::erase};
    round.records().record(key_event(round, actions[round.alone(3)], keys), [&](event& each) {
      each.result = said(each.what == action::insert  ? set.insert(each.key)
                         : each.what == action::erase ? set.erase(each.key)
                                                      : set.contains(each.key));
    });
  }
  acre::barrier();
  return round.explains<key_of_map>();
}

/// A writer's counts take effect before its next flush ends.
bool run_counts(trial& round) {
  const std::uint64_t keys = 1 + round.together(6);
  acre::counting_map<std::uint64_t> counts(acre::world(), 64 * acre::size());
  const int operations = round.operations(40);
  {
    acre::buffered writer(counts, acre::counting);
    std::vector<std::size_t> open;
    for (int i = 0; i < operations; ++i) {
      round.dawdle();
      event planned = key_event(round, action::add, keys);
      switch (round.alone(6)) {
        case 0:
        case 1:
          round.records().record(planned, [&](event& each) {
            each.value = counts.add(each.key, each.argument);
            each.has_value = true;
          });
          break;
        case 2:
          planned.what = action::find;
          round.records().record(planned, [&](event& each) {
            each.value = counts.count(each.key);
            each.has_value = true;
          });
          break;
        case 3:
          writer.flush();
          for (const std::size_t each : open) round.records().close(each);
          open.clear();
          break;
        default:
          planned.argument = 1;
          open.push_back(round.records().open(planned));
          writer.add(planned.key);
      }
    }
    writer.flush();
    for (const std::size_t each : open) round.records().close(each);
  }
  acre::barrier();
  return round.explains<key_of_map>();
}

}  // namespace

std::vector<subject> map_subjects() {
  using number = std::uint64_t;
  return {{"hash_map of words", run_map<acre::hash_map<number, number>>},
          {"hash_map with one home", run_map<acre::hash_map<number, number, one_home>>},
          {"hash_map of wide values", run_map<acre::hash_map<number, std::array<number, 512>>>},
          {"hash_map of wide keys",
           run_map<acre::hash_map<std::array<number, 24>, std::array<number, 3>>>},
          {"hash_map of texts", run_map<acre::hash_map<std::string, std::string>>},
          {"hash_set", run_set},
          {"counting_map and writers", run_counts}};
}

}  // namespace histories
