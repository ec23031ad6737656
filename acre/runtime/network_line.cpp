// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/network_line.hpp>

namespace acre::runtime {

constinit fabric::direct_line network_line;

}  // namespace acre::runtime
