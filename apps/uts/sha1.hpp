// SPDX-License-Identifier: BSD-3-Clause
// SHA-1 (FIPS 180-4) of one block of big-endian 32-bit words, for random numbers only.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace acre::uts {

using sha1_digest = std::array<std::uint32_t, 5>;

/// @param words  at most 13
[[nodiscard]] sha1_digest sha1(std::span<const std::uint32_t> words) noexcept;

}  // namespace acre::uts
