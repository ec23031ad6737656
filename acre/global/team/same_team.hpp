// SPDX-License-Identifier: BSD-3-Clause
// Matrices and vectors that meet in a call are of one team: members of another one, or the same
// ones in another order, have other parts.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/team/team.hpp>

namespace acre::global {

/// @param what        "y", of the team `one`
/// @param other_what  "the matrix"
/// @throws acre::error when they are of different teams
void check_same_team(const char* call, const char* what, const team& one, const char* other_what,
                     const team& other, const site& where,
                     const char* advice = "make both with one team");

}  // namespace acre::global
