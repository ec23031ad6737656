// SPDX-License-Identifier: BSD-3-Clause
// Halos: margins around a member's own elements, in one array, with copies of neighbouring
// elements. All members call update() equally often, in the same order of halos.
//
//     acre::halo_matrix<double, 2> m(acre::world(), {1000, 800}, 1);
//     acre::halo h(m);
//     h.update();
//     double laplacian = h(i - 1, j) + h(i + 1, j) + h(i, j - 1) + h(i, j + 1) - 4 * h(i, j);
#pragma once

#include <acre/array/detail/halo_exchange.hpp>
#include <acre/array/detail/halo_plan.hpp>
#include <acre/array/halo_edges.hpp>
#include <acre/array/matrix.hpp>
#include <acre/base/bits.hpp>
#include <acre/base/lifetime.hpp>
#include <acre/base/shared_object.hpp>
#include <acre/base/site.hpp>
#include <acre/layout/margins.hpp>
#include <acre/layout/surroundings.hpp>
#include <acre/view/box_span.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace acre {

/// Whether margins include corners.
enum class halo_corners : unsigned char { kept, left_out };

template <class T, std::size_t N>
struct halo_options {
  halo_edges<T, N> edges{};
  halo_corners corners = halo_corners::kept;
  /// Widths to update; all 0: the whole margins.
  halo_widths<N> widths{};
};

class halo_update {
 public:
  explicit halo_update(arrays::halo_exchange& exchange)
      : exchange_(&exchange), life_(exchange.life()) {}

  /// Waits until the update is complete; own elements may then change.
  /// @throws acre::error if a member left by an exception, or the halo was destroyed
  void wait(const site& where = site::current()) const { exchange(where).wait(where); }
  /// Polls, and copies arrived margins; true if complete. Runs no user code.
  [[nodiscard]] bool is_ready(const site& where = site::current()) const {
    return exchange(where).poll(where);
  }

 private:
  [[nodiscard]] arrays::halo_exchange& exchange(const site& where) const {
    arrays::require_exchange(life_, where);
    return *exchange_;
  }

  arrays::halo_exchange* exchange_;
  base::lifetime::watch life_;
};

/// Halo of a matrix, which must outlive it, else calls throw acre::error. If matrices are swapped,
/// swap their halos too. Construction and destruction are collective. Not thread-safe.
template <transferable T, std::size_t N>
class halo {
  static_assert(N <= fabric::box::most_dimensions);

 public:
  using value_type = T;
  static constexpr std::size_t dimensions = N;
  using coordinates = layout::coordinates<N>;
  using box = layout::box<N>;
  using options = halo_options<T, N>;

  /// Writes fixed and computed edges; the first update() fills exchanged margins. Collective. Cost:
  /// 1 allreduce, 1 allgather, 1 B.
  /// @throws acre::error if a width exceeds the margin
  template <class Pattern>
  explicit halo(matrix<T, N, Pattern>& m, const std::type_identity_t<options>& wanted = {},
                const site& where = site::current())
      : own_(m.local_box()), edges_(wanted.edges), corners_(wanted.corners) {
    static_assert(layout::has_property<Pattern, layout::margin_layout>,
                  "this matrix has no margins for a halo: use an acre::halo_matrix, or a pattern "
                  "of acre::with_margins(pattern, width)");
    const halo_widths<N>& room = m.pattern().memory().margins;
    const bool is_narrower = wanted.widths != halo_widths<N>();
    widths_ = is_narrower ? arrays::checked_widths(wanted.widths, room, where) : room;
    const arrays::halo_plan<T, N, Pattern> plan(m, widths_, wraps(),
                                                corners_ == halo_corners::kept);
    room_ = plan.room();
    before_ = m.pattern().memory().margins.before;
    first_ = plan.first();
    beyond_ = plan.beyond();
    keep_inner_box(plan);
    write_all_edges();
    exchange_ = base::shared_object<arrays::halo_exchange>::make(
        m.members(), plan.peers(), plan.own(), m.life(),
        arrays::halo_exchange::kind{shape_of(m), typeid(T)}, where);
  }

  /// Copies neighbours' elements, with their values at the owners' calls, to the margins. On return
  /// own elements may change. Collective, but waits only for neighbours (peers). Cost per peer:
  /// within a node l and two polled words; else one M, or beyond message size W, and M or A.
  /// @throws acre::error if a member left by an exception
  void update(const site& where = site::current()) { update_async(where).wait(where); }
  /// Updates the margin in one direction, e.g. {0, 1}: after the last column. Equal on all members.
  /// @throws acre::error unless components are -1, 0 or 1, not all 0
  void update(const std::array<int, N>& direction, const site& where = site::current()) {
    arrays::check_direction(direction, where);
    exchange().start(layout::number_of_direction(direction), where);
    exchange().wait(where);
  }
  /// Starts an update. Until wait(), margins are undefined, and own elements that neighbours copy
  /// must not change. The next start waits.
  [[nodiscard]] halo_update update_async(const site& where = site::current()) {
    exchange().start(arrays::halo_exchange::all_directions, where);
    return halo_update(exchange());
  }

  /// Rewrites margins of fixed and computed edges.
  void write_edges(const site& where = site::current()) {
    require_matrix("halo::write_edges", where);
    write_all_edges();
  }
  void require_matrix(const char* call, const site& where = site::current()) const {
    exchange().require_elements(call, where);
  }

  /// Local elements with margins; own element (0, 0) is at the matrix's margin widths, which may
  /// exceed widths().
  [[nodiscard]] box_span<T, N> local() const noexcept(!base::has_checks) {
    if constexpr (base::has_checks) require_matrix("halo::local", {});
    return room_;
  }
  /// Element by indices relative to the first own one; negative in the margins before it.
  template <std::convertible_to<std::ptrdiff_t>... Indices>
    requires(sizeof...(Indices) == N)
  [[nodiscard]] T& operator()(Indices... indices) const noexcept(!base::has_checks) {
    if constexpr (base::has_checks) require_matrix("halo::operator()", {});
    const std::array<std::ptrdiff_t, N> at{static_cast<std::ptrdiff_t>(indices)...};
    std::ptrdiff_t offset = 0;
    for (std::size_t d = 0; d < N; ++d) {
      offset += at[d] * static_cast<std::ptrdiff_t>(room_.strides()[d]);
    }
    return first_[offset];
  }
  template <class... Rest>
    requires(sizeof...(Rest) + 1 != N)
  void operator()(view::an_index_for_each_dimension, const Rest&...) const;
  [[nodiscard]] T* first() const noexcept { return first_; }
  [[nodiscard]] const coordinates& strides() const noexcept { return room_.strides(); }
  [[nodiscard]] const halo_widths<N>& widths() const noexcept { return widths_; }
  [[nodiscard]] halo_corners corners() const noexcept { return corners_; }

  [[nodiscard]] const box& own() const noexcept { return own_; }
  /// Own elements whose stencils need no exchanged margins: usable during an update, changeable if
  /// widths and edges before and after are equal.
  [[nodiscard]] const box& inner() const noexcept { return inner_; }
  /// The other own elements, as disjoint boxes, possibly empty.
  [[nodiscard]] std::array<box, 2 * N> boundary() const noexcept {
    std::array<box, 2 * N> parts{};
    box rest = own_;
    for (std::size_t d = 0; d < N; ++d) {
      box before = rest;
      before.extents[d] = inner_.empty() ? rest.extents[d] : inner_.first[d] - rest.first[d];
      parts[2 * d] = before;
      if (inner_.empty()) break;
      box after = rest;
      after.first[d] = inner_.first[d] + inner_.extents[d];
      after.extents[d] = rest.first[d] + rest.extents[d] - after.first[d];
      parts[2 * d + 1] = after;
      rest.first[d] = inner_.first[d];
      rest.extents[d] = inner_.extents[d];
    }
    return parts;
  }

  void start(const site& where) { exchange().start(arrays::halo_exchange::all_directions, where); }
  [[nodiscard]] arrays::halo_exchange& exchange() const {
    return global::require_object(exchange_.get(), "halo", "halo", "halo{matrix}");
  }

 private:
  [[nodiscard]] std::array<std::array<bool, 2>, N> wraps() const noexcept {
    std::array<std::array<bool, 2>, N> result{};
    for (std::size_t d = 0; d < N; ++d) {
      result[d] = {edges_[d].before.is_periodic(), edges_[d].after.is_periodic()};
    }
    return result;
  }
  template <class Matrix>
  [[nodiscard]] std::uint64_t shape_of(const Matrix& m) const {
    std::uint64_t shape = m.identity();
    const auto add = [&](std::uint64_t number) { shape = mix_bits(shape + number + 1); };
    add(static_cast<std::uint64_t>(corners_));
    const auto around = wraps();
    for (std::size_t d = 0; d < N; ++d) {
      add(m.extents()[d]);
      add(widths_.before[d]);
      add(widths_.after[d]);
      for (const bool is_around : around[d]) add(is_around ? 1 : 0);
    }
    return shape;
  }
  template <class Plan>
  void keep_inner_box(const Plan& plan) noexcept {
    inner_ = own_;
    for (std::size_t d = 0; d < N; ++d) {
      const auto [before, after] = plan.exchanged(d);
      const std::size_t outer = (before ? widths_.before[d] : 0) + (after ? widths_.after[d] : 0);
      if (outer >= own_.extents[d]) {
        inner_ = {};
        return;
      }
      inner_.first[d] += before ? widths_.before[d] : 0;
      inner_.extents[d] -= outer;
    }
  }
  void write_all_edges() {
    for (const layout::box_beside<N>& each : beyond_) {
      const std::size_t d = each.edge_dimension;
      const bool is_before = each.where.first[d] < before_[d];
      const halo_edge<T, N>& edge = is_before ? edges_[d].before : edges_[d].after;
      if (edge.has_values()) write_edge(each.where, edge);
    }
  }
  void write_edge(const box& where, const halo_edge<T, N>& edge) {
    for (std::size_t i = 0; i < where.size(); ++i) {
      coordinates at = layout::row_major::at<N>(i, where.extents);
      signed_coordinates<N> all{};
      for (std::size_t d = 0; d < N; ++d) {
        at[d] += where.first[d];
        all[d] = static_cast<std::ptrdiff_t>(at[d] + own_.first[d]) -
                 static_cast<std::ptrdiff_t>(before_[d]);
      }
      room_[at] = edge.at(all);
    }
  }

  box own_{};
  box inner_{};
  halo_edges<T, N> edges_;
  halo_corners corners_;
  halo_widths<N> widths_{};
  box_span<T, N> room_;
  coordinates before_{};
  T* first_ = nullptr;
  std::vector<layout::box_beside<N>> beyond_;
  base::shared_object<arrays::halo_exchange> exchange_;
};

/// Updates several halos concurrently.
template <class... T, std::size_t... N>
void update(halo<T, N>&... halos) {
  const site where = site::current();
  (halos.start(where), ...);
  const std::array<arrays::halo_exchange*, sizeof...(halos)> all{&halos.exchange()...};
  arrays::halo_exchange::wait_for_all(all, where);
}

template <class T, std::size_t N>
class halo_matrix : public matrix<T, N, layout::bordered_boxes<N>> {
  using parent = matrix<T, N, layout::bordered_boxes<N>>;

 public:
  halo_matrix() = default;
  /// Fills elements and margins with `initial`. Collective. Cost: B and 1 allgather.
  /// @throws acre::error on all members for short memory, differing extents, or a width negative or
  /// larger than the extent
  halo_matrix(const team& members, const layout::coordinates<N>& extents,
              const halo_widths<N>& widths, const T& initial = T{},
              const site& where = site::current())
      : parent(members, with_margins(parent::boxes_of(extents, members), widths), initial, where) {}
  halo_matrix(const team& members, const layout::coordinates<N>& extents, std::size_t width,
              const T& initial = T{}, const site& where = site::current())
      : halo_matrix(members, extents, layout::equal_margins<N>(width), initial, where) {}
};

/// make_matrix() of with_margins(pattern, width): one block per member, with margins for halos.
/// Collective. Cost and errors: as halo_matrix().
template <class T, layout::pattern Pattern, std::integral Width>
[[nodiscard]] auto make_halo_matrix(const team& members, const Pattern& pattern, Width width,
                                    const std::type_identity_t<T>& initial = T{},
                                    const site& where = site::current()) {
  return make_matrix<T>(members, with_margins(pattern, width), initial, where);
}
template <class T, layout::pattern Pattern>
[[nodiscard]] auto make_halo_matrix(const team& members, const Pattern& pattern,
                                    const halo_widths<Pattern::dimensions>& width,
                                    const std::type_identity_t<T>& initial = T{},
                                    const site& where = site::current()) {
  return make_matrix<T>(members, with_margins(pattern, width), initial, where);
}

}  // namespace acre
