// SPDX-License-Identifier: BSD-3-Clause
// Finding in a hash map in bulk: keys are collected, asked for together, and
// answered in the order in which they were asked.
//
//     acre::buffered reader(map, acre::finding([&](const key& k, const std::optional<value>& v) {
//       …
//     }));
//     for (const key& each : wanted) reader.find(each);
//     reader.flush();                  // or the end of its scope
//
// It costs what find_many costs, and holds some thousand keys, however many ranks
// there are.
#pragma once

#include <acre/base/site.hpp>
#include <acre/container/guarantee.hpp>
#include <acre/container/hash/buffered.hpp>
#include <acre/container/hash/hash_map.hpp>

#include <concepts>
#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace acre {

/// What is done with each answer, and what is guaranteed meanwhile.
template <class F, class Guarantee>
struct finding_rule {
  F answer;
  [[no_unique_address]] Guarantee guarantee;
};

/// @param answer   called as answer(key, value), where value is an optional
/// @param guarantee  only<find>, or nothing
template <class F, guarantee_allowing<container_operation::find> Guarantee = no_guarantee>
[[nodiscard]] finding_rule<F, Guarantee> finding(F answer, Guarantee guarantee = {}) {
  return {std::move(answer), guarantee};
}

/// A reader of one rank; used by one thread at a time. It must end before its map, and before the
/// job if it still holds keys: else that is an acre::error of the end of the job.
template <class Map, class F, class Guarantee>
class buffered<Map, finding_rule<F, Guarantee>> final : private container::pending_items {
  using K = typename Map::key_type;
  using V = typename Map::mapped_type;
  static_assert(std::invocable<F&, const K&, const std::optional<V>&>,
                "finding() takes a function of (const key&, const std::optional<value>&)");

 public:
  buffered(const Map& map, finding_rule<F, Guarantee> rule, const site& where = site::current())
      : map_(&map), rule_(std::move(rule)), made_at_(where) {
    keys_.reserve(at_once);
  }
  buffered(buffered&& other) noexcept
      : map_(other.map_),
        rule_(std::move(other.rule_)),
        made_at_(other.made_at_),
        keys_(std::exchange(other.keys_, {})) {}
  buffered& operator=(buffered&&) = delete;

  /// Flushes, unless an exception passes: then what is left is not asked for.
  ~buffered() noexcept(false) {
    if (std::uncaught_exceptions() == 0) flush();
  }

  /// Asks for a key; calls for the answers of all, if enough have come together.
  void find(const K& key, const site& where = site::current()) {
    keys_.push_back(key);
    if (keys_.size() == at_once) flush(where);
  }

  /// Returns when all that was asked for is answered.
  /// @throws what the answer function throws; the rest is not answered then
  void flush(const site& where = site::current()) {
    // Answers may ask for more.
    const std::vector<K> asked = std::exchange(keys_, {});
    keys_.reserve(at_once);
    values_.resize(asked.size());
    map_->find_many(asked, std::span(values_), rule_.guarantee, where);
    const std::vector<std::optional<V>> values = std::exchange(values_, {});
    for (std::size_t i = 0; i < asked.size(); ++i) rule_.answer(asked[i], values[i]);
    if (!keys_.empty()) flush(where);
  }

 private:
  static constexpr std::size_t at_once = 4096;

  void throw_if_pending() const override {
    if (!keys_.empty()) container::throw_pending("reader", keys_.size(), made_at_);
  }

  const Map* map_;
  finding_rule<F, Guarantee> rule_;
  site made_at_;
  std::vector<K> keys_;
  std::vector<std::optional<V>> values_;
};

template <class Map, class F, class Guarantee>
buffered(const Map&, finding_rule<F, Guarantee>) -> buffered<Map, finding_rule<F, Guarantee>>;

}  // namespace acre
