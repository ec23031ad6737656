// SPDX-License-Identifier: BSD-3-Clause
// Own elements of one range with those of equal indices of others, which are read into a buffer
// unless mapped here.
#pragma once

#include <acre/algorithm/detail/range_parts.hpp>
#include <acre/algorithm/detail/segment_reads.hpp>
#include <acre/base/site.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/view/ranges.hpp>
#include <acre/view/segment_walk.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <ranges>
#include <tuple>
#include <utility>
#include <vector>

namespace acre::algorithm {

template <ranges::distributed_range R>
using run_of = decltype(ranges::local(std::declval<const ranges::segment_of<R>&>()));

template <ranges::distributed_range R>
class run_source {
  using segment = ranges::segment_of<R>;

 public:
  using elements = typename segment_reads<segment>::elements;

  explicit run_source(R& range) : range_(&range) {}

  /// Number of elements readable at once, at most `count`; 0: call forget() before.
  [[nodiscard]] std::size_t find(std::size_t first, std::size_t count) {
    found_.emplace(segment_at(*range_, first, count));
    return reads_.fits(*found_);
  }
  /// Complete after finish() and quiet(), valid until forget().
  [[nodiscard]] elements read(std::size_t count, const site& where) {
    return reads_.read(view::slice(*found_, 0, count), where);
  }
  void finish() { reads_.finish("transform"); }
  void forget() noexcept { reads_.forget(); }

 private:
  R* range_;
  segment_reads<segment> reads_;
  std::optional<segment> found_;
};

/// Calls f(index, to, from…) for runs of own elements of `target` below `size`, with equal indices
/// of `from`. Cost: R for each run not mapped here.
template <ranges::distributed_range To, class F, ranges::distributed_range... From>
void each_aligned_run(To& target, std::size_t size, const site& where, F&& f, From&... from) {
  using part = std::tuple<std::size_t, run_of<To>, typename run_source<From>::elements...>;
  std::tuple<run_source<From>...> sources{run_source<From>(from)...};
  std::vector<part> waiting;
  const auto finish = [&] {
    std::apply([](auto&... source) { (source.finish(), ...); }, sources);
    quiet();
    for (const part& each : waiting) std::apply(f, each);
    waiting.clear();
    std::apply([](auto&... source) { (source.forget(), ...); }, sources);
  };
  ranges::each_own_run(target, [&](std::size_t index, auto run) {
    const auto all = static_cast<std::size_t>(std::ranges::size(run));
    const std::size_t end = std::min(all, std::max(size, index) - index);
    std::size_t done = 0;
    while (done < end) {
      std::apply(
          [&](auto&... source) {
            const std::size_t count =
                std::min({end - done, source.find(index + done, end - done)...});
            if (count == 0) return finish();
            waiting.emplace_back(index + done, run_of<To>(view::slice(run, done, count)),
                                 source.read(count, where)...);
            done += count;
            if (waiting.size() == 4096) finish();
          },
          sources);
    }
  });
  finish();
}

}  // namespace acre::algorithm
