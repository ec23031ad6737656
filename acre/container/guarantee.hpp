// SPDX-License-Identifier: BSD-3-Clause
// Guarantees: what the caller of an operation on a container knows that nobody does
// meanwhile.
//
//     using namespace acre::guarantees;
//     map.insert(key, value, only<insert>);   // until the next collective all ranks do
//     acre::barrier();                        //   nothing else with this map
//     map.find(key, only<find>);
//     acre::barrier();
//     map.insert(key, value, local);          // the key is this rank's, and until the next
//                                             //   collective nobody else uses this rank's part
//
// Whoever knows what the others do meanwhile guarantees it, and the operation saves
// the atomics that would protect it against what does not happen. A guarantee binds
// all ranks for one phase of the program: from one collective of the container's team
// (or of the world) to the next.
//
// A call with a guarantee that excludes the very operation does not compile. In builds
// with ACRE_CHECKS an operation that breaks a guarantee of its phase throws an
// acre::error, on the rank that notices.
//
// Source: concurrency promises in BCL (Brock, Buluç, Yelick, ICPP 2019), where they
// are flags.
#pragma once

#include <cstdint>

namespace acre {

/// What one can do with a container, as finely as guarantees distinguish it.
enum class container_operation : std::uint8_t { find, insert, update, erase, push, pop };

/// Nothing is guaranteed: any rank may do anything.
struct no_guarantee {
  static constexpr bool allows(container_operation) noexcept { return true; }
};

/// Until the next collective no rank does anything but these.
template <container_operation... Allowed>
struct only_guarantee {
  static_assert(sizeof...(Allowed) != 0, "only<…> needs at least one operation");
  static constexpr bool allows(container_operation wanted) noexcept {
    return ((Allowed == wanted) || ...);
  }
};

/// What the operation uses is this rank's own, and until the next collective no other rank
/// uses it.
struct local_guarantee {
  static constexpr bool allows(container_operation) noexcept { return true; }
};

namespace guarantees {

using enum container_operation;

template <container_operation... Allowed>
inline constexpr only_guarantee<Allowed...> only{};
inline constexpr local_guarantee local{};

}  // namespace guarantees

/// A guarantee with which the operation may be called: it does not exclude it.
template <class Guarantee, container_operation Operation>
concept guarantee_allowing = requires {
  { Guarantee::allows(Operation) };
} && Guarantee::allows(Operation);

namespace container {

template <class Guarantee>
inline constexpr bool is_local = false;
template <>
inline constexpr bool is_local<local_guarantee> = true;

/// Whether the guarantee excludes all of these.
template <class Guarantee, container_operation... Operations>
inline constexpr bool excludes = !(Guarantee::allows(Operations) || ...);

}  // namespace container
}  // namespace acre
