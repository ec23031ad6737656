// SPDX-License-Identifier: BSD-3-Clause
// The executable and shared libraries of this process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace acre {

struct address_range {
  std::uintptr_t begin;
  std::uintptr_t end;
};

struct loaded_module {
  /// Hash of the build-id, or without one of the read-only segments; never 0.
  std::uint32_t hash = 0;
  std::uintptr_t start = 0;
  std::vector<address_range> code;
  std::string path;

  [[nodiscard]] bool holds_code_at(std::uintptr_t address) const noexcept;
};

/// All modules, the executable first.
[[nodiscard]] std::vector<loaded_module> loaded_modules();

[[nodiscard]] unsigned long long count_module_loads() noexcept;

struct build {
  std::string path;
  std::uint32_t hash = 0;
};

struct program_build {
  build executable;
  std::vector<build> libraries;
};

[[nodiscard]] program_build this_program();

}  // namespace acre
