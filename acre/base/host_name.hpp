// SPDX-License-Identifier: BSD-3-Clause
// Name of this host, for messages and for distinguishing hosts.
#pragma once

#include <string>

namespace acre {

[[nodiscard]] const std::string& host_name();

}  // namespace acre
