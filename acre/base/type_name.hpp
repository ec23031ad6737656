// SPDX-License-Identifier: BSD-3-Clause
// The name of a type, as C++ writes it.
#pragma once

#include <string>
#include <typeinfo>

namespace acre::base {

[[nodiscard]] std::string readable_name(const std::type_info& type);

}  // namespace acre::base
