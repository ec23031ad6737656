// SPDX-License-Identifier: BSD-3-Clause
// How a rank ends with its launcher, whoever is between them.
//
// `acre run` keeps both ends of a pipe that nobody ever writes to. A rank opens it once more, to
// read, through /proc, and asks the kernel to be killed when something happens there: which is
// that the last writer is gone, the launcher, however it ended. So it needs no thread, no parent
// that passes a signal on, and no moment in which the rank looks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace acre::launch {

/// Where a launcher's pipe is to be found by processes of this host.
struct lifeline_address {
  pid_t process = 0;
  int descriptor = -1;
  std::uint64_t pipe = 0;  ///< its number in the kernel: descriptors may be another's elsewhere
};

/// As it stands in an answer of the launcher: "4711:9:123456"; and back.
[[nodiscard]] std::string lifeline_text(const lifeline_address& address);
[[nodiscard]] std::optional<lifeline_address> lifeline_from(std::string_view text);

/// While it lives this process does not outlive the launcher. Its children may.
class lifeline {
 public:
  /// Where the pipe is not to be found (in another namespace, say) this does nothing.
  explicit lifeline(const lifeline_address& launcher);
  ~lifeline();
  lifeline(const lifeline&) = delete;
  lifeline& operator=(const lifeline&) = delete;

  [[nodiscard]] bool is_held() const noexcept { return descriptor_ >= 0; }

 private:
  int descriptor_ = -1;
  std::uint64_t pipe_;
  pid_t process_;
};

}  // namespace acre::launch
