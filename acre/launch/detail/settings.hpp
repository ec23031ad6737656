// SPDX-License-Identifier: BSD-3-Clause
// Settings that a job reads from the environment.
#pragma once

namespace acre::launch {

/// Checks all, even unused ones.
/// @throws acre::error naming variable, value and valid values
void check_settings();

}  // namespace acre::launch
