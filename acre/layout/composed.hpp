// SPDX-License-Identifier: BSD-3-Clause
// Pattern of three stages: partition into blocks (cut.hpp), mapping of blocks to members
// (mapping.hpp), memory layout.
//
//     constexpr partition cuts(tiled_cut<16>(100), tiled_cut<16>(80));
//     constexpr composed pattern(cuts, grid<2>(cuts.blocks(), {2, 3}), canonical<row_major>{});
//
// Stages: Fuchs and Fürlinger, "Expressing and exploiting multi-dimensional locality in DASH"
// (2016).
#pragma once

#include <acre/base/bits.hpp>
#include <acre/layout/box.hpp>
#include <acre/layout/cut.hpp>
#include <acre/layout/mapping.hpp>
#include <acre/layout/pattern.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>

namespace acre::layout {

template <cut... Cuts>
class partition {
 public:
  static constexpr std::size_t dimensions = sizeof...(Cuts);
  using coordinates = layout::coordinates<dimensions>;

  constexpr partition() = default;
  constexpr explicit partition(const Cuts&... cuts) noexcept : cuts_(cuts...) {}

  template <class F>
  [[nodiscard]] constexpr coordinates each(F&& f) const noexcept {
    return [&]<std::size_t... D>(std::index_sequence<D...>) {
      return coordinates{f(std::get<D>(cuts_), D)...};
    }(std::index_sequence_for<Cuts...>{});
  }
  [[nodiscard]] constexpr coordinates extents() const noexcept {
    return each([](const auto& cut, std::size_t) { return cut.extent(); });
  }
  [[nodiscard]] constexpr coordinates blocks() const noexcept {
    return each([](const auto& cut, std::size_t) { return cut.blocks(); });
  }
  /// Upper bound of block extents.
  [[nodiscard]] constexpr coordinates largest() const noexcept {
    return each([](const auto& cut, std::size_t) { return cut.largest(); });
  }
  [[nodiscard]] constexpr coordinates block_of(const coordinates& at) const noexcept {
    return each([&](const auto& cut, std::size_t d) { return cut.block_of(at[d]); });
  }
  [[nodiscard]] constexpr box<dimensions> box_of(const coordinates& block) const noexcept {
    const coordinates first =
        each([&](const auto& cut, std::size_t d) { return cut.first(block[d]); });
    return {.first = first, .extents = each([&](const auto& cut, std::size_t d) {
                              return cut.first(block[d] + 1) - first[d];
                            })};
  }

  friend constexpr bool operator==(const partition& a, const partition& b) noexcept {
    return a.cuts_ == b.cuts_;
  }

 private:
  std::tuple<Cuts...> cuts_;
};

/// Memory layout: a member's blocks form one array. Requires a grid mapping.
template <order Order = row_major>
struct canonical {
  using order = Order;
  static constexpr bool is_canonical = true;
  static constexpr bool has_margins = false;
  friend constexpr bool operator==(canonical, canonical) noexcept = default;
};

/// Memory layout: block after block, each with the memory of the largest, so strides are equal.
template <order Order = row_major>
struct tiled {
  using order = Order;
  static constexpr bool is_canonical = false;
  static constexpr bool has_margins = false;
  friend constexpr bool operator==(tiled, tiled) noexcept = default;
};

template <std::size_t N>
struct margins {
  coordinates<N> before{};
  coordinates<N> after{};

  friend constexpr bool operator==(const margins&, const margins&) noexcept = default;
};

/// Memory layout: as canonical, with margins (margins.hpp). Requires one block per member.
template <std::size_t N, order Order = row_major>
struct bordered {
  using order = Order;
  static constexpr bool is_canonical = true;
  static constexpr bool has_margins = true;
  layout::margins<N> margins{};
  friend constexpr bool operator==(const bordered&, const bordered&) noexcept = default;
};

/// A box of elements of one member: a strided array.
template <std::size_t N>
struct piece {
  static constexpr std::size_t dimensions = N;
  box<N> where;  ///< global coordinates
  member_t member;
  std::size_t offset;      ///< in elements
  coordinates<N> strides;  ///< in elements
};

template <class Partition, class Mapping, class Memory>
class composed;

template <cut... Cuts, class Mapping, class Memory>
class composed<partition<Cuts...>, Mapping, Memory> {
 public:
  using partition_type = partition<Cuts...>;
  using mapping_type = Mapping;
  using memory_type = Memory;
  static constexpr std::size_t dimensions = sizeof...(Cuts);
  using coordinates = layout::coordinates<dimensions>;
  using order = typename Memory::order;

  static_assert(dimensions > 0);
  static_assert(mapping<Mapping, dimensions>);
  static_assert(
      !Memory::is_canonical || requires(const Mapping& m) { m.parts(); },
      "canonical memory requires the mapping `grid`: use `grid`, or the memory `tiled<row_major>`");
  static_assert(!Memory::is_canonical || ((Cuts::is_regular || Cuts::is_one_a_part) && ...),
                "canonical memory with irregular block sizes requires one block per part: use the "
                "memory `tiled<row_major>`");
  static_assert(
      !Memory::has_margins || (Cuts::is_one_a_part && ...),
      "margins require one block per member: use the cuts `balanced`, `blocked`, `none` or `at`");

  /// True if each member's elements occupy all offsets from 0 to local_size() - 1.
  static constexpr bool is_dense =
      !Memory::has_margins &&
      (Memory::is_canonical || (dimensions == 1 && (Cuts::is_regular && ...)));
  /// True if also offsets of a member ascend with indices.
  static constexpr bool is_ascending =
      is_dense && (dimensions == 1 || std::same_as<order, row_major>);
  static constexpr bool is_one_run =
      Memory::is_canonical && is_dense && dimensions == 1 && (Cuts::is_one_a_part && ...);

  constexpr composed() = default;
  /// @param owners  mapping of the blocks; a grid of one block per part if a cut is_one_a_part
  constexpr composed(const partition_type& cuts, const Mapping& owners, Memory memory = {}) noexcept
      : cuts_(cuts), owners_(owners), memory_(memory) {}

  [[nodiscard]] constexpr const partition_type& cuts() const noexcept { return cuts_; }
  [[nodiscard]] constexpr const Mapping& owners() const noexcept { return owners_; }
  [[nodiscard]] constexpr const Memory& memory() const noexcept { return memory_; }
  [[nodiscard]] constexpr coordinates extents() const noexcept { return cuts_.extents(); }
  [[nodiscard]] constexpr std::size_t size() const noexcept { return whole().size(); }
  [[nodiscard]] constexpr member_t members() const noexcept { return owners_.members(); }
  [[nodiscard]] constexpr box<dimensions> whole() const noexcept { return {.extents = extents()}; }

  /// Cost: divisions in each dimension.
  [[nodiscard]] constexpr place place_of(const coordinates& at) const noexcept {
    const coordinates block = cuts_.block_of(at);
    if constexpr (Memory::is_canonical) {
      coordinates part{};
      const coordinates inside = cuts_.each([&](const auto& cut, std::size_t d) {
        const std::size_t round = round_of(cut, d, block[d]);
        part[d] = block[d] - round * parts(d);
        return round * cut.largest() + at[d] - cut.first(block[d]);
      });
      return {.member = static_cast<member_t>(row_major::number<dimensions>(part, owners_.parts())),
              .offset = offset_inside(inside, extents_of_part(part))};
    } else {
      const slot where = owners_.slot_of(block);
      const coordinates inside =
          cuts_.each([&](const auto& cut, std::size_t d) { return at[d] - cut.first(block[d]); });
      return {.member = where.member,
              .offset = where.number * tile().size() +
                        order::template number<dimensions>(inside, tile().extents)};
    }
  }
  /// Inverse of place_of(); an offset in a margin yields the nearest own element.
  [[nodiscard]] constexpr coordinates coordinates_of(place where) const noexcept {
    if constexpr (Memory::is_canonical) {
      const coordinates part = owners_.part_of(where.member);
      const coordinates inside = place_inside(where.offset, local_extents(where.member));
      return cuts_.each([&](const auto& cut, std::size_t d) {
        return index_of_part(cut, part[d], inside[d], parts(d));
      });
    } else {
      const std::size_t number = where.offset / tile().size();
      const coordinates block =
          owners_.block_at({.member = where.member, .number = number}).value_or(coordinates{});
      coordinates at = order::template at<dimensions>(where.offset % tile().size(), tile().extents);
      const coordinates first = cuts_.box_of(block).first;
      for (std::size_t d = 0; d < dimensions; ++d) at[d] += first[d];
      return at;
    }
  }

  [[nodiscard]] constexpr coordinates coordinates_of(std::size_t index) const noexcept {
    return row_major::at<dimensions>(index, extents());
  }
  [[nodiscard]] constexpr std::size_t number_of(const coordinates& at) const noexcept {
    return row_major::number<dimensions>(at, extents());
  }
  [[nodiscard]] constexpr place place_of(std::size_t index) const noexcept {
    return place_of(coordinates_of(index));
  }
  [[nodiscard]] constexpr std::size_t index_of(place where) const noexcept {
    return number_of(coordinates_of(where));
  }
  /// To the end of the block's row, or further if the member owns whole rows; 1 for column-major.
  [[nodiscard]] constexpr std::size_t run_length(std::size_t index) const noexcept {
    if constexpr (dimensions > 1 && !std::same_as<order, row_major>) return 1;
    const coordinates at = coordinates_of(index);
    const coordinates end = end_of_run(at);
    const auto [d, row, before] = whole_rows_at(at);
    return (end[d] - at[d]) * row - before;
  }

  [[nodiscard]] constexpr std::size_t run_before(std::size_t index) const noexcept {
    if constexpr (dimensions > 1 && !std::same_as<order, row_major>) return 0;
    const coordinates at = coordinates_of(index);
    const coordinates begin = begin_of_run(at);
    const auto [d, row, before] = whole_rows_at(at);
    return before + (at[d] - begin[d]) * row;
  }

  /// Cost: l; for layout::tiled a few divisions per slot.
  [[nodiscard]] constexpr std::size_t local_size(member_t member) const noexcept {
    if constexpr (Memory::is_canonical) {
      return box<dimensions>{.extents = local_extents(member)}.size();
    } else {
      std::size_t held = 0;
      for (std::size_t number = 0; number < owners_.slots(); ++number) {
        const auto block = owners_.block_at({.member = member, .number = number});
        if (block) held += cuts_.box_of(*block).size();
      }
      return held;
    }
  }
  [[nodiscard]] constexpr std::size_t local_capacity() const noexcept {
    if constexpr (Memory::is_canonical) {
      const coordinates most = cuts_.each([&](const auto& cut, std::size_t d) {
        return smaller(cut.extent(), divide_up(cut.blocks(), parts(d)) * cut.largest());
      });
      return box<dimensions>{.extents = room_of(most)}.size();
    } else {
      return owners_.slots() * tile().size();
    }
  }
  /// Extents of a member's array, without margins.
  [[nodiscard]] constexpr coordinates local_extents(member_t member) const noexcept
    requires(Memory::is_canonical)
  {
    return extents_of_part(owners_.part_of(member));
  }
  /// `local_extents` plus margins.
  [[nodiscard]] constexpr coordinates room_of(const coordinates& local_extents) const noexcept
    requires(Memory::is_canonical)
  {
    coordinates room = local_extents;
    if constexpr (Memory::has_margins) {
      for (std::size_t d = 0; d < dimensions; ++d) {
        room[d] += memory_.margins.before[d] + memory_.margins.after[d];
      }
    }
    return room;
  }
  /// Memory offset of local coordinates.
  [[nodiscard]] constexpr std::size_t offset_inside(const coordinates& inside,
                                                    const coordinates& local_extents) const noexcept
    requires(Memory::is_canonical)
  {
    if constexpr (Memory::has_margins) {
      coordinates at = inside;
      for (std::size_t d = 0; d < dimensions; ++d) at[d] += memory_.margins.before[d];
      return order::template number<dimensions>(at, room_of(local_extents));
    } else {
      return order::template number<dimensions>(inside, local_extents);
    }
  }

  [[nodiscard]] constexpr coordinates blocks() const noexcept { return owners_.blocks(); }
  [[nodiscard]] constexpr coordinates block_of(const coordinates& at) const noexcept {
    return cuts_.block_of(at);
  }
  /// Upper bound of a member's slots; some may be unused.
  [[nodiscard]] constexpr std::size_t slots() const noexcept { return owners_.slots(); }
  [[nodiscard]] constexpr std::optional<coordinates> block_at(slot where) const noexcept {
    return owners_.block_at(where);
  }
  /// Returns a block, possibly empty, and its location.
  [[nodiscard]] constexpr piece<dimensions> block(const coordinates& block) const noexcept {
    const slot where = owners_.slot_of(block);
    const box<dimensions> inside = cuts_.box_of(block);
    if constexpr (Memory::is_canonical) {
      return {.where = inside,
              .member = where.member,
              .offset = inside.empty() ? 0 : place_of(inside.first).offset,
              .strides = order::template strides<dimensions>(room_of(local_extents(where.member)))};
    } else {
      return {.where = inside,
              .member = where.member,
              .offset = where.number * tile().size(),
              .strides = order::template strides<dimensions>(tile().extents)};
    }
  }

  /// Hash of the pattern, which members of a team compare.
  [[nodiscard]] constexpr std::uint64_t fingerprint() const noexcept {
    std::uint64_t mixed = members();
    const auto mix = [&](std::uint64_t number) { mixed = mix_bits(mixed ^ number); };
    static_cast<void>(cuts_.each([&](const auto& cut, std::size_t) {
      mix(cut.extent());
      mix(cut.blocks());
      mix(cut.largest());
      // At most 256 bounds: only those of cut_at do not follow from the above.
      const std::size_t step = divide_up(cut.blocks() + 1, std::size_t{256});
      for (std::size_t block = 0; block < cut.blocks(); block += step) mix(cut.first(block));
      return std::size_t{0};
    }));
    mix(slots());
    if (slots() != 0 && size() != 0) {
      mix(place_of(size() / 2).member);
      mix(place_of(size() - 1).member);
      mix(place_of(size() - 1).offset);
    }
    return mixed;
  }

  friend constexpr bool operator==(const composed& a, const composed& b) noexcept {
    return a.cuts_ == b.cuts_ && a.owners_ == b.owners_ && a.memory_ == b.memory_;
  }

 private:
  [[nodiscard]] constexpr std::size_t parts(std::size_t d) const noexcept {
    return owners_.parts()[d];
  }
  [[nodiscard]] constexpr box<dimensions> tile() const noexcept {
    return {.extents = cuts_.largest()};
  }

  [[nodiscard]] constexpr coordinates place_inside(std::size_t offset,
                                                   const coordinates& extents) const noexcept {
    coordinates inside = order::template at<dimensions>(offset, room_of(extents));
    if constexpr (Memory::has_margins) {
      for (std::size_t d = 0; d < dimensions; ++d) {
        const std::size_t before = smaller(inside[d], memory_.margins.before[d]);
        inside[d] = smaller(inside[d] - before, extents[d] - 1);
      }
    }
    return inside;
  }

  // In each dimension of a grid, part p holds blocks p, p + parts, p + 2 parts, …

  template <cut Cut>
  [[nodiscard]] constexpr std::size_t round_of(const Cut&, std::size_t d,
                                               std::size_t block) const noexcept {
    if constexpr (Cut::is_one_a_part) {
      return 0;
    } else {
      return owners_.round_of(d, block);
    }
  }
  [[nodiscard]] constexpr coordinates extents_of_part(const coordinates& part) const noexcept {
    return cuts_.each(
        [&](const auto& cut, std::size_t d) { return extent_of_part(cut, part[d], parts(d)); });
  }
  template <cut Cut>
  [[nodiscard]] static constexpr std::size_t extent_of_part(const Cut& cut, std::size_t part,
                                                            std::size_t parts) noexcept {
    if constexpr (Cut::is_one_a_part) {
      return part < cut.blocks() ? cut.first(part + 1) - cut.first(part) : 0;
    } else {
      if (part >= cut.blocks()) return 0;
      const std::size_t last = part + (cut.blocks() - 1 - part) / parts * parts;
      return last / parts * cut.largest() + cut.first(last + 1) - cut.first(last);
    }
  }
  template <cut Cut>
  [[nodiscard]] static constexpr std::size_t index_of_part(const Cut& cut, std::size_t part,
                                                           std::size_t inside,
                                                           std::size_t parts) noexcept {
    if constexpr (Cut::is_one_a_part) {
      return cut.first(part) + inside;
    } else {
      const std::size_t round = inside / cut.largest();
      return cut.first(round * parts + part) + inside % cut.largest();
    }
  }

  struct whole_rows {
    std::size_t dimension;  ///< last that is cut, or 0
    std::size_t elements;   ///< per step in it
    std::size_t before;     ///< elements since the start of the step
  };
  [[nodiscard]] constexpr whole_rows whole_rows_at(const coordinates& at) const noexcept {
    const coordinates all = extents();
    whole_rows rows{.dimension = dimensions - 1, .elements = 1, .before = 0};
    for (std::size_t& d = rows.dimension; d > 0 && has_whole_rows(d); --d) {
      rows.before += at[d] * rows.elements;
      rows.elements *= all[d];
    }
    return rows;
  }
  [[nodiscard]] constexpr bool has_whole_rows(std::size_t d) const noexcept {
    if constexpr (Memory::has_margins) {
      return parts(d) == 1 && memory_.margins.before[d] + memory_.margins.after[d] == 0;
    } else if constexpr (Memory::is_canonical) {
      return parts(d) == 1;
    } else {
      return cuts_.largest()[d] == cuts_.extents()[d];
    }
  }
  /// End of the contiguous run per dimension: the block's, or the extent if there is one part.
  [[nodiscard]] constexpr coordinates end_of_run(const coordinates& at) const noexcept {
    return cuts_.each([&](const auto& cut, std::size_t d) {
      if constexpr (Memory::is_canonical) {
        if (parts(d) == 1) return cut.extent();
      }
      return cut.first(cut.block_of(at[d]) + 1);
    });
  }

  [[nodiscard]] constexpr coordinates begin_of_run(const coordinates& at) const noexcept {
    return cuts_.each([&](const auto& cut, std::size_t d) {
      if constexpr (Memory::is_canonical) {
        if (parts(d) == 1) return std::size_t{0};
      }
      return cut.first(cut.block_of(at[d]));
    });
  }

  partition_type cuts_;
  Mapping owners_;
  [[no_unique_address]] Memory memory_{};
};

template <cut... Cuts, class Mapping, class Memory>
composed(const partition<Cuts...>&, const Mapping&, Memory)
    -> composed<partition<Cuts...>, Mapping, Memory>;

}  // namespace acre::layout
