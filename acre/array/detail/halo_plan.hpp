// SPDX-License-Identifier: BSD-3-Clause
// Boxes, addresses and channel sizes of a member's halo exchange.
#pragma once

#include <acre/array/detail/halo_exchange.hpp>
#include <acre/array/matrix.hpp>
#include <acre/base/site.hpp>
#include <acre/fabric/box.hpp>
#include <acre/layout/margins.hpp>
#include <acre/layout/surroundings.hpp>
#include <acre/runtime/world.hpp>
#include <acre/view/box_span.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace acre::arrays {

void check_direction(std::span<const int> direction, const site& where);

void check_widths(std::span<const std::size_t> widths, std::span<const std::size_t> room,
                  const site& where);

template <std::size_t N>
[[nodiscard]] const halo_widths<N>& checked_widths(const halo_widths<N>& wanted,
                                                   const halo_widths<N>& room, const site& where) {
  check_widths(wanted.before, room.before, where);
  check_widths(wanted.after, room.after, where);
  return wanted;
}

template <class T, std::size_t N, class Pattern>
class halo_plan {
  using coordinates = layout::coordinates<N>;
  using beside = layout::box_beside<N>;

 public:
  halo_plan(matrix<T, N, Pattern>& m, const halo_widths<N>& widths,
            const std::array<std::array<bool, 2>, N>& wraps, bool has_corners)
      : matrix_(m),
        pattern_(m.pattern()),
        around_(pattern_, widths, wraps),
        me_(m.members().rank()),
        has_corners_(has_corners) {
    const box_span<T, N> own = m.local();
    if (own.empty()) return;
    first_ = own.data();
    strides_ = own.strides();
    const coordinates extents = pattern_.local_extents(me_);
    room_ = {first_ - pattern_.offset_inside({}, extents), pattern_.room_of(extents), strides_};
    for (const beside& each : kept_by(me_)) (each.is_beyond ? beyond_ : in_).push_back(each);
  }

  [[nodiscard]] box_span<T, N> room() const noexcept { return room_; }
  [[nodiscard]] T* first() const noexcept { return first_; }
  [[nodiscard]] const std::vector<beside>& beyond() const noexcept { return beyond_; }
  /// True if the margins before / after hold copies of elements.
  [[nodiscard]] std::pair<bool, bool> exchanged(std::size_t d) const noexcept {
    const std::size_t own = first_ == nullptr ? 0 : pattern_.memory().margins.before[d];
    std::pair<bool, bool> found{false, false};
    for (const beside& each : in_) {
      if (each.where.first[d] < own) found.first = true;
      if (each.where.first[d] >= own + pattern_.local_extents(me_)[d]) found.second = true;
    }
    return found;
  }

  [[nodiscard]] std::vector<halo_box> own() const {
    std::vector<halo_box> boxes;
    for (const beside& each : in_) {
      if (each.member == me_) boxes.push_back(copied(each, true));
    }
    return boxes;
  }
  [[nodiscard]] std::vector<halo_peer> peers() const {
    std::vector<halo_peer> all;
    for (const layout::member_t other : others_of(me_)) {
      const bool is_near = is_on_this_node(matrix_.members(), other);
      halo_peer peer{.member = other, .in = {}, .out = {}, .channel_there = channel_at(other)};
      for (const beside& each : in_) {
        if (each.member == other) peer.in.push_back(copied(each, is_near));
      }
      for (const beside& each : kept_by(other)) {
        if (!each.is_beyond && each.member == me_) peer.out.push_back(packed(each));
      }
      all.push_back(std::move(peer));
    }
    return all;
  }

 private:
  [[nodiscard]] std::vector<beside> kept_by(layout::member_t member) const {
    std::vector<beside> kept = around_.around(member);
    if (!has_corners_) std::erase_if(kept, is_corner);
    return kept;
  }
  [[nodiscard]] static bool is_corner(const beside& each) noexcept {
    std::size_t turned = 0;
    std::size_t rest = each.direction;
    for (std::size_t d = 0; d < N; ++d, rest /= 3) turned += rest % 3 != 1 ? 1U : 0U;
    return turned > 1;
  }

  [[nodiscard]] std::vector<layout::member_t> others_of(layout::member_t member) const {
    std::vector<layout::member_t> others;
    for (const beside& each : kept_by(member)) {
      if (!each.is_beyond) others.push_back(each.member);
    }
    for (const layout::member_t reader : around_.readers(member)) {
      if (bytes_between(reader, member) != 0) others.push_back(reader);
    }
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    std::erase(others, member);
    return others;
  }
  [[nodiscard]] std::size_t bytes_between(layout::member_t keeps, layout::member_t holds) const {
    std::size_t elements = 0;
    for (const beside& each : kept_by(keeps)) {
      if (!each.is_beyond && each.member == holds) elements += each.where.size();
    }
    return elements * sizeof(T);
  }
  [[nodiscard]] std::size_t channel_at(layout::member_t other) const {
    const team& members = matrix_.members();
    std::size_t place = 0;
    for (const layout::member_t each : others_of(other)) {
      if (each == me_) break;
      const bool is_near =
          runtime::node_of(members.world_rank(each)) == runtime::node_of(members.world_rank(other));
      place += halo_channel_bytes(is_near, bytes_between(other, each), bytes_between(each, other));
    }
    return place;
  }

  [[nodiscard]] halo_box copied(const beside& each, bool is_mapped) const {
    const auto block = pattern_.block_at({.member = each.member, .number = 0});
    const layout::piece<N> theirs = pattern_.block(block.value_or(coordinates{}));
    const coordinates& extents = each.where.extents;
    const coordinates from = is_mapped ? theirs.strides : layout::row_major::strides<N>(extents);
    const std::byte* owned = nullptr;
    if (is_mapped) {
      std::size_t offset = 0;
      for (std::size_t d = 0; d < N; ++d) offset += each.from[d] * theirs.strides[d];
      const global_ptr<T> first = matrix_.pointer(theirs.where.first);
      owned = runtime::direct_address(first.bits()) + offset * sizeof(T);
    }
    return {.direction = each.direction,
            .shape = shape_of(extents, from),
            .kept = reinterpret_cast<std::byte*>(&room_[each.where.first]),
            .owned = owned};
  }
  [[nodiscard]] halo_box packed(const beside& each) const {
    std::size_t offset = 0;
    for (std::size_t d = 0; d < N; ++d) offset += each.from[d] * strides_[d];
    const coordinates& extents = each.where.extents;
    return {.direction = each.direction,
            .shape = shape_of(extents, layout::row_major::strides<N>(extents)),
            .kept = nullptr,
            .owned = reinterpret_cast<const std::byte*>(first_ + offset)};
  }
  /// Shape in this array, fastest dimension first; `remote`: strides at the peer or in the buffer.
  [[nodiscard]] fabric::box shape_of(const coordinates& extents,
                                     const coordinates& remote) const noexcept {
    const auto bytes = [](std::size_t elements) {
      return static_cast<std::ptrdiff_t>(elements * sizeof(T));
    };
    const bool is_by_columns = strides_.front() < strides_.back();
    fabric::box shape(sizeof(T));
    for (std::size_t i = 0; i < N; ++i) {
      const std::size_t d = is_by_columns ? i : N - 1 - i;
      shape.repeat(extents[d], bytes(remote[d]), bytes(strides_[d]));
    }
    return shape;
  }

  matrix<T, N, Pattern>& matrix_;
  const Pattern& pattern_;
  layout::surroundings<N> around_;
  layout::member_t me_;
  bool has_corners_;
  T* first_ = nullptr;
  coordinates strides_{};
  box_span<T, N> room_;
  std::vector<beside> in_;
  std::vector<beside> beyond_;
};

}  // namespace acre::arrays
