// SPDX-License-Identifier: BSD-3-Clause
// What ends a job when its launcher cannot: it was killed.
//
// A process that does nothing but wait, in a session of its own, for the end of the launcher.
// Then it kills all that has the job's name in its environment, and removes what the job has left
// in /dev/shm. It has nothing open but a pipe, and neither the name nor the words of `acre run`,
// so that who kills all of these spares it.
#pragma once

#include <acre/base/descriptor.hpp>

#include <string>
#include <sys/types.h>

namespace acre::tool {

class guardian {
 public:
  /// Starts it: before there are threads, and before what it guards.
  explicit guardian(const std::string& job_name);
  /// The launcher has cleared up itself.
  ~guardian();
  guardian(const guardian&) = delete;
  guardian& operator=(const guardian&) = delete;

  [[nodiscard]] pid_t process() const noexcept { return process_; }
  /// For ranks, which are to end with the launcher by themselves (runtime/lifeline.hpp).
  [[nodiscard]] std::string lifeline() const;

 private:
  descriptor read_;
  descriptor write_;  // only this process's: who reads hears of its end
  pid_t process_ = -1;
};

}  // namespace acre::tool
