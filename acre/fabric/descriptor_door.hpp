// SPDX-License-Identifier: BSD-3-Clause
// Hands an open file to other processes of the host, where /proc does not show it to them: in
// containers, or when the program's file may be executed but not read.
//
// The door is a socket of Unix without a name in the file system, whose number nobody can guess.
// Who knocks proves that he knows the job's secret, and receives the descriptor.
#pragma once

#include <acre/base/descriptor.hpp>

#include <cstdint>

namespace acre::fabric {

class descriptor_door {
 public:
  /// Where there are no sockets the door stays shut, and its number is 0.
  descriptor_door();

  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }

  /// Gives the file to all who have knocked by now with this proof.
  void serve(int file, std::uint64_t proof) const noexcept;

  /// The file behind the door of this number: an open descriptor, to be closed; or -1, with errno.
  /// It waits some seconds for whoever keeps the door.
  [[nodiscard]] static int knock(std::uint64_t number, std::uint64_t proof) noexcept;

 private:
  std::uint64_t number_ = 0;
  descriptor socket_;
};

}  // namespace acre::fabric
