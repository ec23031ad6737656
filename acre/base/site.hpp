// SPDX-License-Identifier: BSD-3-Clause
// The site of a call: where it is written, so that errors and the stall watch name the user's line:
//
//     void wait(const site& where = site::current());
#pragma once

#include <source_location>

namespace acre {

using site = std::source_location;

}  // namespace acre
