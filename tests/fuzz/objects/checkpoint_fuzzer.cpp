// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer program for checkpoints.
#include "../file_in_memory.hpp"
#include "checkpoint_file_test.hpp"
#include <acre/base/error.hpp>
#include <acre/launch/job.hpp>

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const acre::job job;
  static const acre::fuzz::file_in_memory file;
  file.set(acre::fuzz::sealed({reinterpret_cast<const char*>(data), size}));
  try {
    acre::fuzz::read_checkpoint(file.path());
  } catch (const acre::error&) {
    return 0;
  }
  return 0;
}
