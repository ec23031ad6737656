// SPDX-License-Identifier: BSD-3-Clause
// A libFuzzer program for the reader of FASTA and FASTQ. That a file is read alike by any number of
// ranks is a part of what it looks for.
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
    // small chunks may end within what is wrong
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
