// SPDX-License-Identifier: BSD-3-Clause
// Compares types, operations and roots, with ACRE_CHECKS; roll calls detect neither different types
// of equal size nor different operations.
#pragma once

#include <acre/base/checks.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/detail/attendance.hpp>

#include <type_traits>
#include <typeinfo>

namespace acre {

class team;

namespace global {

struct collective_meaning {
  collective_kind kind;
  const char* name;
  const std::type_info* type;
  const std::type_info* operation = nullptr;
  rank_t root = collective_mark::no_root;
};

/// Cost: an uncounted small allreduce.
/// @throws acre::error on all members, naming two calls
void require_same_meaning(const team& members, const collective_meaning& mine, const site& where);

template <class T>
struct as_given {
  using type = T;
};

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
