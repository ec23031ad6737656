// SPDX-License-Identifier: BSD-3-Clause
// Checks a row cut (layout/row_cut.hpp) against its team.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/team/team.hpp>
#include <acre/layout/row_cut.hpp>

namespace acre::csr {

/// @throws acre::error if `rows` does not match the team size
void check_members(const char* call, const row_cut& rows, rank_t members, const site& where);

}  // namespace acre::csr
