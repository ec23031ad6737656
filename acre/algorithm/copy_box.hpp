// Copies of boxes: between a part of a matrix and plain memory, and between parts of two matrices.
//
//     std::vector<double> buffer(20 * 30);
//     acre::box_span<double, 2> here(buffer.data(), {20, 30});
//     acre::copy(acre::sub(m, {.first = {5, 7}, .extents = {20, 30}}), here);    // one-sided
//     acre::copy(here, acre::sub(m, {.first = {0, 0}, .extents = {20, 30}}));    // one-sided
//     acre::copy(acre::whole(a), acre::whole(b));      // collective, whatever their patterns
//
// What of a box lies at one member is one transfer, of which only the rows are contiguous: see
// global/strided.hpp for what a network makes of it.
#pragma once

#include <acre/algorithm/detail/then_barrier.hpp>
#include <acre/base/site.hpp>
#include <acre/global/completion.hpp>
#include <acre/view/box_span.hpp>
#include <acre/view/boxes.hpp>
#include <acre/view/global_box.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>

namespace acre {

namespace detail {

/// @throws acre::error
void require_equal_extents(const char* call, std::span<const std::size_t> from,
                           std::span<const std::size_t> to, const site& where);

}  // namespace detail

/// Reads a box into memory of this rank. One-sided. Cost: R for each row of what lies at one other
/// member.
/// @throws acre::error when their extents differ
template <ranges::distributed_box From>
void copy(const From& from, const box_span<typename From::value_type, From::dimensions>& to,
          const site& where = site::current()) {
  detail::require_equal_extents("copy", from.extents(), to.extents(), where);
  from.each_piece(ranges::whole(from), [&](const auto& part, const auto& piece) {
    get_nbi(piece, to.sub(part), where);
  });
  quiet();
}

/// Writes memory of this rank to a box; the members' memories have it then. One-sided. Cost: W for
/// each row of what lies at one other member.
/// @throws acre::error when their extents differ
template <ranges::distributed_box To>
void copy(const box_span<const typename To::value_type, To::dimensions>& from, const To& to,
          const site& where = site::current()) {
  detail::require_equal_extents("copy", from.extents(), to.extents(), where);
  to.each_piece(ranges::whole(to), [&](const auto& part, const auto& piece) {
    put_nbi(piece, from.sub(part), where);
  });
  quiet();
}
template <ranges::distributed_box To>
void copy(const box_span<typename To::value_type, To::dimensions>& from, const To& to,
          const site& where = site::current()) {
  copy(box_span<const typename To::value_type, To::dimensions>(from), to, where);
}

/// A box becomes the other, however both are spread; they must not overlap. Collective in the team
/// of `to`, of which each member reads what belongs to it. Cost: R for each row of what lies at two
/// different members; 2 B.
/// @throws acre::error when their extents differ
template <ranges::distributed_box From, ranges::distributed_box To>
  requires std::same_as<typename From::value_type, typename To::value_type> &&
           (From::dimensions == To::dimensions)
void copy(const From& from, const To& to, const site& where = site::current()) {
  detail::require_equal_extents("copy", from.extents(), to.extents(), where);
  detail::between_barriers(to.members(), where, [&] {
    to.each_own_piece(ranges::whole(to), [&](const auto& mine, const auto& target) {
      const auto here = target.local();
      from.each_piece(mine, [&](const auto& part, const auto& source) {
        auto inside = part;
        for (std::size_t d = 0; d < To::dimensions; ++d) inside.first[d] -= mine.first[d];
        get_nbi(source, here.sub(inside), where);
      });
    });
    quiet();
  });
}

}  // namespace acre
