// SPDX-License-Identifier: BSD-3-Clause
// A shared library that is never unloaded, because libraries leave threads and exit handlers.
#pragma once

#include <string_view>

namespace acre {

struct library_description {
  std::string_view call;
  const char* file;
  int mode;
  std::string_view cannot_load;
  std::string_view advice;
  std::string_view advice_too_old;
};

/// Library with functions by name: library["fi_getinfo"].
class loaded_library {
 public:
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

  /// @param about  must outlive this
  /// @throws acre::error if loading fails
  explicit loaded_library(const library_description& about);

  /// @throws acre::error if missing
  [[nodiscard]] function operator[](const char* name) const;

 private:
  const library_description& about_;
  void* library_;
};

}  // namespace acre
