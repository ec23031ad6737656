// SPDX-License-Identifier: BSD-3-Clause
// Input from a terminal, passed on to rank 0 by a pipe: ranks are in process groups of their own,
// which may not read the terminal.
#pragma once

#include "events.hpp"
#include <acre/base/descriptor.hpp>

#include <string>

namespace acre::tool {

class terminal_input {
 public:
  explicit terminal_input(event_queue& events) : events_(events) {}

  /// Opens the pipe if the standard input is a terminal.
  /// @return the end for rank 0; not open where there is no terminal
  [[nodiscard]] descriptor open();
  /// Watches the terminal, if the pipe is open and the terminal is not watched.
  void watch();
  /// Reads from the terminal, on an event of it.
  void read();
  /// Writes to rank 0, on an event of the pipe.
  void write();
  void close();

 private:
  void forget_terminal();

  event_queue& events_;
  descriptor pipe_;  // to rank 0
  bool is_watched_ = false;
  std::string typed_;  // not yet taken by rank 0
};

}  // namespace acre::tool
