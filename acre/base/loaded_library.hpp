// SPDX-License-Identifier: BSD-3-Clause
// A shared library that is loaded when it is first needed, and never unloaded: libraries keep
// threads and exit handlers.
#pragma once

#include <string_view>

namespace acre {

/// A library, and the words of the errors about it.
struct library_description {
  std::string_view call;            ///< that the errors name: "ofi"
  const char* file;                 ///< "libfabric.so.1"
  int mode;                         ///< of dlopen: RTLD_NOW | RTLD_LOCAL
  std::string_view cannot_load;     ///< "libfabric cannot be loaded"
  std::string_view advice;          ///< where it cannot be loaded
  std::string_view advice_too_old;  ///< where it lacks a function
};

/// Fills a table of its functions:
///
///     const loaded_library library(description);
///     return {.getinfo = library["fi_getinfo"], .freeinfo = library["fi_freeinfo"]};
class loaded_library {
 public:
  /// Converts to the type of the pointer that takes it.
  class function {
   public:
    template <class Function>
    operator Function*() const noexcept {  // NOLINT(google-explicit-constructor)
      return reinterpret_cast<Function*>(address_);
    }

   private:
    friend loaded_library;
    explicit function(void* address) noexcept : address_(address) {}
    void* address_;
  };

  /// @param about outlives this
  /// @throws acre::error when it cannot be loaded
  explicit loaded_library(const library_description& about);

  /// @throws acre::error when the library has no function of this name
  [[nodiscard]] function operator[](const char* name) const;

 private:
  const library_description& about_;
  void* library_;
};

}  // namespace acre
