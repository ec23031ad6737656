// SPDX-License-Identifier: BSD-3-Clause
// Kernel of DASH's study of unit mapping: each member of a 3-D grid puts a message to its up to six
// neighbours in turn, waiting for each.
//
// Idrees, Fuchs, Glass: Effective use of the PGAS paradigm (PROHA 2016), section 4.1.
#pragma once

#include <acre/global/memory/put_get.hpp>
#include <acre/global/team/symmetric_array.hpp>
#include <acre/global/team/team.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace acre::stencil {

using grid_extents = std::array<std::uint32_t, 3>;

struct neighbour {
  rank_t member;
  std::uint32_t side;  ///< of the receiver: its message from here is message `side` of six
};

class stencil_puts {
 public:
  static constexpr std::size_t sides = 6;

  /// Collective. `members` fill `extents`, the last coordinate fastest; edges are open.
  /// @param most  bytes of the largest message
  stencil_puts(const team& members, const grid_extents& extents, std::size_t most)
      : members_(members),
        extents_(extents),
        most_(most),
        message_(most),
        received_(members, sides * most) {
    find_neighbours();
  }

  /// Seconds of this member's puts, after an untimed iteration. Collective. Cost: a W per
  /// iteration and neighbour, 3 B.
  double run(std::size_t bytes, std::uint32_t iterations) {
    ++runs_;
    for (std::size_t i = 0; i < bytes; ++i) message_[i] = value(members_.rank(), i);
    std::vector<global_ptr<std::byte>> to;
    to.reserve(neighbours_.size());
    for (const neighbour& each : neighbours_) {
      to.push_back(received_.pointer(each.member) + static_cast<std::ptrdiff_t>(most_ * each.side));
    }
    const std::span<const std::byte> message(message_.data(), bytes);
    members_.barrier();
    for (const auto each : to) put(each, message);
    members_.barrier();
    const auto begin = std::chrono::steady_clock::now();
    for (std::uint32_t i = 0; i < iterations; ++i) {
      for (const auto each : to) put(each, message);
    }
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    members_.barrier();
    return spent.count();
  }

  /// True if all messages of the last run have arrived.
  [[nodiscard]] bool is_right(std::size_t bytes) const {
    const std::span<const std::byte> all = received_.local();
    return std::ranges::all_of(neighbours_, [&](const neighbour& from) {
      const std::span<const std::byte> got = all.subspan(most_ * opposite(from.side), bytes);
      std::size_t i = 0;
      return std::ranges::all_of(got,
                                 [&](std::byte each) { return each == value(from.member, i++); });
    });
  }

  [[nodiscard]] std::span<const neighbour> neighbours() const noexcept { return neighbours_; }
  [[nodiscard]] const team& members() const noexcept { return members_; }

 private:
  static constexpr std::uint32_t opposite(std::uint32_t side) noexcept { return side ^ 1U; }

  /// Byte `i` of a message, different in each run.
  [[nodiscard]] std::byte value(rank_t member, std::size_t i) const noexcept {
    return static_cast<std::byte>(member * std::uint64_t{31} + runs_ * 101 + i % 251 + 1);
  }

  void find_neighbours() {
    rank_t stride = 1;
    for (std::size_t d = extents_.size(); d-- > 0; stride *= extents_[d]) {
      const rank_t at = members_.rank() / stride % extents_[d];
      const auto side = static_cast<std::uint32_t>(2 * d);
      if (at > 0) neighbours_.push_back({.member = members_.rank() - stride, .side = side + 1});
      if (at + 1 < extents_[d]) {
        neighbours_.push_back({.member = members_.rank() + stride, .side = side});
      }
    }
  }

  team members_;
  grid_extents extents_;
  std::size_t most_;
  std::vector<std::byte> message_;
  // Message `side` of a member is written by the neighbour on that side alone; barriers order it.
  symmetric_array<std::byte> received_;
  std::vector<neighbour> neighbours_;
  std::uint64_t runs_ = 0;
};

}  // namespace acre::stencil
