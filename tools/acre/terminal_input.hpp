// SPDX-License-Identifier: BSD-3-Clause
// Forwards terminal input to rank 0: ranks' process groups may not read it.
#pragma once

#include "events.hpp"
#include <acre/base/descriptor.hpp>

#include <string>

namespace acre::tool {

class terminal_input {
 public:
  explicit terminal_input(event_queue& events) : events_(events) {}

  /// @return rank 0's end; closed without a terminal
  [[nodiscard]] descriptor open();
  void watch();
  void read();
  void write();
  void close();

 private:
  void forget_terminal();

  event_queue& events_;
  descriptor pipe_;
  bool is_watched_ = false;
  std::string typed_;  // not sent yet
};

}  // namespace acre::tool
