// SPDX-License-Identifier: BSD-3-Clause
// A process that detects the death of a rank, even by SIGKILL, by a socket pair.
#pragma once

#include <acre/base/descriptor.hpp>

#include <string>
#include <vector>

namespace acre::launch {

struct last_act {
  int descriptor = -1;
  std::string words;
  std::vector<std::string> command;
};

/// While it exists, the end of this process triggers `act`, which writes to a descriptor or runs a
/// command. Create it before memory is mapped; no effect if fork() fails. A forked child without
/// exec() delays the act. Closing the descriptor counts as death after two seconds.
class death_watch {
 public:
  explicit death_watch(const last_act& act);
  death_watch(const death_watch&) = delete;
  death_watch& operator=(const death_watch&) = delete;
  ~death_watch();

 private:
  descriptor told_;
};

}  // namespace acre::launch
