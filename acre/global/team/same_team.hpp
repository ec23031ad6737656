// SPDX-License-Identifier: BSD-3-Clause
// Checks that operands share a team, on which their partitions depend.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/team/team.hpp>

namespace acre::global {

void check_same_team(const char* call, const char* what, const team& one, const char* other_what,
                     const team& other, const site& where,
                     const char* advice = "create both with one team");

}  // namespace acre::global
