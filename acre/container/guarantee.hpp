// SPDX-License-Identifier: BSD-3-Clause
// Guarantees: the caller's promises about concurrent use of a container, which save atomics.
//
//     using namespace acre::guarantees;
//     map.insert(key, value, only<insert>);   // all ranks only insert
//     acre::barrier();
//     map.insert(key, value, local);          // no other rank uses this part
//
// A guarantee binds all ranks until the next collective of the container's team or of all ranks,
// and excludes operations of the phase before: that phase ends by a collective in which each member
// waits for all others, after its asynchronous operations. With ACRE_CHECKS, the rank that detects
// a violation throws acre::error.
//
// Source: BCL (Brock, Buluç, Yelick, ICPP 2019).
#pragma once

#include <cstdint>

namespace acre {

enum class container_operation : std::uint8_t { find, insert, update, erase, push, pop };

struct no_guarantee {
  static constexpr bool allows(container_operation) noexcept { return true; }
};

/// Until the next collective, all ranks perform only the operations `Allowed`.
template <container_operation... Allowed>
struct only_guarantee {
  static_assert(sizeof...(Allowed) != 0, "only<…> needs at least one operation");
  static constexpr bool allows(container_operation wanted) noexcept {
    return ((Allowed == wanted) || ...);
  }
};

/// Until the next collective, no other rank uses this part of the data.
struct local_guarantee {
  static constexpr bool allows(container_operation) noexcept { return true; }
};

namespace guarantees {

using enum container_operation;

template <container_operation... Allowed>
inline constexpr only_guarantee<Allowed...> only{};
inline constexpr local_guarantee local{};

}  // namespace guarantees

template <class Guarantee, container_operation Operation>
concept guarantee_allowing = requires {
  { Guarantee::allows(Operation) };
} && Guarantee::allows(Operation);

namespace container {

template <class Guarantee>
inline constexpr bool is_local = false;
template <>
inline constexpr bool is_local<local_guarantee> = true;

template <class Guarantee, container_operation... Operations>
inline constexpr bool excludes = !(Guarantee::allows(Operations) || ...);

}  // namespace container
}  // namespace acre
