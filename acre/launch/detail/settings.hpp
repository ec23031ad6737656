// SPDX-License-Identifier: BSD-3-Clause
// The settings that a job reads from the environment, each with the values that it takes.
#pragma once

namespace acre::launch {

/// Checks all settings that are set, whether or not this job will read them: a wrong value that
/// matters only between hosts, or at the end, is an error at once.
/// @throws acre::error naming the variable, its value and what it may be
void check_settings();

}  // namespace acre::launch
