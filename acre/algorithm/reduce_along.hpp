// SPDX-License-Identifier: BSD-3-Clause
// Reductions of boxes along one dimension. Collective in the box's team.
//
//     const auto columns = acre::reduce_along<0>(acre::whole(m));            // m.sum(axis=0)
//     acre::reduce_along<1>(acre::whole(m), acre::whole(least), 1e9, acre::op::min);
//
// Members combine own elements, and send the results to their owners.
#pragma once

#include <acre/algorithm/copy_box.hpp>
#include <acre/algorithm/detail/axis_sums.hpp>
#include <acre/algorithm/detail/then_barrier.hpp>
#include <acre/algorithm/reduce.hpp>
#include <acre/array/matrix.hpp>
#include <acre/array/matrix_view.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/reduction.hpp>
#include <acre/global/team/same_team.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/view/box_span.hpp>
#include <acre/view/boxes.hpp>
#include <acre/view/call_ranges.hpp>

#include <cstddef>
#include <span>
#include <type_traits>
#include <typeinfo>
#include <vector>

namespace acre {

namespace algorithm {

/// Results for other members: boxes of the target, and their elements by rows.
template <class Sum, std::size_t N>
class sent_sums {
 public:
  explicit sent_sums(const team& members) : members_(members), to_(members.size()) {}

  template <class To, class Sums>
  void add(const To& to, const Sums& mine) {
    to.each_piece(mine.where(), [&](const layout::box<N>& where, const auto& piece) {
      part& into = to_[*members_.member(piece.rank())];
      into.boxes.push_back(where);
      layout::box<N> inside = where;
      for (std::size_t d = 0; d < N; ++d) inside.first[d] -= mine.where().first[d];
      const std::size_t first = into.sums.size();
      into.sums.resize(first + where.size());
      copy_box_here(mine.sums().sub(inside),
                    box_span<Sum, N>(into.sums.data() + first, where.extents));
    });
  }

  /// Calls f(box, sums) for received boxes, in the order of the sending members.
  template <class F>
  void exchange(const site& where, const F& f) const {
    std::vector<layout::box<N>> boxes;
    std::vector<Sum> sums;
    std::vector<std::size_t> box_counts;
    std::vector<std::size_t> sum_counts;
    for (const part& each : to_) {
      boxes.insert(boxes.end(), each.boxes.begin(), each.boxes.end());
      sums.insert(sums.end(), each.sums.begin(), each.sums.end());
      box_counts.push_back(each.boxes.size());
      sum_counts.push_back(each.sums.size());
    }
    const auto all = members_.alltoallv(std::span<const layout::box<N>>(boxes),
                                        std::span<const std::size_t>(box_counts), where);
    const auto values = members_.alltoallv(std::span<const Sum>(sums),
                                           std::span<const std::size_t>(sum_counts), where);
    const Sum* next = values.values.data();
    for (const layout::box<N>& each : all.values) {
      f(each, box_span<const Sum, N>(next, each.extents));
      next += each.size();
    }
  }

 private:
  struct part {
    std::vector<layout::box<N>> boxes;
    std::vector<Sum> sums;
  };

  const team& members_;
  std::vector<part> to_;
};

template <std::size_t D, class From, class To>
concept reduced_along =
    (D < From::dimensions) && From::dimensions == To::dimensions + 1 &&
    transferable<typename To::value_type> && std::default_initializable<typename To::value_type> &&
    requires(const typename From::value_type& x) { static_cast<typename To::value_type>(x); };

}  // namespace algorithm

/// to(i, k) combines `initial` and from(i, j, k) for all j of dimension D, converted before; always
/// in the same order for a pattern. The operation must be associative and commutative. `to` must
/// not overlap `from`. Cost: l; 2 B, 1 allreduce and 2 alltoallv of own results. Memory: own
/// results, twice.
/// @throws acre::error if extents or teams differ; the exception of the operation, acre::error on
/// others
template <std::size_t D, ranges::distributed_box From, ranges::distributed_box To,
          class Operation = op::addition>
  requires algorithm::reduced_along<D, From, To> &&
           algorithm::combining<Operation, typename To::value_type>
void reduce_along(const From& from, const To& to,
                  const std::type_identity_t<typename To::value_type>& initial = {},
                  const Operation& operation = {}, const site& where = site::current()) {
  using T = typename To::value_type;
  constexpr std::size_t dimensions = To::dimensions;
  const team& members = from.members();
  view::begin_collective_call(members, "reduce_along", where,
                              {{"the operation", typeid(Operation)},
                               view::common_argument::of_value("the initial value", initial)},
                              from, to);
  global::check_same_team("reduce_along", "the box", members, "the result", to.members(), where);
  const auto extents = algorithm::without_axis<D>(from.extents());
  algorithm::require_equal_extents("reduce_along", extents, to.extents(), where);
  members.barrier(where);  // completes earlier writes
  algorithm::sent_sums<T, dimensions> sent(members);
  global::succeed_together(members, "reduce_along", where, [&] {
    for (const auto& each : algorithm::own_axis_sums<D, T>(from, operation)) sent.add(to, each);
    to.each_own_piece(ranges::whole(to), [&](const auto& whole, const auto& piece) {
      const box_span<T, dimensions> target = piece.local();
      layout::coordinates<dimensions> at{};
      for (std::size_t left = whole.size(); left != 0; --left) {
        target[at] = initial;
        layout::row_major::advance(at, whole.extents);
      }
    });
  });
  algorithm::then_barrier(members, where, [&] {
    sent.exchange(where, [&](const auto& box, const box_span<const T, dimensions>& sums) {
      to.each_own_piece(box, [&](const auto& found, const auto& piece) {
        const box_span<T, dimensions> target = piece.local();
        layout::coordinates<dimensions> at{};
        for (std::size_t left = found.size(); left != 0; --left) {
          target[at] = static_cast<T>(operation(target[at], sums[at]));
          layout::row_major::advance(at, found.extents);
        }
      });
    });
  });
}

/// Sums along dimension D, as numpy.sum with axis=D, of sum_type, in a matrix of balanced boxes.
/// Cost: as above, and construction.
template <std::size_t D, ranges::distributed_box From>
  requires(From::dimensions > 1) && (D < From::dimensions)
[[nodiscard]] auto reduce_along(const From& from, const site& where = site::current()) {
  using T = sum_type<typename From::value_type>;
  matrix<T, From::dimensions - 1> to(from.members(), algorithm::without_axis<D>(from.extents()),
                                     where);
  reduce_along<D>(from, whole(to), T{}, op::sum, where);
  return to;
}

}  // namespace acre
