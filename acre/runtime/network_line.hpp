// The short ways to other nodes, and the count of all one-sided operations there.
#pragma once

#include <acre/fabric/direct_line.hpp>

namespace acre::runtime {

/// Filled when the conduit opens; what each part means its definition says.
extern constinit fabric::direct_line network_line;

}  // namespace acre::runtime
