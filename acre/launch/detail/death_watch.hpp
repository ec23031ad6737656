// SPDX-License-Identifier: BSD-3-Clause
// A process beside a rank that sees it die, and then says one last thing in its name.
//
// No rank can say anything after SIGKILL. What outlives it is a process that has nothing but one
// end of a pair of sockets, whose other end the rank keeps: the kernel closes that however the rank
// ends.
#pragma once

#include <acre/base/descriptor.hpp>

#include <string>
#include <vector>

namespace acre::launch {

/// What is done when the rank has died: words are written to a descriptor, or a command is run.
struct last_act {
  int descriptor = -1;
  std::string words;
  std::vector<std::string> command;
};

/// While it lives, the end of this process makes the watcher act.
///
/// Made before memory is mapped. Where no process can be had, nobody watches. A child that this
/// process forks without exec() delays the watcher until it ends, too. A program that closes the
/// descriptor has two seconds to say so, and has then died for its job.
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
