// Promises: what an operation on a container may rely on.
//
//     using namespace acre::promises;
//     map.insert(key, value, only<insert>);   // until the next collective nobody does
//     acre::barrier();                        //   anything else with this map
//     map.find(key, only<find>);
//     map.insert(key, value, local);          // nobody but this rank uses its part
//
// Who knows what the others do meanwhile can say so, and the operation saves the
// atomics that would protect it against what does not happen. A promise holds
// for the phase of the program between one collective of the container's team
// (or of the world) and the next, and for all ranks in it.
//
// A promise that excludes the operation it is given to does not compile. In
// builds with ACRE_CHECKS an operation that breaks a promise of its phase throws
// an acre::error, on the rank that notices.
//
// Source: concurrency promises are from BCL (Brock, Buluç, Yelick, ICPP 2019),
// where they are flags.
#pragma once

#include <cstdint>

namespace acre {

/// What one can do with a container, as far as promises tell it apart.
enum class container_operation : std::uint8_t { find, insert, update, erase, push, pop };

/// Nothing is promised: any rank does anything.
struct no_promise {
  static constexpr bool allows(container_operation) noexcept { return true; }
};

/// Until the next collective all ranks do only these.
template <container_operation... Allowed>
struct only_promise {
  static_assert(sizeof...(Allowed) != 0, "only<…> needs at least one operation");
  static constexpr bool allows(container_operation wanted) noexcept {
    return ((Allowed == wanted) || ...);
  }
};

/// What is operated on is this rank's, and until the next collective no other rank uses it.
struct local_promise {
  static constexpr bool allows(container_operation) noexcept { return true; }
};

namespace promises {

using enum container_operation;

template <container_operation... Allowed>
inline constexpr only_promise<Allowed...> only{};
inline constexpr local_promise local{};

}  // namespace promises

/// A promise under which the operation may be called.
template <class Promise, container_operation Operation>
concept promise_allowing = requires {
  { Promise::allows(Operation) };
} && Promise::allows(Operation);

namespace detail {

template <class Promise>
inline constexpr bool is_local = false;
template <>
inline constexpr bool is_local<local_promise> = true;

/// Whether the promise rules all of these out.
template <class Promise, container_operation... Operations>
inline constexpr bool excludes = !(Promise::allows(Operations) || ...);

}  // namespace detail
}  // namespace acre
