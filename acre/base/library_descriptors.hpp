// SPDX-License-Identifier: BSD-3-Clause
// Tracks descriptors of libraries, which programs may close or inherit.
#pragma once

#include <acre/base/descriptor.hpp>
#include <acre/base/low_numbers_taken.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <vector>

namespace acre {

/// Open descriptors of this process, ascending; empty without /proc.
[[nodiscard]] inline std::vector<int> open_descriptors() {
  std::vector<int> numbers;
  DIR* const folder = ::opendir("/proc/self/fd");
  if (folder == nullptr) return numbers;
  while (const dirent* const entry = ::readdir(folder)) {
    const char* const name = entry->d_name;
    int number = -1;
    const bool is_one = std::from_chars(name, name + std::strlen(name), number).ec == std::errc{};
    if (is_one && number != ::dirfd(folder)) numbers.push_back(number);
  }
  ::closedir(folder);
  std::ranges::sort(numbers);
  return numbers;
}

class library_descriptors {
 public:
  /// Runs `open`; records new descriptors, also of other threads, and makes them close-on-exec.
  template <class Open>
  void note_those_of(Open&& open) {
    const std::vector<int> before = open_descriptors();
    {
      const low_numbers_taken low;
      open();
    }
    for (const int each : open_descriptors()) {
      if (std::ranges::binary_search(before, each)) continue;
      ::fcntl(each, F_SETFD, FD_CLOEXEC);
      noted_.push_back({each, identity_of(each)});
    }
  }

  /// False if a recorded descriptor was closed or reused.
  [[nodiscard]] bool are_intact() const noexcept {
    return std::ranges::all_of(
        noted_, [](const auto& each) { return identity_of(each.number) == each.file; });
  }

 private:
  struct noted {
    int number;
    file_identity file;
  };
  std::vector<noted> noted_;
};

}  // namespace acre
