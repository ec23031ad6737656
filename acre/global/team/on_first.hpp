// SPDX-License-Identifier: BSD-3-Clause
// Steps executed by member 0 alone.
#pragma once

#include <acre/base/error.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/team.hpp>

#include <string>
#include <tuple>
#include <utility>

namespace acre::global {

/// Runs part() on member 0 only. All members return its result or throw its error. Collective.
/// Cost: 1 broadcast.
template <class Part>
auto on_first(const team& members, const char* call, const site& where, Part&& part) {
  using result = decltype(part());
  std::tuple<std::string, std::string, result> told;
  if (members.rank() == 0) {
    try {
      std::get<2>(told) = part();
    } catch (const error& failed) {
      std::get<0>(told) = failed.problem();
      std::get<1>(told) = failed.advice();
    }
  }
  told = members.broadcast(std::move(told), 0, where);
  auto& [problem, advice, made] = told;
  if (!problem.empty()) throw error(call, problem + describe_place(where), advice);
  return std::move(made);
}

}  // namespace acre::global
