// SPDX-License-Identifier: BSD-3-Clause
// Source location of a call, for errors and the stall watch:
//
//     void wait(const site& where = site::current());
#pragma once

#include <source_location>

namespace acre {

using site = std::source_location;

}  // namespace acre
