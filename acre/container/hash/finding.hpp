// SPDX-License-Identifier: BSD-3-Clause
// Bulk find: keys are collected, requested together, and answered in order.
//
//     acre::buffered reader(map, acre::finding([&](const key& k, const std::optional<value>& v) {
//       …
//     }));
//     for (const key& each : wanted) reader.find(each);
//     reader.flush();
#pragma once

#include <acre/base/site.hpp>
#include <acre/container/guarantee.hpp>
#include <acre/container/hash/buffered.hpp>
#include <acre/container/hash/hash_map.hpp>

#include <concepts>
#include <cstddef>
#include <exception>
#include <span>
#include <utility>
#include <vector>

namespace acre {

template <class F, class Guarantee>
struct finding_rule {
  F answer;
  [[no_unique_address]] Guarantee guarantee;
};

/// @param answer   called as answer(key, found), with the result of find(key)
template <class F, guarantee_allowing<container_operation::find> Guarantee = no_guarantee>
[[nodiscard]] finding_rule<F, Guarantee> finding(F answer, Guarantee guarantee = {}) {
  return {std::move(answer), guarantee};
}

/// A reader of one rank, for one thread at a time. Must end before its map. Keys unanswered at the
/// job's end are an acre::error.
template <class Map, class F, class Guarantee>
class buffered<Map, finding_rule<F, Guarantee>> final : private container::pending_items {
  using K = typename Map::key_type;
  using found_type = typename Map::found_type;
  static_assert(std::invocable<F&, const K&, const found_type&>,
                "finding() takes a function of (const key&, const std::optional<value>&), for a "
                "hash_multimap of (const key&, const std::vector<value>&)");

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

  /// Flushes, except during stack unwinding.
  ~buffered() noexcept(false) {
    if (std::uncaught_exceptions() == 0) flush();
  }

  /// Requests a key. When 4096 keys are pending, flushes.
  void find(const K& key, const site& where = site::current()) {
    keys_.push_back(key);
    if (keys_.size() == at_once) flush(where);
  }

  /// Returns after a call of `answer` for each pending key.
  /// @throws exceptions of `answer`; the flush's unanswered keys are lost
  void flush(const site& where = site::current()) {
    const std::vector<K> asked = std::exchange(keys_, {});
    keys_.reserve(at_once);
    values_.resize(asked.size());
    map_->find_many(asked, std::span(values_), rule_.guarantee, where);
    const std::vector<found_type> values = std::exchange(values_, {});
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
  std::vector<found_type> values_;
};

template <class Map, class F, class Guarantee>
buffered(const Map&, finding_rule<F, Guarantee>) -> buffered<Map, finding_rule<F, Guarantee>>;

}  // namespace acre
