// SPDX-License-Identifier: BSD-3-Clause
// Algorithms with several threads per rank, for jobs with fewer ranks than cores.
//
//     acre::for_each(acre::par.on(8), a, f);
//
// Threads call the functions concurrently. An exception leaves the call after all threads have
// finished their parts.
#pragma once

#include <acre/algorithm/add_elements.hpp>
#include <acre/algorithm/detail/aligned_runs.hpp>
#include <acre/algorithm/detail/then_barrier.hpp>
#include <acre/algorithm/execution_policy.hpp>
#include <acre/algorithm/in_threads.hpp>
#include <acre/algorithm/reduce.hpp>
#include <acre/algorithm/refused_calls.hpp>
#include <acre/algorithm/transform.hpp>
#include <acre/base/reproducible_sum.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/reduction.hpp>
#include <acre/layout/cut.hpp>
#include <acre/runtime/world.hpp>
#include <acre/view/call_ranges.hpp>
#include <acre/view/ranges.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <ranges>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace acre {

/// One thread.
struct sequential_policy {
  [[nodiscard]] static constexpr unsigned threads() noexcept { return 1; }
};
inline constexpr sequential_policy seq{};

/// Several threads per member.
class parallel_policy {
 public:
  constexpr parallel_policy() = default;
  /// Uses up to `threads` threads, at most one per element (transform: per 256); 0: one per CPU of
  /// this rank.
  /// @throws acre::error if `threads` exceeds 1024
  [[nodiscard]] constexpr parallel_policy on(unsigned threads) const {
    if (threads > most) algorithm::throw_too_many_threads(threads, most);
    parallel_policy other;
    other.threads_ = threads;
    return other;
  }
  [[nodiscard]] unsigned threads() const noexcept {
    if (threads_ != 0) return threads_;
    return static_cast<unsigned>(std::max<std::size_t>(1, runtime::cpus_a_rank()));
  }

 private:
  static constexpr unsigned most = 1024;

  unsigned threads_ = 0;
};
inline constexpr parallel_policy par{};

namespace algorithm {

/// Divides own runs equally over threads, in batches of runs, as runs may be single elements.
template <class Run>
class shared_runs {
  static constexpr std::size_t batch = 4096;

 public:
  explicit shared_runs(unsigned threads) : threads_(threads) {}

  template <class F>
  void add(std::size_t index, const Run& run, F& f) {
    const auto size = static_cast<std::size_t>(std::ranges::size(run));
    if (size == 0) return;
    parts_.push_back({index, size_, run});
    size_ += size;
    if (parts_.size() == batch) finish(f);
  }
  template <class F>
  void finish(F& f) {
    const auto threads = static_cast<unsigned>(std::min<std::size_t>(threads_, size_));
    const layout::balanced_cut cut(size_, threads);
    in_threads(threads, [&](unsigned thread) {
      run_from(cut.first(thread), cut.first(std::size_t{thread} + 1), thread, f);
    });
    parts_.clear();
    size_ = 0;
  }

 private:
  struct part {
    std::size_t index;
    std::size_t first;
    Run run;
  };

  template <class F>
  void run_from(std::size_t first, std::size_t end, unsigned thread, F& f) const {
    auto at = std::ranges::upper_bound(parts_, first, {}, &part::first) - 1;
    for (; first < end; ++at) {
      const std::size_t skipped = first - at->first;
      const auto begin = std::ranges::begin(at->run) + static_cast<std::ptrdiff_t>(skipped);
      const std::size_t count =
          std::min(static_cast<std::size_t>(std::ranges::size(at->run)) - skipped, end - first);
      f(thread, at->index + skipped,
        std::ranges::subrange(begin, begin + static_cast<std::ptrdiff_t>(count)));
      first += count;
    }
  }

  unsigned threads_;
  std::size_t size_ = 0;
  std::vector<part> parts_;
};

/// Calls f(thread, first index, run) for own runs, concurrently.
template <execution_policy Policy, ranges::distributed_range R, class F>
void each_own_run(const Policy& policy, R&& range, F&& f) {
  shared_runs<run_of<R>> runs(policy.threads());
  ranges::each_own_run(range, [&](std::size_t index, const auto& run) { runs.add(index, run, f); });
  runs.finish(f);
}
template <execution_policy Policy, ranges::distributed_range R, class F>
void each_own(const Policy& policy, R&& range, F&& f) {
  shared_runs<run_of<R>> runs(policy.threads());
  const auto without_index = [&](unsigned thread, std::size_t, const auto& run) { f(thread, run); };
  ranges::each_own(range, [&](const auto& run) { runs.add(0, run, without_index); });
  runs.finish(without_index);
}

/// Combines elements in each thread, then the threads' results in order.
template <class T, execution_policy Policy, class R, class Operation, class F>
[[nodiscard]] possible<T> reduce_own(const Policy& policy, R&& range, const Operation& operation,
                                     const F& f) {
  struct alignas(64) slot {
    possible<T> of_thread;
  };
  std::vector<slot> slots(policy.threads());
  each_own(policy, range, [&](unsigned thread, const auto& elements) {
    auto at = elements.begin();
    T sum = static_cast<T>(f(*at));
    for (++at; at != elements.end(); ++at) sum = static_cast<T>(operation(sum, f(*at)));
    combine_into(slots[thread].of_thread, std::move(sum), operation);
  });
  possible<T> mine;
  for (slot& each : slots) {
    if (each.of_thread.is_there) combine_into(mine, std::move(each.of_thread.value), operation);
  }
  return mine;
}

template <class T, execution_policy Policy, class R, class F>
[[nodiscard]] possible<reproducible_sum<T>> reduce_own(const Policy& policy, R&& range,
                                                       op::reproducible_addition, const F& f) {
  std::vector<reproducible_sum<T>> sums(policy.threads());
  each_own(policy, range, [&](unsigned thread, const auto& elements) {
    reproducible_sum<T> sum;
    add_elements(elements, f, sum);
    sums[thread] += sum;
  });
  possible<reproducible_sum<T>> mine{.is_there = true};
  for (const auto& each : sums) mine.value += each;
  return mine;
}

/// Divides loops over threads, with at least 256 elements per thread.
template <execution_policy Policy>
[[nodiscard]] auto parts_for(const Policy& policy) {
  return [&policy](std::size_t size, const auto& loop) {
    constexpr std::size_t least = 256;
    const auto threads =
        static_cast<unsigned>(std::min<std::size_t>(policy.threads(), size / least));
    if (threads <= 1) return loop(std::size_t{0}, size);
    const layout::balanced_cut cut(size, threads);
    in_threads(threads, [&](unsigned thread) {
      loop(cut.first(thread), cut.first(std::size_t{thread} + 1));
    });
  };
}

}  // namespace algorithm

namespace algorithm {

template <execution_policy Policy, class R, class F>
void visit_own(const Policy& policy, R& range, F&& f, const site& where) {
  then_barrier(ranges::members(range), where, [&] {
    each_own(policy, range, [&](unsigned, const auto& elements) {
      for (auto&& element : elements) f(element);
    });
  });
}

}  // namespace algorithm

template <execution_policy Policy, ranges::distributed_range R, class F>
  requires algorithm::takes_element<R, F>
void for_each(const Policy& policy, R&& range, F&& f, const site& where = site::current()) {
  view::begin_collective_call("for_each", where, range);
  algorithm::visit_own(policy, range, f, where);
}
template <execution_policy Policy, ranges::distributed_range R, class F>
  requires algorithm::takes_indexed<R, F>
void for_each_with_index(const Policy& policy, R&& range, F&& f,
                         const site& where = site::current()) {
  view::begin_collective_call("for_each_with_index", where, range);
  algorithm::then_barrier(ranges::members(range), where, [&] {
    algorithm::each_own_run(policy, range, [&](unsigned, std::size_t index, const auto& elements) {
      for (auto&& element : elements) f(index++, element);
    });
  });
}
template <execution_policy Policy, ranges::writable_range R>
void fill(const Policy& policy, R&& range, const ranges::value_of<R>& value,
          const site& where = site::current()) {
  view::begin_collective_call("fill", where, {view::common_argument::of_value("the value", value)},
                              range);
  algorithm::visit_own(policy, range, [&](auto& element) { element = value; }, where);
}
template <execution_policy Policy, ranges::writable_range R, class F>
  requires algorithm::takes_maker<R, F>
void generate(const Policy& policy, R&& range, F&& f, const site& where = site::current()) {
  acre::for_each(policy, range, [&](ranges::value_of<R>& element) { element = f(); }, where);
}
template <execution_policy Policy, ranges::writable_range R, class F>
  requires algorithm::takes_indexed_maker<R, F>
void generate_with_index(const Policy& policy, R&& range, F&& f,
                         const site& where = site::current()) {
  acre::for_each_with_index(
      policy, range, [&](std::size_t index, ranges::value_of<R>& element) { element = f(index); },
      where);
}

template <execution_policy Policy, ranges::distributed_range From, ranges::writable_range To,
          class F>
  requires algorithm::takes_transform<From, To, F>
void transform(const Policy& policy, From&& from, To&& to, F&& f,
               const site& where = site::current()) {
  algorithm::transform_runs(algorithm::parts_for(policy), to, f, where, from);
}
template <execution_policy Policy, ranges::distributed_range Left, ranges::distributed_range Right,
          ranges::writable_range To, class F>
  requires algorithm::takes_transform<Left, Right, To, F>
void transform(const Policy& policy, Left&& left, Right&& right, To&& to, F&& f,
               const site& where = site::current()) {
  algorithm::transform_runs(algorithm::parts_for(policy), to, f, where, left, right);
}

template <execution_policy Policy, ranges::distributed_range R, class T, class Operation, class F>
  requires algorithm::takes_reduction<R, T, Operation, F>
[[nodiscard]] T transform_reduce_on_all(const Policy& policy, R&& range, T initial,
                                        const Operation& operation, const F& f,
                                        const site& where = site::current()) {
  return algorithm::reduce_with(initial, operation, [&](const auto& from, const auto& combine) {
    return algorithm::transform_reduce_as(
        {"reduce_on_all",
         {{"the operation", typeid(Operation)},
          view::common_argument::of_value("the initial value", initial)}},
        range, from, combine, where,
        [&] { return algorithm::reduce_own<T>(policy, range, operation, f); });
  });
}
template <execution_policy Policy, ranges::distributed_range R>
  requires algorithm::combining<op::addition, ranges::value_of<R>>
[[nodiscard]] sum_type<ranges::value_of<R>> reduce_on_all(const Policy& policy, R&& range,
                                                          const site& where = site::current()) {
  return acre::transform_reduce_on_all(policy, range, sum_type<ranges::value_of<R>>{}, op::sum,
                                       algorithm::as_summand, where);
}
template <execution_policy Policy, ranges::distributed_range R, class Operation = op::addition>
  requires algorithm::reducing<Operation, ranges::value_of<R>>
[[nodiscard]] ranges::value_of<R> reduce_on_all(const Policy& policy, R&& range,
                                                std::type_identity_t<ranges::value_of<R>> initial,
                                                const Operation& operation = {},
                                                const site& where = site::current()) {
  return acre::transform_reduce_on_all(policy, range, initial, operation, algorithm::itself(),
                                       where);
}
template <execution_policy Policy, ranges::distributed_range R,
          std::predicate<const ranges::value_of<R>&> Holds>
[[nodiscard]] std::size_t count_if_on_all(const Policy& policy, R&& range, const Holds& holds,
                                          const site& where = site::current()) {
  return algorithm::transform_reduce_as({"count_if_on_all", {{"the condition", typeid(Holds)}}},
                                        range, std::size_t{0}, op::sum, where, [&] {
                                          return algorithm::reduce_own<std::size_t>(
                                              policy, range, op::sum, algorithm::one_where(holds));
                                        });
}

}  // namespace acre
