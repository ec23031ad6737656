// SPDX-License-Identifier: BSD-3-Clause
// Ends a rank with its launcher. `acre run` holds both ends of a pipe, which a rank opens through
// /proc to get SIGKILL at the end of the last writer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace acre::launch {

struct lifeline_address {
  pid_t process = 0;
  int descriptor = -1;
  std::uint64_t pipe = 0;
};

/// Text form: "4711:9:123456".
[[nodiscard]] std::string lifeline_text(const lifeline_address& address);
[[nodiscard]] std::optional<lifeline_address> lifeline_from(std::string_view text);

/// While it exists, this process (not its children) ends with the launcher.
class lifeline {
 public:
  /// No effect if the pipe is inaccessible (other namespace).
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
