// SPDX-License-Identifier: BSD-3-Clause
// Replaces a function in the calls of one shared library.
#pragma once

#include <string_view>

namespace acre::base {

class replaced_import {
 public:
  /// No effect if the library does not import the function.
  /// @param inside  an address in the library, which was loaded with RTLD_NOW
  replaced_import(const void* inside, std::string_view name, void* replacement) noexcept;
  ~replaced_import();
  replaced_import(const replaced_import&) = delete;
  replaced_import& operator=(const replaced_import&) = delete;

 private:
  [[nodiscard]] bool set(void* function) const noexcept;

  void** entry_ = nullptr;  ///< null without effect
  bool is_read_only_ = false;
  void* before_ = nullptr;
};

}  // namespace acre::base
