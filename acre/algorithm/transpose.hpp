// SPDX-License-Identifier: BSD-3-Clause
// Transposes a matrix into another. Collective in the team of the target, whose members read.
//
//     acre::transpose_onto(a, b, std::plus<>());          // b(j, i) = b(j, i) + a(i, j)
#pragma once

#include <acre/algorithm/detail/overlap.hpp>
#include <acre/algorithm/detail/then_barrier.hpp>
#include <acre/algorithm/detail/transpose_box.hpp>
#include <acre/array/matrix_view.hpp>
#include <acre/array/transposed.hpp>
#include <acre/base/site.hpp>
#include <acre/global/future/counting_promise.hpp>
#include <acre/global/transfer/put_get_completions.hpp>
#include <acre/global/transfer/strided_async.hpp>
#include <acre/layout/box.hpp>
#include <acre/runtime/progress.hpp>
#include <acre/view/box_span.hpp>
#include <acre/view/boxes.hpp>
#include <acre/view/call_ranges.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre {

namespace algorithm {

void require_transposed(const layout::coordinates<2>& in, const layout::coordinates<2>& out,
                        const site& where);

[[noreturn]] void throw_transposed_onto_itself(const site& where);

template <class Operation>
struct combine_elements {
  Operation& operation;

  template <class T>
  void operator()(T* to, const T* from) const {
    *to = static_cast<T>(operation(*to, *from));
  }
};

/// Buffer for boxes of other nodes; in the private heap, if any, where the network writes directly.
class transposed_block {
 public:
  transposed_block(std::size_t bytes, std::size_t alignment);
  transposed_block(transposed_block&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)), alignment_(other.alignment_) {}
  transposed_block& operator=(transposed_block&&) = delete;
  ~transposed_block();

  [[nodiscard]] std::byte* get() const noexcept { return memory_; }

 private:
  std::byte* memory_;
  std::align_val_t alignment_;
};

template <class T, class Write>
class transposed_reads {
  /// Elements per batch, and concurrent batches: six buffers of 512 KiB remain in cache.
  static constexpr std::size_t room =
      std::max<std::size_t>(1, (std::size_t{512} << 10) / sizeof(T));
  static constexpr std::size_t most_batches = 6;
  static constexpr std::size_t most_in_batch = 512;
  static constexpr std::size_t most_pieces = 4096;

 public:
  transposed_reads(const Write& write, const site& where) : write_(write), where_(where) {}
  transposed_reads(const transposed_reads&) = delete;
  transposed_reads& operator=(const transposed_reads&) = delete;
  /// After an exception, waits for reads that still write to its buffers.
  ~transposed_reads() {
    for (; under_way_ != 0; drop_oldest()) oldest().wait_and_forget();
  }

  void add(global_ptr<const T> source, const layout::coordinates<2>& strides,
           const box_span<T, 2>& target) {
    if (near_.size() + far_.size() >= most_pieces) finish();
    if (const T* const here = source.local()) {
      near_.push_back({{here, {target.extent(1), target.extent(0)}, strides}, target});
    } else if (target.size() <= room) {
      far_.push_back({source, strides, target});
    } else {
      add_halves(source, strides, target);
    }
  }
  /// Transposes boxes mapped here while others are read.
  void finish() {
    // Members begin with different sources, to avoid contention.
    std::ranges::rotate(far_, std::ranges::find_if(far_, [](const far_box& each) {
                          return each.source.rank() > rank();
                        }));
    read_more();
    for (const pair& each : near_) {
      transpose_strips(each, [&] {
        if (oldest().come.get_future().is_ready()) pop_oldest();
      });
    }
    near_.clear();
    while (under_way_ != 0) pop_oldest();
    far_.clear();
    next_far_ = 0;
  }

 private:
  struct pair {
    box_span<const T, 2> source;
    box_span<T, 2> target;
  };
  struct far_box {
    global_ptr<const T> source;
    layout::coordinates<2> strides;
    box_span<T, 2> target;
  };
  struct batch {
    transposed_block buffer{room * sizeof(T), alignof(T)};
    std::size_t used = 0;
    std::vector<pair> boxes;
    counting_promise come;

    void wait_and_forget() noexcept {
      try {
        come.close().wait();
      } catch (...) {  // NOLINT(bugprone-empty-catch): what passes already says what is wrong
      }
    }
  };

  /// Polls the network between strips, so that the helper thread does not.
  template <class Look>
  void transpose_strips(const pair& all, Look&& look) const {
    constexpr std::size_t most = 16384;
    const std::size_t is = all.target.extent(1);
    const std::size_t rows = all.target.extent(0);
    const std::size_t strip = std::max<std::size_t>(most / std::max<std::size_t>(is, 1), 16);
    for (std::size_t j = 0; j < rows; j += strip) {
      const std::size_t js = std::min(strip, rows - j);
      transpose_box<T>(all.source.sub({.first = {0, j}, .extents = {is, js}}),
                       all.target.sub({.first = {j, 0}, .extents = {js, is}}), write_);
      if (under_way_ == 0) continue;
      runtime::progress_internal();
      look();
    }
  }

  void add_halves(global_ptr<const T> source, const layout::coordinates<2>& strides,
                  const box_span<T, 2>& target) {
    const std::size_t d = target.extent(0) < target.extent(1) ? 1 : 0;
    layout::box<2> half{.extents = target.extents()};
    half.extents[d] /= 2;
    if (half.extents[d] > 64) half.extents[d] -= half.extents[d] % 64;
    add(source, strides, target.sub(half));
    source += static_cast<std::ptrdiff_t>(half.extents[d] * strides[1 - d]);
    half.first[d] = half.extents[d];
    half.extents[d] = target.extent(d) - half.first[d];
    add(source, strides, target.sub(half));
  }

  void read_more() {
    while (next_far_ < far_.size() && under_way_ < most_batches) {
      batch& next = unused_batch();
      ++under_way_;
      while (next_far_ < far_.size() && next.boxes.size() < most_in_batch &&
             next.used + far_[next_far_].target.size() <= room) {
        read(far_[next_far_++], next);
      }
      next.come.close();
    }
  }
  [[nodiscard]] batch& oldest() { return batches_[oldest_]; }
  [[nodiscard]] batch& unused_batch() {
    const std::size_t next = (oldest_ + under_way_) % most_batches;
    return next == batches_.size() ? batches_.emplace_back() : batches_[next];
  }
  void drop_oldest() noexcept {
    --under_way_;
    oldest_ = under_way_ == 0 ? 0 : (oldest_ + 1) % most_batches;
  }

  void read(const far_box& box, batch& into) {
    const auto& [source, strides, target] = box;
    T* const to = reinterpret_cast<T*>(into.buffer.get()) + into.used;
    const std::size_t across = strides[0] < strides[1] ? 1 : 0;
    const std::size_t along = 1 - across;
    const std::array<std::size_t, 2> extents{target.extent(1 - across), target.extent(1 - along)};
    const auto signed_of = [](std::size_t n) { return static_cast<std::ptrdiff_t>(n); };
    get_strided_async(
        source, extents, std::array{signed_of(strides[across]), signed_of(strides[along])}, to,
        std::array{signed_of(extents[1]), std::ptrdiff_t{1}}, on_operation(into.come, where_));
    layout::coordinates<2> here{};
    here[across] = extents[1];
    here[along] = 1;
    into.boxes.push_back({{to, {target.extent(1), target.extent(0)}, here}, target});
    into.used += target.size();
  }

  void pop_oldest() {
    // On an oversubscribed core the helper thread would delay a rank that transposes.
    if (runtime::crowded()) runtime::note_repeated_call();
    batch& done = oldest();
    done.come.get_future().wait();
    for (const pair& each : done.boxes) transpose_strips(each, [] {});
    done.boxes.clear();
    done.used = 0;
    done.come = counting_promise();
    drop_oldest();
    read_more();
  }

  const Write& write_;
  const site& where_;
  std::vector<pair> near_;
  std::vector<far_box> far_;
  std::size_t next_far_ = 0;
  std::vector<batch> batches_;
  std::size_t oldest_ = 0;
  std::size_t under_way_ = 0;
};

template <class From, class To, class Write>
void transpose_boxes(const From& from, const To& to, const Write& write, const site& where) {
  using T = typename To::value_type;
  view::begin_collective_call(to.members(), "transpose", where, {}, to, from);
  require_transposed(from.extents(), to.extents(), where);
  if (boxes_overlap(from, to)) throw_transposed_onto_itself(where);
  between_barriers(to.members(), where, [&] {
    transposed_reads<T, Write> reads(write, where);
    to.each_own_piece(ranges::whole(to), [&](const layout::box<2>& mine, const auto& target) {
      const box_span<T, 2> here = target.local();
      from.each_piece(arrays::exchanged(mine), [&](const layout::box<2>& part, const auto& source) {
        layout::box<2> inside = arrays::exchanged(part);
        for (std::size_t d = 0; d < 2; ++d) inside.first[d] -= mine.first[d];
        reads.add(source.data(), source.strides(), here.sub(inside));
      });
    });
    reads.finish();
  });
}

template <class From, class To>
concept transposed_boxes = ranges::distributed_box<From> && ranges::distributed_box<To> &&
                           std::same_as<typename From::value_type, typename To::value_type> &&
                           (From::dimensions == 2) && (To::dimensions == 2);
template <class M>
using whole_of = decltype(whole(std::declval<M&>()));
template <class From, class To>
concept transposed_matrices = transposed_boxes<whole_of<const From>, whole_of<To>>;
template <class From>
consteval void explain_transpose() {
  constexpr bool are_alike = !ranges::distributed_range<From>;
  static_assert(are_alike,
                "both must be two-dimensional matrices, or both boxes, acre::whole(m) or "
                "acre::sub(m, box), of one element type; the second must not be const");
}

}  // namespace algorithm

/// to(j, i) = from(i, j), of boxes that do not overlap. Cost: 2 B. The common part of an own block
/// and a block at another node costs 2 M per 512 KiB and a W of the owner; instead R per line if
/// strided.hpp does not pack them (as below 8). Memory: 3 MiB.
/// @throws acre::error on all members, before any write, if extents do not fit or boxes overlap
template <ranges::distributed_box From, ranges::distributed_box To>
  requires algorithm::transposed_boxes<From, To>
void transpose(const From& from, const To& to, const site& where = site::current()) {
  algorithm::transpose_boxes(from, to, algorithm::copy_element(), where);
}
/// to(j, i) = operation(to(j, i), from(i, j)), as above.
template <ranges::distributed_box From, ranges::distributed_box To, class Operation>
  requires algorithm::transposed_boxes<From, To>
void transpose_onto(const From& from, const To& to, Operation&& operation,
                    const site& where = site::current()) {
  algorithm::transpose_boxes(
      from, to, algorithm::combine_elements<std::remove_reference_t<Operation>>{operation}, where);
}

/// For whole matrices.
template <class T, class From, class To>
void transpose(const matrix<T, 2, From>& from, matrix<T, 2, To>& to,
               const site& where = site::current()) {
  transpose(whole(from), whole(to), where);
}

template <class T, class From, class To, class Operation>
void transpose_onto(const matrix<T, 2, From>& from, matrix<T, 2, To>& to, Operation&& operation,
                    const site& where = site::current()) {
  transpose_onto(whole(from), whole(to), operation, where);
}

template <ranges::distributed_range From, class To, class... Rest>
  requires(!algorithm::transposed_boxes<std::remove_cvref_t<From>, std::remove_cvref_t<To>> &&
           !algorithm::transposed_matrices<From, std::remove_reference_t<To>>)
void transpose(From&&, To&&, const Rest&...) {
  algorithm::explain_transpose<From>();
}
template <ranges::distributed_range From, class To, class... Rest>
  requires(!algorithm::transposed_boxes<std::remove_cvref_t<From>, std::remove_cvref_t<To>> &&
           !algorithm::transposed_matrices<From, std::remove_reference_t<To>>)
void transpose_onto(From&&, To&&, const Rest&...) {
  algorithm::explain_transpose<From>();
}

namespace algorithm {
struct a_matrix_to_write_to {
  template <ranges::distributed_range R>
  a_matrix_to_write_to(const R&) = delete;  // write transpose(from, to)
};
}  // namespace algorithm
void transpose(algorithm::a_matrix_to_write_to);

}  // namespace acre
