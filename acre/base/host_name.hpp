// SPDX-License-Identifier: BSD-3-Clause
// The name of the machine, for people and for telling hosts apart.
#pragma once

#include <string>

namespace acre {

[[nodiscard]] const std::string& host_name();

}  // namespace acre
