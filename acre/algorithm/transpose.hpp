// Transposes a matrix into another: out(j, i) = in(i, j).
//
//     acre::matrix<double, 2> a(acre::world(), {1000, 800}), b(acre::world(), {800, 1000});
//     acre::transpose(a, b);
//     acre::transpose_onto(a, b, std::plus<>());          // b(j, i) = b(j, i) + a(i, j)
//
// Both may have any patterns, and may be boxes of matrices. Collective in the team of the one that
// is written, of which each member reads what its own blocks need: where that is mapped here from
// its place, otherwise in boxes, a bounded buffer at a time.
#pragma once

#include <acre/algorithm/detail/plain_buffer.hpp>
#include <acre/algorithm/detail/then_barrier.hpp>
#include <acre/algorithm/detail/transpose_box.hpp>
#include <acre/algorithm/detail/under_way.hpp>
#include <acre/array/matrix_view.hpp>
#include <acre/base/site.hpp>
#include <acre/global/strided.hpp>
#include <acre/layout/box.hpp>
#include <acre/runtime/progress.hpp>
#include <acre/view/box_span.hpp>
#include <acre/view/boxes.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace acre {

namespace detail {

/// @throws acre::error when the one's extents are not those of the other transposed
void require_transposed(const layout::coordinates<2>& in, const layout::coordinates<2>& out,
                        const site& where);

[[nodiscard]] constexpr layout::box<2> transposed(const layout::box<2>& box) noexcept {
  return {.first = {box.first[1], box.first[0]}, .extents = {box.extents[1], box.extents[0]}};
}

/// Elements become what an operation makes of them and others.
template <class Operation>
struct combine_elements {
  Operation& operation;

  template <class T>
  void operator()(T* to, const T* from) const {
    *to = operation(*to, *from);
  }
};

/// Transposes boxes of any member's memory into this rank's.
template <class T, class Write>
class transposed_reads {
  static constexpr std::size_t room = std::max<std::size_t>(1, (std::size_t{8} << 20) / sizeof(T));
  static constexpr std::size_t most_pieces = 4096;

 public:
  transposed_reads(const Write& write, const site& where) : write_(write), where_(where) {}

  void add(global_ptr<const T> source, const layout::coordinates<2>& strides,
           const box_span<T, 2>& target) {
    const layout::coordinates<2> extents{target.extent(1), target.extent(0)};
    if (const T* const here = source.local()) {
      near_.push_back({{here, extents, strides}, target});
      if (near_.size() == most_pieces) finish();
    } else if (target.size() <= room) {
      read(source, strides, target);
    } else {
      add_halves(source, strides, target);
    }
  }
  /// What is here while the rest is under way, and then that.
  void finish() {
    for (const pair& each : near_) transpose_strips(each);
    near_.clear();
    quiet();
    for (const auto& [source, target] : waiting_) transpose_box<T>(source, target, write_);
    waiting_.clear();
    used_.clear();
  }

 private:
  struct pair {
    box_span<const T, 2> source;
    box_span<T, 2> target;
  };

  /// With looks at the network in between, which brings what was asked for here and elsewhere.
  void transpose_strips(const pair& all) const {
    constexpr std::size_t strip = 64;
    const std::size_t rows = all.target.extent(0);
    for (std::size_t j = 0; j < rows; j += strip) {
      const std::size_t js = std::min(strip, rows - j);
      const std::size_t is = all.target.extent(1);
      transpose_box<T>(all.source.sub({.first = {0, j}, .extents = {is, js}}),
                       all.target.sub({.first = {j, 0}, .extents = {js, is}}), write_);
      if (!waiting_.empty()) progress();
    }
  }

  void add_halves(global_ptr<const T> source, const layout::coordinates<2>& strides,
                  const box_span<T, 2>& target) {
    const std::size_t d = target.extent(0) < target.extent(1) ? 1 : 0;
    layout::box<2> half{.extents = target.extents()};
    half.extents[d] /= 2;
    add(source, strides, target.sub(half));
    source += static_cast<std::ptrdiff_t>(half.extents[d] * strides[1 - d]);
    half.first[d] = half.extents[d];
    half.extents[d] = target.extent(d) - half.first[d];
    add(source, strides, target.sub(half));
  }

  void read(global_ptr<const T> source, const layout::coordinates<2>& strides,
            const box_span<T, 2>& target) {
    if (used_.count() + target.size() > room || waiting_.size() == most_pieces) finish();
    if (buffer_.size() == 0) buffer_ = plain_buffer<T>(room);
    T* const to = buffer_.data() + used_.count();
    used_.add(target.size());
    // The box as it lies there, its lines one after the other.
    const std::size_t across = strides[0] < strides[1] ? 1 : 0;
    const std::size_t along = 1 - across;
    const std::array<std::size_t, 2> extents{target.extent(1 - across), target.extent(1 - along)};
    const auto signed_of = [](std::size_t n) { return static_cast<std::ptrdiff_t>(n); };
    get_strided_nbi(source, extents,
                    std::array{signed_of(strides[across]), signed_of(strides[along])}, to,
                    std::array{signed_of(extents[1]), std::ptrdiff_t{1}}, where_);
    layout::coordinates<2> here{};
    here[across] = extents[1];
    here[along] = 1;
    waiting_.push_back({{to, {target.extent(1), target.extent(0)}, here}, target});
  }

  const Write& write_;
  const site& where_;
  plain_buffer<T> buffer_;
  under_way used_;
  std::vector<pair> near_;
  std::vector<pair> waiting_;
};

/// write(to(j, i), from(i, j)) of all elements.
template <class From, class To, class Write>
void transpose_boxes(const From& from, const To& to, const Write& write, const site& where) {
  using T = typename To::value_type;
  require_transposed(from.extents(), to.extents(), where);
  between_barriers(to.members(), where, [&] {
    transposed_reads<T, Write> reads(write, where);
    to.each_own_piece(ranges::whole(to), [&](const layout::box<2>& mine, const auto& target) {
      const box_span<T, 2> here = target.local();
      from.each_piece(transposed(mine), [&](const layout::box<2>& part, const auto& source) {
        layout::box<2> inside = transposed(part);
        for (std::size_t d = 0; d < 2; ++d) inside.first[d] -= mine.first[d];
        reads.add(source.data(), source.strides(), here.sub(inside));
      });
    });
    reads.finish();
  });
}

}  // namespace detail

/// to(j, i) = from(i, j), of two boxes (view/boxes.hpp), as sub() and whole() of a matrix make
/// them. They do not overlap. Cost: 2 B; R for each line of what of `from` lies at one member of
/// another node and belongs to one block of this member's.
/// @throws acre::error when the extents of the one are not those of the other transposed
template <ranges::distributed_box From, ranges::distributed_box To>
  requires std::same_as<typename From::value_type, typename To::value_type> &&
           (From::dimensions == 2) && (To::dimensions == 2)
void transpose(const From& from, const To& to, const site& where = site::current()) {
  detail::transpose_boxes(from, to, detail::copy_element(), where);
}
/// to(j, i) = operation(to(j, i), from(i, j)); the same otherwise.
template <ranges::distributed_box From, ranges::distributed_box To, class Operation>
  requires std::same_as<typename From::value_type, typename To::value_type> &&
           (From::dimensions == 2) && (To::dimensions == 2)
void transpose_onto(const From& from, const To& to, Operation&& operation,
                    const site& where = site::current()) {
  detail::transpose_boxes(
      from, to, detail::combine_elements<std::remove_reference_t<Operation>>{operation}, where);
}

/// The same of whole matrices.
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

}  // namespace acre
