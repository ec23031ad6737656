// SPDX-License-Identifier: BSD-3-Clause
// Steps of modules above at the start and the end of a job.
#pragma once

namespace acre::runtime {

/// Functions that a module adds to each job: all ranks call them at the same point, in the order of
/// registration (backwards at the end).
struct job_hooks {
  void (*started)() = nullptr;
  void (*ending)() = nullptr;
  void (*ended)() = nullptr;  ///< when all have ended: no rank calls this one any more
};
bool add_job_hooks(job_hooks hooks);

/// For the job itself.
void run_started_hooks();
void run_ending_hooks();
void run_ended_hooks();

/// Whether the job ended because an exception passed: the others may be anywhere.
[[nodiscard]] bool job_is_abandoned() noexcept;
/// An exception has passed by the end of the job, or this process is a child that is no rank.
void abandon_job() noexcept;

}  // namespace acre::runtime
