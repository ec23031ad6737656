// SPDX-License-Identifier: BSD-3-Clause
// Description of a counter of movable objects.
#pragma once

#include <string_view>

namespace acre {

struct agas_counter_name {
  std::string_view counter;
  std::string_view unit;  ///< "ns"; empty for a number
  std::string_view description;
};

}  // namespace acre
