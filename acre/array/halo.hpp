// SPDX-License-Identifier: BSD-3-Clause
// Halos: around its own elements each member of a matrix keeps copies of those that lie beside
// them, so that loops read neighbours in one array of plain memory.
//
//     acre::halo_matrix<double, 2> m(acre::world(), {1000, 800}, 1);   // margins of one element
//     acre::halo h(m);
//     …
//     h.update();                                      // the neighbours' elements, as they are now
//     for (std::ptrdiff_t i = 0; i < rows; ++i)
//       for (std::ptrdiff_t j = 0; j < columns; ++j)
//         next(i, j) = (h(i - 1, j) + h(i + 1, j) + h(i, j - 1) + h(i, j + 1)) / 4;
//
// m.local() is the member's own box, h.local() the same array with its margins. Loops are written
// by stencil() (stencil.hpp), also such that work while the exchange is under way.
//
// update() is called by all members, as often and in the same order of halos. It waits for those
// members only whose elements are kept here, or who keep some of this one's. On one node they copy
// from each other's memory, from others one message or put comes; all are under way at once.
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

/// Which elements beside a member's own are kept: also those that differ in several dimensions, or
/// only those that a star reaches, with less to exchange.
enum class halo_corners : unsigned char { kept, left_out };

template <class T, std::size_t N>
struct halo_options {
  halo_edges<T, N> edges{};
  halo_corners corners = halo_corners::kept;
  /// Less than the margins: {.before = {1, 1}, .after = {1, 1}}. As wide as they are when all are
  /// 0.
  halo_widths<N> widths{};
};

/// An update under way (halo::update_async).
class halo_update {
 public:
  explicit halo_update(arrays::halo_exchange& exchange)
      : exchange_(&exchange), life_(exchange.life()) {}

  /// Waits until it is complete; then the own elements may change, too.
  /// @throws acre::error when another member has left by an exception, or the halo has ended
  void wait(const site& where = site::current()) const { exchange(where).wait(where); }
  /// Whether it is; takes what has come.
  [[nodiscard]] bool is_ready(const site& where = site::current()) const {
    return exchange(where).advance();
  }

 private:
  [[nodiscard]] arrays::halo_exchange& exchange(const site& where) const {
    arrays::require_exchange(life_, where);
    return *exchange_;
  }

  arrays::halo_exchange* exchange_;
  base::lifetime::watch life_;
};

/// Of the matrix that it is made with, which must outlive it: a halo whose matrix has ended throws
/// acre::error. It belongs to the elements: where two matrices are exchanged, so are their halos.
/// Making and destroying it are collective. One thread at a time.
template <transferable T, std::size_t N>
class halo {
  static_assert(N <= fabric::box::most_dimensions);

 public:
  using value_type = T;
  static constexpr std::size_t dimensions = N;
  using coordinates = layout::coordinates<N>;
  using box = layout::box<N>;
  using options = halo_options<T, N>;

  /// Margins behind edges that have values are written now; the others by the first update().
  /// Collective. Cost: 2 allgathers, 1 B.
  /// @throws acre::error when a width is larger than the margin
  template <class Pattern>
  explicit halo(matrix<T, N, Pattern>& m, const std::type_identity_t<options>& wanted = {},
                const site& where = site::current())
      : own_(m.local_box()), edges_(wanted.edges), corners_(wanted.corners) {
    static_assert(layout::has_property<Pattern, layout::margin_layout>,
                  "this matrix has no room for a halo: make it an acre::halo_matrix, or its "
                  "pattern with acre::with_margins(pattern, width)");
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

  // --- the exchange ------------------------------------------------------------------

  /// Fills the margins with the others' elements as these were when their members called it, too.
  /// Returns when nobody reads this member's elements any more. Collective, but it waits only for
  /// those with which elements are exchanged. Cost: on one node l and two looks at each of these;
  /// from another node one M, or W + M for what no message carries.
  /// @throws acre::error when another member has left by an exception
  void update(const site& where = site::current()) { update_async(where).wait(where); }
  /// The margins of one direction: {0, 1} is behind the last column. Each member calls it with the
  /// same.
  /// @throws acre::error when it is no direction: each number is -1, 0 or 1, and not all are 0
  void update(const std::array<int, N>& direction, const site& where = site::current()) {
    arrays::check_direction(direction, where);
    exchange().start(layout::number_of_direction(direction), where);
    exchange().wait(where);
  }
  /// The same without waiting. Until wait() margins are unknown, and own elements within the widths
  /// of a neighbour must not change. One update of a halo at a time: the next waits for this.
  [[nodiscard]] halo_update update_async(const site& where = site::current()) {
    exchange().start(arrays::halo_exchange::all_directions, where);
    return halo_update(exchange());
  }

  /// Writes the margins behind edges that have values once more: when those have changed, or the
  /// program has written there. l.
  void write_edges(const site& where = site::current()) {
    require_matrix("halo::write_edges", where);
    write_all_edges();
  }
  /// What reads or writes by this halo asks first. @throws acre::error when its matrix has ended
  void require_matrix(const char* call, const site& where = site::current()) const {
    exchange().require_elements(call, where);
  }

  // --- elements ------------------------------------------------------------------------

  /// This member's elements with their margins: own element (0, 0) is at widths().before, or
  /// further inside where the margins are wider. l.
  [[nodiscard]] box_span<T, N> local() const noexcept(!base::has_checks) {
    if constexpr (base::has_checks) require_matrix("halo::local", {});
    return room_;
  }
  /// An element by its distance from the first own one, which is negative in margins before it.
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
  /// Compile errors for all other numbers of indices.
  template <class... Rest>
    requires(sizeof...(Rest) + 1 != N)
  void operator()(view::an_index_for_each_dimension, const Rest&...) const;
  /// The first own element.
  [[nodiscard]] T* first() const noexcept { return first_; }
  [[nodiscard]] const coordinates& strides() const noexcept { return room_.strides(); }
  [[nodiscard]] const halo_widths<N>& widths() const noexcept { return widths_; }
  [[nodiscard]] halo_corners corners() const noexcept { return corners_; }

  // --- boxes, in the coordinates of the matrix ------------------------------------------

  /// This member's own.
  [[nodiscard]] const box& own() const noexcept { return own_; }
  /// Own elements that are further from the margins that update() fills than those are wide: what
  /// may be worked on while an update is under way, and may change.
  [[nodiscard]] const box& inner() const noexcept { return inner_; }
  /// The others, as boxes that do not overlap; some may be empty.
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

  /// Several halos at once (update() below).
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
  /// A number of what all members must mean alike.
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
  coordinates before_{};  ///< how wide the room is, before the own elements
  T* first_ = nullptr;
  std::vector<layout::box_beside<N>> beyond_;            ///< the edges
  base::shared_object<arrays::halo_exchange> exchange_;  ///< updates under way know when it ends
};

/// Updates several halos in one exchange: all are under way at once.
template <class... T, std::size_t... N>
void update(halo<T, N>&... halos) {
  const site where = site::current();
  (halos.start(where), ...);
  const std::array<arrays::halo_exchange*, sizeof...(halos)> all{&halos.exchange()...};
  arrays::halo_exchange::wait_for_all(all, where);
}

/// A matrix with margins: a box for each member, and room around each.
template <class T, std::size_t N>
class halo_matrix : public matrix<T, N, layout::bordered_boxes<N>> {
  using parent = matrix<T, N, layout::bordered_boxes<N>>;

 public:
  halo_matrix() = default;
  /// Margins have the value `initial`, too. Collective. Cost: B and 1 allgather.
  /// @throws acre::error on all members when one has no room, extents differ, or a width is
  /// negative
  ///         or larger than the extent
  halo_matrix(const team& members, const layout::coordinates<N>& extents,
              const halo_widths<N>& widths, const T& initial = T{},
              const site& where = site::current())
      : parent(members, with_margins(parent::boxes_of(extents, members.size()), widths), initial,
               where) {}
  /// As wide on all sides.
  halo_matrix(const team& members, const layout::coordinates<N>& extents, std::size_t width,
              const T& initial = T{}, const site& where = site::current())
      : halo_matrix(members, extents, layout::equal_margins<N>(width), initial, where) {}
};

}  // namespace acre
