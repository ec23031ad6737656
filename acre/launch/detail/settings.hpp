// SPDX-License-Identifier: BSD-3-Clause
// The settings that a job reads from the environment, each with the values that it takes.
#pragma once

namespace acre::launch {

/// Checks all settings, including those used later or between hosts only.
///
/// @throws acre::error naming variable, value and valid values
void check_settings();

}  // namespace acre::launch
