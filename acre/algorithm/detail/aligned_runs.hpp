// A member's own elements of one range beside those of the same indices of others, in plain memory:
// loops over several ranges that are spread alike, or not.
//
// What is mapped here is used where it lies. The rest is read into a buffer of some pages, many
// runs at a time.
#pragma once

#include <acre/algorithm/detail/plain_buffer.hpp>
#include <acre/algorithm/detail/range_parts.hpp>
#include <acre/algorithm/detail/run_transfer.hpp>
#include <acre/base/site.hpp>
#include <acre/global/put_get.hpp>
#include <acre/view/ranges.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace acre::detail {

/// What a member's own elements are: std::span<T>, or of const T.
template <ranges::distributed_range R>
using run_of = decltype(ranges::local(
    std::declval<
        const std::ranges::range_value_t<decltype(ranges::segments(std::declval<R&>()))>&>()));

/// Reads elements of a range, some at a time.
template <ranges::distributed_range R>
class run_source {
  using T = ranges::value_of<R>;
  static constexpr std::size_t room = std::max<std::size_t>(1, (std::size_t{1} << 16) / sizeof(T));

 public:
  explicit run_source(R& range) : range_(&range) {}

  [[nodiscard]] bool is_full() const noexcept { return used_ == room; }
  void forget() noexcept { used_ = 0; }

  /// How many elements from `first` on, at most `count`, can be had at once.
  [[nodiscard]] std::size_t find(std::size_t first, std::size_t count) {
    const auto segment = segment_at(*range_, first, count);
    pointer_ = segment.data();
    here_ = segment.local().data();
    return here_ != nullptr ? segment.size() : std::min(segment.size(), room - used_);
  }
  /// As many of those that were found, complete after quiet(), until forget().
  [[nodiscard]] std::span<const T> read(std::size_t count, const site& where) {
    if (here_ != nullptr) return {here_, count};
    if (buffer_.size() == 0) buffer_ = plain_buffer<T>(room);
    const std::span<T> read = buffer_.span().subspan(used_, count);
    used_ += count;
    reads_.add(pointer_, read, where);
    return read;
  }
  /// Then quiet().
  void finish() { reads_.finish("transform"); }

 private:
  R* range_;
  run_reads<T> reads_;
  plain_buffer<T> buffer_;
  std::size_t used_ = 0;
  global_ptr<const T> pointer_;
  const T* here_ = nullptr;
};

/// f(index, to, from…) of runs of this member's own elements of `target` below `size`, and of those
/// of the same indices of the others: plain memory, all of one size. Cost: R for each run that is
/// mapped here in no way.
template <ranges::distributed_range To, class F, ranges::distributed_range... From>
void each_aligned_run(To& target, std::size_t size, const site& where, F&& f, From&... from) {
  using part = std::tuple<std::size_t, run_of<To>, std::span<const ranges::value_of<From>>...>;
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
    run = run.first(std::min(run.size(), std::max(size, index) - index));
    while (!run.empty()) {
      std::apply(
          [&](auto&... source) {
            const std::size_t count = std::min({run.size(), source.find(index, run.size())...});
            waiting.emplace_back(index, run.first(count), source.read(count, where)...);
            index += count;
            run = run.subspan(count);
            if (waiting.size() == 4096 || (source.is_full() || ...)) finish();
          },
          sources);
    }
  });
  finish();
}

}  // namespace acre::detail
