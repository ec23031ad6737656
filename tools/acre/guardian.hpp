// SPDX-License-Identifier: BSD-3-Clause
// Ends a job whose launcher was killed: a process in its own session waits for the launcher's end,
// then kills the job's processes and removes its shared memory. It hides its name, so that killing
// `acre run` spares it.
#pragma once

#include <acre/base/descriptor.hpp>

#include <string>
#include <sys/types.h>

namespace acre::tool {

class guardian {
 public:
  /// Must run before threads and guarded processes start.
  explicit guardian(const std::string& job_name);
  ~guardian();
  guardian(const guardian&) = delete;
  guardian& operator=(const guardian&) = delete;

  [[nodiscard]] pid_t process() const noexcept { return process_; }
  /// Descriptor by which ranks detect the launcher's end (runtime/lifeline.hpp).
  [[nodiscard]] std::string lifeline() const;

 private:
  descriptor read_;
  descriptor write_;  // closed at the launcher's end, which ends `guard`'s wait
  pid_t process_ = -1;
};

}  // namespace acre::tool
