// SPDX-License-Identifier: BSD-3-Clause
// Callbacks of other modules at the start and end of a job.
#pragma once

namespace acre::runtime {

/// Called by all ranks in registration order (`ending` reversed).
struct job_hooks {
  void (*started)() = nullptr;
  void (*ending)() = nullptr;
  void (*ended)() = nullptr;
};
bool add_job_hooks(job_hooks hooks);

void run_started_hooks();
void run_ending_hooks();
void run_ended_hooks();

/// True after an exception ended the job here.
[[nodiscard]] bool job_is_abandoned() noexcept;
/// Called after an exception, or in a child process.
void abandon_job() noexcept;

}  // namespace acre::runtime
