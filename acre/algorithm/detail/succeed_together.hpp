// A step of a collective algorithm that the next one builds on: where it fails on one member, none
// goes on.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/reduction.hpp>
#include <acre/global/team.hpp>

#include <cstddef>
#include <exception>
#include <span>
#include <vector>

namespace acre::detail {

/// @param call  "sort"
[[noreturn]] void throw_failed_elsewhere(const char* call, const site& where);

/// part() on all members; then all know that it is done, and that what it wrote may be read.
/// Collective. Cost: 1 allreduce. @throws what part() threw here; acre::error on all others
template <class Part>
void succeed_together(const team& members, const char* call, const site& where, Part&& part) {
  std::exception_ptr failure;
  try {
    part();
  } catch (...) {
    failure = std::current_exception();
  }
  const bool failed = members.allreduce(failure != nullptr, op::logical_or, where);
  if (failure != nullptr) std::rethrow_exception(failure);
  if (failed) throw_failed_elsewhere(call, where);
}

/// What part(numbers) adds to numbers, on all members together. Collective. Cost: 1 allreduce.
/// @throws what part() threw here; acre::error on all others
template <class Part>
[[nodiscard]] std::vector<std::size_t> add_on_all(const team& members, std::size_t size,
                                                  const char* call, const site& where,
                                                  Part&& part) {
  std::vector<std::size_t> numbers(size + 1);  // the last one: on how many it failed
  std::exception_ptr failure;
  try {
    part(std::span(numbers).first(size));
  } catch (...) {
    failure = std::current_exception();
    numbers.back() = 1;
  }
  members.allreduce(std::span(numbers), op::sum, where);
  if (failure != nullptr) std::rethrow_exception(failure);
  if (numbers.back() != 0) throw_failed_elsewhere(call, where);
  numbers.pop_back();
  return numbers;
}

}  // namespace acre::detail
