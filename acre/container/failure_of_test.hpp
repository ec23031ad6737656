// The text of the acre::error that a call throws.
#pragma once

#include <acre/base/error.hpp>

#include <string>

namespace acre::testing {

/// @return empty when it throws none
std::string failure_of(auto&& call) {
  try {
    call();
  } catch (const error& failed) {
    return failed.problem() + "; " + failed.advice();
  }
  return {};
}

}  // namespace acre::testing
