// SPDX-License-Identifier: BSD-3-Clause
#include "build_details.hpp"

#include <acre/base/required_processor.hpp>

namespace acre::tool {

std::string build_details() {
  std::string text = "compiler: " ACRE_BUILT_BY "\nprocessor: ";
  text += required_processor();
  text += ACRE_CHECKS ? "\nchecks: on" : "\nchecks: off";
  text += ACRE_COUNTERS ? "\ncounters: on" : "\ncounters: off";
  return text + "\nlibraries:\n  " ACRE_BUILT_WITH;
}

}  // namespace acre::tool
