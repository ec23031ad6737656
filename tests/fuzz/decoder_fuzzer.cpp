// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer program for the decoder ACRE_FUZZED.
#include "decoders_test.hpp"
#include <acre/base/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto* const fuzzed =
      std::ranges::find(acre::fuzz::decoders, ACRE_FUZZED, &acre::fuzz::decoder::name);
  // Exact size: AddressSanitizer detects over-reads.
  const std::unique_ptr<std::byte[]> message(new std::byte[size]);
  if (size != 0) std::memcpy(message.get(), data, size);
  try {
    fuzzed->decode({message.get(), size});
  } catch (const acre::error&) {
    return 0;
  }
  return 0;
}
