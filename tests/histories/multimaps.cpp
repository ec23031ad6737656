// SPDX-License-Identifier: BSD-3-Clause
// Histories of multimaps.
#include "numbered.hpp"
#include "one_home.hpp"
#include "trial.hpp"
#include <acre/container/hash/buffered.hpp>
#include <acre/container/hash/hash_multimap.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace histories {
namespace {

template <class V>
void note_values(event& each, const std::vector<V>& found) {
  value_digest all;
  for (const V& value : found) all.add(numbered<V>::number(value));
  each.value = all.sum();
  each.has_value = true;
}
void note_number(event& each, std::uint64_t number) {
  each.value = number;
  each.has_value = true;
}

template <class Map>
void operate(trial& round, Map& map, std::uint64_t keys) {
  using K = typename Map::key_type;
  using V = typename Map::mapped_type;
  static constexpr action actions[] = {action::find,  action::find,   action::contains,
                                       action::count, action::insert, action::insert,
                                       action::add,   action::erase,  action::erase_value};
  const event planned{.what = actions[round.alone(std::size(actions))],
                      .key = round.alone(keys),
                      .argument = 1 + round.alone(4)};
  const K key = numbered<K>::make(planned.key);
  const V value = numbered<V>::make(planned.argument);
  const bool later = round.alone(4) == 0;
  round.records().record(planned, [&](event& each) {
    switch (each.what) {
      case action::find:
        return note_values(each, later ? map.find_async(key).get() : map.find(key));
      case action::contains:
        each.result = map.contains(key) ? answer::yes : answer::no;
        return;
      case action::count:
        return note_number(each, map.count(key));
      case action::insert:
        if (later) return map.insert_async(key, value).get();
        return map.insert(key, value);
      case action::add: {
        const std::uint64_t amount = each.argument;
        return note_number(each, map.visit(key, [amount](V& old) {
          old = numbered<V>::make(numbered<V>::number(old) + amount);
        }));
      }
      case action::erase:
        return note_number(each, later ? map.erase_async(key).get() : map.erase(key));
      default:
        note_number(each, map.erase(key, value));
    }
  });
}

template <class Map>
bool run_multimap(trial& round) {
  const std::uint64_t keys = 2 + round.together(12);
  const std::uint64_t capacity = keys * acre::size() + round.together(64);
  const bool grows = round.together(2) == 0;
  Map map(acre::world(), grows ? 1 : capacity,
          grows ? acre::growth::automatic : acre::growth::manual);
  for (int phase = 0; phase < 3; ++phase) {
    const int operations = round.operations(16);
    for (int i = 0; i < operations; ++i) {
      round.dawdle();
      operate(round, map, keys);
    }
    if (round.together(2) == 0) {
      map.resize(capacity + round.together(100));
    } else {
      map.sync();
    }
  }
  acre::barrier();
  return round.explains<values_of_key>();
}

/// A writer's values are added before its next flush ends.
bool run_writers(trial& round) {
  const std::uint64_t keys = 2 + round.together(6);
  acre::hash_multimap<std::string, std::uint64_t> map(acre::world(), 64 * acre::size());
  const int operations = round.operations(16);
  {
    acre::buffered writer(map, acre::inserting);
    std::vector<std::size_t> open;
    const auto flush = [&] {
      writer.flush();
      for (const std::size_t each : open) round.records().close(each);
      open.clear();
    };
    for (int i = 0; i < operations; ++i) {
      round.dawdle();
      if (round.alone(3) != 0) {
        operate(round, map, keys);
        continue;
      }
      const event planned{
          .what = action::insert, .key = round.alone(keys), .argument = 1 + round.alone(4)};
      open.push_back(round.records().open(planned));
      writer.insert(numbered<std::string>::make(planned.key), planned.argument);
      if (open.size() == 3) flush();
    }
    flush();
  }
  acre::barrier();
  return round.explains<values_of_key>();
}

}  // namespace

std::vector<subject> multimap_subjects() {
  using number = std::uint64_t;
  return {
      {"hash_multimap of words", run_multimap<acre::hash_multimap<number, number>>},
      {"hash_multimap with one home", run_multimap<acre::hash_multimap<number, number, one_home>>},
      {"hash_multimap of wide values",
       run_multimap<acre::hash_multimap<number, std::array<number, 24>>>},
      {"hash_multimap of texts", run_multimap<acre::hash_multimap<std::string, std::string>>},
      {"hash_multimap and writers", run_writers}};
}

}  // namespace histories
