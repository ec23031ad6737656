// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/type_name.hpp>

#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace acre::base {

std::string readable_name(const std::type_info& type) {
  const char* const mangled = type.name();
  const std::unique_ptr<char, decltype(&std::free)> readable(
      abi::__cxa_demangle(mangled, nullptr, nullptr, nullptr), &std::free);
  return readable != nullptr ? readable.get() : mangled;
}

}  // namespace acre::base
