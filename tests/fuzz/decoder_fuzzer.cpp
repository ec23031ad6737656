// SPDX-License-Identifier: BSD-3-Clause
// A libFuzzer program for one of the decoders: the one that ACRE_FUZZED names.
#include "decoders_test.hpp"
#include <acre/base/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto* const fuzzed =
      std::ranges::find(acre::fuzz::decoders, ACRE_FUZZED, &acre::fuzz::decoder::name);
  // Of exactly this size: AddressSanitizer sees who reads behind it.
  const std::unique_ptr<std::byte[]> message(new std::byte[size]);
  if (size != 0) std::memcpy(message.get(), data, size);
  try {
    fuzzed->decode({message.get(), size});
  } catch (const acre::error&) {
    return 0;
  }
  return 0;
}
