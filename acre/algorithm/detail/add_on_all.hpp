// SPDX-License-Identifier: BSD-3-Clause
// Sums counters over all members, and fails on all if one member fails.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/team/reduction.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/team/team.hpp>

#include <cstddef>
#include <exception>
#include <span>
#include <vector>

namespace acre::algorithm {

/// Collective. Cost: 1 allreduce.
/// @throws the exception of part() here; acre::error on others
template <class Part>
[[nodiscard]] std::vector<std::size_t> add_on_all(const team& members, std::size_t size,
                                                  const char* call, const site& where,
                                                  Part&& part) {
  std::vector<std::size_t> numbers(size + 1);
  std::exception_ptr failure;
  try {
    part(std::span(numbers).first(size));
  } catch (...) {
    failure = std::current_exception();
    numbers.back() = 1;
  }
  members.allreduce(std::span(numbers), op::sum, where);
  if (failure != nullptr) std::rethrow_exception(failure);
  if (numbers.back() != 0) global::throw_failed_elsewhere(call, where);
  numbers.pop_back();
  return numbers;
}

}  // namespace acre::algorithm
