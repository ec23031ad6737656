// SPDX-License-Identifier: BSD-3-Clause
// Elements of any segment as a local range: in place if mapped here, else read into a buffer, for
// many runs at once.
//
// read(s): complete after finish() and quiet(), valid until forget(). fits(s): number of elements
// that read(s) accepts now; if 0, call finish(), quiet() and forget().
#pragma once

#include <acre/algorithm/detail/range_parts.hpp>
#include <acre/algorithm/detail/run_transfer.hpp>
#include <acre/algorithm/detail/under_way.hpp>
#include <acre/base/plain_buffer.hpp>
#include <acre/base/site.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/view/ranges.hpp>
#include <acre/view/segment_walk.hpp>
#include <acre/view/stepped_segment.hpp>
#include <acre/view/strided.hpp>
#include <acre/view/transformed.hpp>
#include <acre/view/zipped.hpp>

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre::algorithm {

template <class T>
class read_buffer {
  static constexpr std::size_t room = std::max<std::size_t>(1, (std::size_t{1} << 16) / sizeof(T));

 public:
  [[nodiscard]] std::size_t left() const noexcept { return room - used_.count(); }
  [[nodiscard]] std::span<T> take(std::size_t count) {
    if (buffer_.size() == 0) buffer_ = base::plain_buffer<T>(room);
    const std::span<T> taken = buffer_.span().subspan(used_.count(), count);
    used_.add(count);
    return taken;
  }
  void forget() noexcept { used_.clear(); }

 private:
  base::plain_buffer<T> buffer_;
  under_way used_;
};

template <class S>
class segment_reads {
  using T = std::ranges::range_value_t<S>;
  static_assert(ranges::memory_segment<S>,
                "user-defined segments must be memory segments, for example global_span");

 public:
  using elements = std::span<const T>;

  [[nodiscard]] std::size_t fits(const S& segment) const {
    return is_here(segment) ? segment.size() : std::min(segment.size(), buffer_.left());
  }
  [[nodiscard]] elements read(const S& segment, const site& where) {
    if (is_here(segment)) return ranges::local(segment);
    const std::span<T> to = buffer_.take(segment.size());
    reads_.add(segment.data(), to, where);
    return to;
  }
  void finish(const char* call) { reads_.finish(call); }
  void forget() noexcept { buffer_.forget(); }

 private:
  [[nodiscard]] static bool is_here(const S& segment) {
    return ranges::local(segment).data() != nullptr;
  }

  run_reads<T> reads_;
  read_buffer<T> buffer_;
};

template <class S>
  requires(!ranges::segment<S>)
class segment_reads<S> {
 public:
  using elements = S;

  [[nodiscard]] std::size_t fits(const S& part) const {
    return static_cast<std::size_t>(std::ranges::size(part));
  }
  [[nodiscard]] elements read(const S& part, const site&) const { return part; }
  void finish(const char*) const noexcept {}
  void forget() const noexcept {}
};

/// Reads single elements, which share messages.
template <ranges::memory_segment S>
class segment_reads<view::strided_segment<S>> {
  using T = std::ranges::range_value_t<S>;

 public:
  using elements = decltype(view::stepped(std::span<const T>(), 1));

  [[nodiscard]] std::size_t fits(const view::strided_segment<S>& segment) const {
    return is_here(segment) ? segment.size() : std::min(segment.size(), buffer_.left());
  }
  [[nodiscard]] elements read(const view::strided_segment<S>& segment, const site& where) {
    if (is_here(segment)) {
      return view::stepped(std::span<const T>(ranges::local(segment.base())), segment.step());
    }
    const std::span<T> to = buffer_.take(segment.size());
    for (std::size_t i = 0; i < to.size(); ++i) {
      reads_.add(segment.base().data() + static_cast<std::ptrdiff_t>(i * segment.step()),
                 to.subspan(i, 1), where);
    }
    return view::stepped(std::span<const T>(to), 1);
  }
  void finish(const char* call) { reads_.finish(call); }
  void forget() noexcept { buffer_.forget(); }

 private:
  [[nodiscard]] static bool is_here(const view::strided_segment<S>& segment) {
    return ranges::local(segment.base()).data() != nullptr;
  }

  run_reads<T> reads_;
  read_buffer<T> buffer_;
};

/// Reads a run, single elements, which share messages, or a repeated element once.
template <class T>
class segment_reads<view::stepped_segment<T>> {
  using value = std::remove_const_t<T>;
  using segment = view::stepped_segment<T>;

 public:
  using elements = decltype(view::counted_from(
      view::step_iterator(std::declval<const value*>(), std::size_t{1}), std::size_t{0}));

  [[nodiscard]] std::size_t fits(const segment& all) const {
    if (is_here(all)) return all.size();
    if (all.step() == 0) return buffer_.left() == 0 ? 0 : all.size();
    return std::min(all.size(), buffer_.left());
  }
  [[nodiscard]] elements read(const segment& all, const site& where) {
    if (is_here(all)) return stepped(all.base().local().data(), all.size(), all.step());
    if (all.step() <= 1) {
      const std::span<value> to = buffer_.take(all.base().size());
      reads_.add(all.base().data(), to, where);
      return stepped(to.data(), all.size(), all.step());
    }
    const std::span<value> to = buffer_.take(all.size());
    for (std::size_t i = 0; i < to.size(); ++i) {
      reads_.add(all.base().data() + static_cast<std::ptrdiff_t>(i * all.step()), to.subspan(i, 1),
                 where);
    }
    return stepped(to.data(), all.size(), 1);
  }
  void finish(const char* call) { reads_.finish(call); }
  void forget() noexcept { buffer_.forget(); }

 private:
  [[nodiscard]] static bool is_here(const segment& all) {
    return all.size() == 0 || all.base().local().data() != nullptr;
  }
  [[nodiscard]] static elements stepped(const value* first, std::size_t count, std::size_t step) {
    return view::counted_from(view::step_iterator(first, step), count);
  }

  run_reads<value> reads_;
  read_buffer<value> buffer_;
};

/// Reads the elements between, too.
template <class S>
  requires(!ranges::memory_segment<S>)
class segment_reads<view::strided_segment<S>> {
 public:
  using elements = decltype(view::stepped(std::declval<typename segment_reads<S>::elements>(), 1));

  [[nodiscard]] std::size_t fits(const view::strided_segment<S>& segment) const {
    return view::stepped_size(base_.fits(segment.base()), segment.step());
  }
  [[nodiscard]] elements read(const view::strided_segment<S>& segment, const site& where) {
    return view::stepped(base_.read(segment.base(), where), segment.step());
  }
  void finish(const char* call) { base_.finish(call); }
  void forget() noexcept { base_.forget(); }

 private:
  segment_reads<S> base_;
};

template <class S, class F>
class segment_reads<view::transform_segment<S, F>> {
 public:
  using elements = decltype(view::transformed(std::declval<typename segment_reads<S>::elements>(),
                                              std::declval<const view::kept_function<F>&>()));

  [[nodiscard]] std::size_t fits(const view::transform_segment<S, F>& segment) const {
    return base_.fits(segment.base());
  }
  [[nodiscard]] elements read(const view::transform_segment<S, F>& segment, const site& where) {
    return view::transformed(base_.read(segment.base(), where), segment.function());
  }
  void finish(const char* call) { base_.finish(call); }
  void forget() noexcept { base_.forget(); }

 private:
  segment_reads<S> base_;
};

template <class... S>
class segment_reads<view::zip_segment<S...>> {
 public:
  using elements = decltype(view::zipped(std::declval<typename segment_reads<S>::elements>()...));

  [[nodiscard]] std::size_t fits(const view::zip_segment<S...>& segment) const {
    return with_parts(
        segment, [](const auto&... each) { return std::min({each.reads.fits(each.part)...}); });
  }
  [[nodiscard]] elements read(const view::zip_segment<S...>& segment, const site& where) {
    return with_parts(
        segment, [&](auto... each) { return view::zipped(each.reads.read(each.part, where)...); });
  }
  void finish(const char* call) {
    std::apply([&](auto&... each) { (each.finish(call), ...); }, parts_);
  }
  void forget() noexcept {
    std::apply([](auto&... each) { (each.forget(), ...); }, parts_);
  }

 private:
  template <class Reads, class Part>
  struct pair {
    Reads& reads;
    const Part& part;
  };
  template <class Self, class F>
  static auto apply_to(Self& reads, const std::tuple<S...>& parts, F&& f) {
    return [&]<std::size_t... N>(std::index_sequence<N...>) {
      return f(pair<std::remove_reference_t<decltype(std::get<N>(reads))>, S>{
          std::get<N>(reads), std::get<N>(parts)}...);
    }(std::index_sequence_for<S...>{});
  }
  template <class F>
  auto with_parts(const view::zip_segment<S...>& segment, F&& f) const {
    return apply_to(parts_, segment.parts(), f);
  }
  template <class F>
  auto with_parts(const view::zip_segment<S...>& segment, F&& f) {
    return apply_to(parts_, segment.parts(), f);
  }

  std::tuple<segment_reads<S>...> parts_;
};

/// Reads computed or converted elements; complete at return.
template <ranges::distributed_range R, class T>
void read_computed(R& range, std::span<T> to, const site& where) {
  using segment = ranges::segment_of<R>;
  segment_reads<segment> reads;
  struct part {
    typename segment_reads<segment>::elements from;
    T* to;
  };
  std::vector<part> waiting;
  const auto finish = [&] {
    reads.finish("copy");
    quiet();
    for (const part& each : waiting) {
      std::transform(each.from.begin(), each.from.end(), each.to,
                     [](const auto& element) { return static_cast<T>(element); });
    }
    waiting.clear();
    reads.forget();
  };
  each_segment(range, 0, to.size(), [&](const segment& all) {
    const auto size = static_cast<std::size_t>(std::ranges::size(all));
    for (std::size_t done = 0; done < size;) {
      const std::size_t count = reads.fits(view::slice(all, done, size - done));
      if (count != 0)
        waiting.push_back({reads.read(view::slice(all, done, count), where), to.data()});
      to = to.subspan(count);
      done += count;
      if (count == 0 || waiting.size() == 4096) finish();
    }
  });
  finish();
}

}  // namespace acre::algorithm
