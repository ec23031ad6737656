// SPDX-License-Identifier: BSD-3-Clause
// Reads of words of other ranks which do not throw. A call that may throw makes
// compilers store the variables of a loop in memory, although the loop rarely calls.
#pragma once

#include <cstddef>
#include <cstdint>

namespace acre::global {

/// @param bits  of a global pointer
/// @param to  memory of `bytes`: 1, 2, 4 or 8
/// @return false: rethrow_failure() throws the reason
[[nodiscard]] bool read_other(std::uint64_t bits, std::size_t bytes, void* to) noexcept;
/// Throws this thread's last exception of read_other().
[[noreturn, gnu::cold]] void rethrow_failure();

}  // namespace acre::global
