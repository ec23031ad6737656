// SPDX-License-Identifier: BSD-3-Clause
// SHA-1 (FIPS 180-4) of a few words: a message that fits in one block.
//
// Words instead of bytes, as SHA-1 reads its message: a word is four bytes, the first of them the
// highest. It draws random numbers here, and protects nothing.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace acre::uts {

using sha1_digest = std::array<std::uint32_t, 5>;

/// @param words  of the message, at most 13
[[nodiscard]] sha1_digest sha1(std::span<const std::uint32_t> words) noexcept;

}  // namespace acre::uts
