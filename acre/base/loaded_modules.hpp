// SPDX-License-Identifier: BSD-3-Clause
// The modules of this process: its executable and its shared libraries, and what tells their builds
// apart.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace acre {

struct address_range {
  std::uintptr_t begin;
  std::uintptr_t end;
};

/// The executable, or a shared library.
struct loaded_module {
  /// Of its build-id, or of all that is never written to where it was linked without one; never 0.
  std::uint32_t hash = 0;
  std::uintptr_t start = 0;  ///< address of the first loaded byte
  std::vector<address_range> code;
  std::string path;

  [[nodiscard]] bool holds_code_at(std::uintptr_t address) const noexcept;
};

/// The executable first.
[[nodiscard]] std::vector<loaded_module> loaded_modules();

/// How many modules this process has loaded so far.
[[nodiscard]] unsigned long long count_module_loads() noexcept;

/// A build of a program, or of a library.
struct build {
  std::string path;
  std::uint32_t hash = 0;
};

struct program_build {
  build executable;
  std::vector<build> libraries;  ///< those that contain or call Acre, by name
};

/// The build of the program that this process runs.
[[nodiscard]] program_build this_program();

}  // namespace acre
