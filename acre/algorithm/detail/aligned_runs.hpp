// SPDX-License-Identifier: BSD-3-Clause
// A member's own elements of one range beside those of the same indices of others, where they are
// here: loops over several ranges that are spread alike, or not.
//
// What is mapped here is used where it lies. The rest is read into a buffer of some pages, many
// runs at a time (segment_reads.hpp).
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

/// What a member's own elements are: std::span<T>, or of const T.
template <ranges::distributed_range R>
using run_of = decltype(ranges::local(std::declval<const ranges::segment_of<R>&>()));

/// Reads elements of a range, some at a time.
template <ranges::distributed_range R>
class run_source {
  using segment = ranges::segment_of<R>;

 public:
  using elements = typename segment_reads<segment>::elements;

  explicit run_source(R& range) : range_(&range) {}

  /// How many elements from `first` on, at most `count`, can be had at once; none when what was
  /// read must be forgotten before.
  [[nodiscard]] std::size_t find(std::size_t first, std::size_t count) {
    found_.emplace(segment_at(*range_, first, count));
    return reads_.fits(*found_);
  }
  /// As many of those that were found, complete after quiet(), until forget().
  [[nodiscard]] elements read(std::size_t count, const site& where) {
    return reads_.read(view::slice(*found_, 0, count), where);
  }
  /// Then quiet().
  void finish() { reads_.finish("transform"); }
  void forget() noexcept { reads_.forget(); }

 private:
  R* range_;
  segment_reads<segment> reads_;
  std::optional<segment> found_;
};

/// f(index, to, from…) of runs of this member's own elements of `target` below `size`, and of those
/// of the same indices of the others, where they are here: ranges of random access, all of one
/// size; std::span of memory. Cost: R for each run that is mapped here in no way.
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
