// SPDX-License-Identifier: BSD-3-Clause
// Comparison of operands of collective calls, with ACRE_CHECKS.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/global/team/team.hpp>

#include <cstdint>

namespace acre::global {

/// Number equal on all members; 0 for objects without identity().
template <class Object>
[[nodiscard]] std::uint64_t identity_of(const Object& object) {
  if constexpr (requires { object.identity(); }) return object.identity();
  return 0;
}

/// @throws acre::error on all members if their operands differ. Cost: with ACRE_CHECKS 1 small
/// allreduce
template <class... Operand>
void require_same_operands(const team& members, const char* call, const site& where,
                           const Operand&... operand) {
  if constexpr (base::has_checks) {
    std::uint64_t all = 0;
    ((all = mix_bits(all + identity_of(operand) + 1)), ...);
    require_same_object(members, call, all, where);
  }
}

}  // namespace acre::global
