// SPDX-License-Identifier: BSD-3-Clause
// Global name of a movable object: 128 bits, valid on every rank for the object's life.
#pragma once

#include <acre/runtime/world.hpp>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>

namespace acre {

/// A name or null. Equality ignores credit.
class gid {
 public:
  struct parts {
    rank_t home = 0;
    std::uint16_t type = 0;
    bool is_movable = false;
    bool is_counted = false;
    std::uint32_t slot = 0;
    std::uint32_t generation = 0;  ///< from 1; differs when a slot is reused
  };

  constexpr gid() noexcept = default;
  constexpr explicit gid(const parts& of) noexcept
      : upper_(std::uint64_t{of.home} << 32 | std::uint64_t{of.type} << 16 |
               (of.is_movable ? movable_bit : 0) | (of.is_counted ? counted_bit : 0)),
        lower_(std::uint64_t{of.generation} << 32 | of.slot) {}

  /// The rank with the directory entry.
  [[nodiscard]] constexpr rank_t home() const noexcept { return rank_t(upper_ >> 32); }
  [[nodiscard]] constexpr std::uint16_t type() const noexcept {
    return std::uint16_t(upper_ >> 16);
  }
  [[nodiscard]] constexpr bool is_movable() const noexcept { return (upper_ & movable_bit) != 0; }
  /// True if references keep the object alive.
  [[nodiscard]] constexpr bool is_counted() const noexcept { return (upper_ & counted_bit) != 0; }
  [[nodiscard]] constexpr std::uint32_t slot() const noexcept { return std::uint32_t(lower_); }
  [[nodiscard]] constexpr std::uint32_t generation() const noexcept {
    return std::uint32_t(lower_ >> 32);
  }
  /// Slot and generation.
  [[nodiscard]] constexpr std::uint64_t id() const noexcept { return lower_; }

  [[nodiscard]] constexpr bool has_credit() const noexcept { return (upper_ & credit_mask) != 0; }
  /// Binary logarithm of the credit carried.
  [[nodiscard]] constexpr unsigned log2_credit() const noexcept {
    return unsigned(upper_ & credit_mask) - 1;
  }
  [[nodiscard]] constexpr gid with_credit(unsigned log2) const noexcept {
    gid changed = without_credit();
    changed.upper_ |= log2 + 1;
    return changed;
  }
  [[nodiscard]] constexpr gid without_credit() const noexcept {
    gid changed = *this;
    changed.upper_ &= ~credit_mask;
    return changed;
  }

  [[nodiscard]] constexpr explicit operator bool() const noexcept { return lower_ != 0; }
  [[nodiscard]] friend constexpr bool operator==(const gid& a, const gid& b) noexcept {
    return a.lower_ == b.lower_ && a.home() == b.home();
  }

 private:
  static constexpr std::uint64_t credit_mask = 0xff;
  static constexpr std::uint64_t movable_bit = 0x100;
  static constexpr std::uint64_t counted_bit = 0x200;

  std::uint64_t upper_ = 0;  ///< home, type, flags, 1 + log2(credit)
  std::uint64_t lower_ = 0;
};
static_assert(sizeof(gid) == 16);

/// "object 12.1 of rank 3", or "no object".
[[nodiscard]] std::string to_string(const gid& name);
std::ostream& operator<<(std::ostream& out, const gid& name);

}  // namespace acre

template <>
struct std::hash<acre::gid> {
  [[nodiscard]] std::size_t operator()(const acre::gid& name) const noexcept;
};
