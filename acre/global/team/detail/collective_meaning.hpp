// SPDX-License-Identifier: BSD-3-Clause
// In builds with ACRE_CHECKS: whether all members of a team mean the same by a blocking collective.
// Its kind and its size are compared by those who wait long (roll_call.hpp). Types of one size and
// operations are not, and members that differ in them would return different results.
#pragma once

#include <acre/base/checks.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/detail/attendance.hpp>

#include <type_traits>
#include <typeinfo>

namespace acre {

class team;

namespace global {

/// The meaning of a collective of a team, which all members must share.
struct collective_meaning {
  collective_kind kind;
  const char* name;                           ///< as errors name the call; a literal
  const std::type_info* type;                 ///< of its values
  const std::type_info* operation = nullptr;  ///< of reductions
  rank_t root = collective_mark::no_root;
};

/// Throws on all members when they mean different things. Collective: a small allreduce, which no
/// counter counts.
/// @throws acre::error that names two of the calls
void require_same_meaning(const team& members, const collective_meaning& mine, const site& where);

/// A type or an operation as the user gave it, if another one carries its values.
template <class T>
struct as_given {
  using type = T;
};

/// At the beginning of a blocking collective of values of T. Without ACRE_CHECKS: nothing.
template <class T, class Operation = void>
void begin_collective([[maybe_unused]] const team& members, [[maybe_unused]] collective_kind kind,
                      [[maybe_unused]] const char* name, [[maybe_unused]] const site& where,
                      [[maybe_unused]] rank_t root = collective_mark::no_root) {
  if constexpr (base::has_checks) {
    collective_meaning mine{
        .kind = kind, .name = name, .type = &typeid(typename as_given<T>::type), .root = root};
    if constexpr (!std::is_void_v<Operation>) {
      mine.operation = &typeid(typename as_given<Operation>::type);
    }
    require_same_meaning(members, mine, where);
  }
}

}  // namespace global
}  // namespace acre
