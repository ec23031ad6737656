// Guarantees: what an operation on a container may rely on.
//
//     using namespace acre::guarantees;
//     map.insert(key, value, only<insert>);   // until the next collective nobody does
//     acre::barrier();                        //   anything else with this map
//     map.find(key, only<find>);
//     map.insert(key, value, local);          // nobody but this rank uses its part
//
// Who knows what the others do meanwhile can say so, and the operation saves the
// atomics that would protect it against what does not happen. A guarantee holds
// for the phase of the program between one collective of the container's team
// (or of the world) and the next, and for all ranks in it.
//
// A guarantee that excludes the operation it is given to does not compile. In
// builds with ACRE_CHECKS an operation that breaks a guarantee of its phase throws
// an acre::error, on the rank that notices.
//
// Source: concurrency guarantees are from BCL (Brock, Buluç, Yelick, ICPP 2019),
// where they are flags.
#pragma once

#include <cstdint>

namespace acre {

/// What one can do with a container, as far as guarantees tell it apart.
enum class container_operation : std::uint8_t { find, insert, update, erase, push, pop };

/// Nothing is guaranteed: any rank does anything.
struct no_guarantee {
  static constexpr bool allows(container_operation) noexcept { return true; }
};

/// Until the next collective all ranks do only these.
template <container_operation... Allowed>
struct only_guarantee {
  static_assert(sizeof...(Allowed) != 0, "only<…> needs at least one operation");
  static constexpr bool allows(container_operation wanted) noexcept {
    return ((Allowed == wanted) || ...);
  }
};

/// What is operated on is this rank's, and until the next collective no other rank uses it.
struct local_guarantee {
  static constexpr bool allows(container_operation) noexcept { return true; }
};

namespace guarantees {

using enum container_operation;

template <container_operation... Allowed>
inline constexpr only_guarantee<Allowed...> only{};
inline constexpr local_guarantee local{};

}  // namespace guarantees

/// A guarantee under which the operation may be called.
template <class Guarantee, container_operation Operation>
concept guarantee_allowing = requires {
  { Guarantee::allows(Operation) };
} && Guarantee::allows(Operation);

namespace detail {

template <class Guarantee>
inline constexpr bool is_local = false;
template <>
inline constexpr bool is_local<local_guarantee> = true;

/// Whether the guarantee rules all of these out.
template <class Guarantee, container_operation... Operations>
inline constexpr bool excludes = !(Guarantee::allows(Operations) || ...);

}  // namespace detail
}  // namespace acre
