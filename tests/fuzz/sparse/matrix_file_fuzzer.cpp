// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer program for the reader ACRE_FUZZED.
#include "../file_in_memory.hpp"
#include "matrix_files_test.hpp"
#include <acre/base/error.hpp>
#include <acre/launch/job.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto* const fuzzed =
      std::ranges::find(acre::fuzz::matrix_readers, ACRE_FUZZED, &acre::fuzz::matrix_reader::name);
  static const acre::job job;
  static const acre::fuzz::file_in_memory file;
  file.set({reinterpret_cast<const char*>(data), size});
  try {
    fuzzed->read(acre::world(), file.path());
  } catch (const acre::error&) {
    return 0;
  }
  return 0;
}
