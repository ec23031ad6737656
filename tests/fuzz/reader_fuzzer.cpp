// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer program for the reader ACRE_FUZZED.
#include "readers.hpp"
#include <acre/base/error.hpp>

#include <algorithm>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto* const fuzzed =
      std::ranges::find(acre::fuzz::readers, ACRE_FUZZED, &acre::fuzz::reader::name);
  try {
    fuzzed->read({"input", std::string(data, data + size)});
  } catch (const acre::error&) {
    return 0;
  }
  return 0;
}
