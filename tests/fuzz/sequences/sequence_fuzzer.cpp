// A libFuzzer program for the reader of FASTA and FASTQ. That a file is read alike by any number of
// ranks is a part of what it looks for.
#include "sequences_test.hpp"
#include <acre/base/error.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const int file = memfd_create("input", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) {
    std::abort();
  }
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
