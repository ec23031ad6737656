// SPDX-License-Identifier: BSD-3-Clause
// Reads and writes of words of other ranks which do not throw. A call that may throw makes
// compilers store the variables of a loop in memory, although the loop rarely calls.
#pragma once

#include <cstddef>
#include <cstdint>

namespace acre::global {

struct other_word {
  std::uint64_t word;
  bool is_read;  ///< false: rethrow_failure() throws the reason
};
/// @param bits  of a global pointer
/// @param bytes  1, 2, 4 or 8
[[nodiscard]] other_word read_other_word(std::uint64_t bits, std::size_t bytes) noexcept;
/// @return false: rethrow_failure() throws the reason
[[nodiscard]] bool write_other_word(std::uint64_t bits, std::uint64_t word,
                                    std::size_t bytes) noexcept;
/// Throws this thread's last exception of the above.
[[noreturn, gnu::cold]] void rethrow_failure();

}  // namespace acre::global
