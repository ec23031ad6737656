// SPDX-License-Identifier: BSD-3-Clause
// The first k elements of a range or container in an order, by default the largest.
//
//     const std::vector<double> largest = acre::top_k_on_all(a, 10);
//     const auto frequent = acre::top_k_on_all(
//         counts, 10, [](const auto& a, const auto& b) { return a.second > b.second; });
//
// The last of the first k / size() elements of each member bounds the candidates that members send.
#pragma once

#include <acre/algorithm/refused_calls.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/collectable.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/team/team.hpp>
#include <acre/view/call_ranges.hpp>
#include <acre/view/ranges.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <ranges>
#include <tuple>
#include <typeinfo>
#include <utility>
#include <vector>

namespace acre {

namespace algorithm {

struct by_greater {
  template <class A, class B>
    requires requires(const A& a, const B& b) { b < a; }
  [[nodiscard]] constexpr bool operator()(const A& a, const B& b) const {
    return b < a;
  }
};

template <class T, class Before>
class first_elements {
 public:
  first_elements(std::size_t k, const Before& before) : k_(k), before_(before) {}

  template <class U>
  void add(U&& element) {
    if (has_bound_ && !before_(element, kept_[k_ - 1])) return;
    kept_.push_back(std::forward<U>(element));
    if (kept_.size() < k_ || kept_.size() - k_ < std::max(k_, least_room)) return;
    select();
    has_bound_ = true;
  }
  [[nodiscard]] std::vector<T> take() && {
    select();
    std::ranges::sort(kept_, order());
    return std::move(kept_);
  }

 private:
  static constexpr std::size_t least_room = 64;

  [[nodiscard]] auto order() const {
    return [this](const T& a, const T& b) -> bool { return before_(a, b); };
  }
  void select() {
    if (kept_.size() <= k_) return;
    std::ranges::nth_element(kept_, kept_.begin() + static_cast<std::ptrdiff_t>(k_ - 1), order());
    kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(k_), kept_.end());
  }

  std::size_t k_;
  const Before& before_;
  std::vector<T> kept_;
  bool has_bound_ = false;
};

/// Number of leading elements of `own` that may be among the first k.
template <class T, class Before>
[[nodiscard]] std::size_t count_candidates(const team& members, std::size_t k, const Before& before,
                                           const std::vector<T>& own, std::exception_ptr& failure,
                                           const site& where) {
  const std::size_t share = k / members.size() + (k % members.size() == 0 ? 0 : 1);
  const std::size_t mine = std::min(share, own.size());
  std::tuple<std::uint64_t, std::vector<T>> bound(mine, {});
  if (mine != 0) std::get<1>(bound).push_back(own[mine - 1]);
  const auto all = members.allgather(bound, where);
  std::uint64_t covered = 0;
  const T* last = nullptr;
  try {
    for (const auto& [count, element] : all) {
      covered += count;
      if (!element.empty() && (last == nullptr || before(*last, element[0]))) last = &element[0];
    }
    if (covered < k) return own.size();
    const auto end = std::ranges::partition_point(
        own, [&](const T& element) { return !before(*last, element); });
    return static_cast<std::size_t>(end - own.begin());
  } catch (...) {
    failure = std::current_exception();
    return 0;
  }
}

template <class T, class Before, class Own>
[[nodiscard]] std::vector<T> top_of_all(const char* call, const team& members, std::size_t k,
                                        const Before& before, const site& where, Own&& own) {
  members.barrier(where);  // completes earlier writes
  if (k == 0) return {};
  std::vector<T> mine;
  std::exception_ptr failure;
  try {
    first_elements<T, Before> first(k, before);
    own(first);
    mine = std::move(first).take();
  } catch (...) {
    failure = std::current_exception();
    mine.clear();
  }
  const std::size_t count = count_candidates(members, k, before, mine, failure, where);
  mine.erase(mine.begin() + static_cast<std::ptrdiff_t>(count), mine.end());
  using part = std::tuple<bool, std::vector<T>>;
  auto parts = members.allgather(part(failure != nullptr, std::move(mine)), where);
  if (failure != nullptr) std::rethrow_exception(failure);
  first_elements<T, Before> first(k, before);
  for (auto& [has_failed, elements] : parts) {
    if (has_failed) global::throw_failed_elsewhere(call, where);
    for (T& element : elements) first.add(std::move(element));
  }
  return std::move(first).take();
}

template <class C>
concept has_own_elements = !ranges::distributed_range<C> && requires(const C& c) {
  { c.members() } -> std::same_as<const team&>;
  { c.local() } -> std::ranges::input_range;
};
template <class C>
using own_value_of = std::ranges::range_value_t<decltype(std::declval<const C&>().local())>;

}  // namespace algorithm

/// The first k elements, or all if fewer, in order; of equivalent ones, any, equal on all members.
/// Collective. Cost: 1 B, 1 allgather of an element, 1 allgather of candidates: at most k a member,
/// about k in all if evenly distributed.
template <ranges::distributed_range R, class Before = algorithm::by_greater>
  requires algorithm::takes_order<R, Before> && collectable<ranges::value_of<R>>
[[nodiscard]] std::vector<ranges::value_of<R>> top_k_on_all(R&& range, std::size_t k,
                                                            const Before& before = {},
                                                            const site& where = site::current()) {
  view::begin_collective_call("top_k_on_all", where, {{"k", k}, {"the order", typeid(Before)}},
                              range);
  return algorithm::top_of_all<ranges::value_of<R>>(
      "top_k_on_all", ranges::members(range), k, before, where, [&](auto& first) {
        ranges::each_own(range, [&](const auto& elements) {
          for (const auto& element : elements) first.add(element);
        });
      });
}
/// As above, of the elements of a bag, or the entries, pairs of key and value, of a hash map.
template <algorithm::has_own_elements C, class Before = algorithm::by_greater>
  requires std::predicate<const Before&, const algorithm::own_value_of<C>&,
                          const algorithm::own_value_of<C>&> &&
           collectable<algorithm::own_value_of<C>>
[[nodiscard]] std::vector<algorithm::own_value_of<C>> top_k_on_all(
    const C& container, std::size_t k, const Before& before = {},
    const site& where = site::current()) {
  return algorithm::top_of_all<algorithm::own_value_of<C>>(
      "top_k_on_all", container.members(), k, before, where, [&](auto& first) {
        for (auto&& element : container.local()) first.add(element);
      });
}

}  // namespace acre
