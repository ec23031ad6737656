// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/loaded_library.hpp>

#include <acre/base/error.hpp>

#include <dlfcn.h>
#include <string>

namespace acre {

loaded_library::loaded_library(const library_description& about)
    : about_(about), library_(::dlopen(about.file, about.mode)) {
  if (library_ != nullptr) return;
  const char* const reason = ::dlerror();
  throw error(
      about.call,
      std::string(about.cannot_load) + ": " + (reason == nullptr ? "unknown reason" : reason),
      about.advice);
}

loaded_library::function loaded_library::operator[](const char* name) const {
  void* const found = ::dlsym(library_, name);
  if (found != nullptr) return function(found);
  throw error(about_.call, std::string(about_.file) + " does not define " + name,
              about_.advice_too_old);
}

}  // namespace acre
