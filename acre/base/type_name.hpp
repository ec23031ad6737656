// SPDX-License-Identifier: BSD-3-Clause
// Demangled name of a type.
#pragma once

#include <string>
#include <typeinfo>

namespace acre::base {

[[nodiscard]] std::string readable_name(const std::type_info& type);

}  // namespace acre::base
