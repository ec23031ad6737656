// SPDX-License-Identifier: BSD-3-Clause
// Passes an open file to processes of the host if /proc does not show it (containers, unreadable
// executables). The listener is a randomly numbered abstract Unix socket; clients prove knowledge
// of the job's secret.
#pragma once

#include <acre/base/descriptor.hpp>

#include <cstdint>

namespace acre::fabric {

class descriptor_server {
 public:
  /// Opens the listener. number() is 0 if that failed.
  descriptor_server();

  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }

  void serve(int file, std::uint64_t proof) const noexcept;

  /// Requests the file; waits up to 10 s. @return a descriptor to be closed, or -1 and errno
  [[nodiscard]] static int request(std::uint64_t number, std::uint64_t proof) noexcept;

 private:
  std::uint64_t number_ = 0;
  descriptor socket_;
};

}  // namespace acre::fabric
