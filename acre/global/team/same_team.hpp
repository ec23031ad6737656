// SPDX-License-Identifier: BSD-3-Clause
// Partitions depend on the team, so operands must share it.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/team/team.hpp>

namespace acre::global {

void check_same_team(const char* call, const char* what, const team& one, const char* other_what,
                     const team& other, const site& where,
                     const char* advice = "make both with one team");

}  // namespace acre::global
