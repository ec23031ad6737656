// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer program for FASTA and FASTQ; results must not depend on the number of ranks.
#include "../file_in_memory.hpp"
#include "sequences_test.hpp"
#include <acre/base/error.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const acre::fuzz::file_in_memory file;
  static const std::string path = file.path();
  file.set({reinterpret_cast<const char*>(data), size});
  try {
    static_cast<void>(acre::fuzz::read_sequences(path, 1, 64));
  } catch (const acre::error&) {
  }
  try {
    const std::string difference = acre::fuzz::difference_between_ranks(path);
    if (!difference.empty()) {
      std::fprintf(stderr, "%s\n", difference.c_str());
      std::abort();
    }
  } catch (const acre::error&) {
    return 0;
  }
  return 0;
}
