// SPDX-License-Identifier: BSD-3-Clause
// The name of a counter of objects that move: see counters.hpp.
#pragma once

#include <string_view>

namespace acre {

struct agas_counter_name {
  std::string_view counter;      ///< "count/route"
  std::string_view unit;         ///< "ns"; empty for a number
  std::string_view description;  ///< a line
};

}  // namespace acre
