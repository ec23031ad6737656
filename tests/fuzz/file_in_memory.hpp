// SPDX-License-Identifier: BSD-3-Clause
// Fuzzer input as a file in memory with a path.
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace acre::fuzz {

class file_in_memory {
 public:
  file_in_memory() : file_(::memfd_create("input", 0)) {
    if (file_ < 0) std::abort();
  }
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }
  void set(std::string_view bytes) const {
    if (::ftruncate(file_, 0) != 0 ||
        ::pwrite(file_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
      std::abort();
    }
  }

 private:
  int file_;
};

}  // namespace acre::fuzz
