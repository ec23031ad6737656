// A libFuzzer program for one of the readers of files of arrays and matrices, in a job of one rank:
// the one that ACRE_FUZZED names.
#include "matrix_files_test.hpp"
#include <acre/base/error.hpp>
#include <acre/launch/job.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace {

/// A file in memory, which has a name.
int make_file() {
  const int file = memfd_create("input", 0);
  if (file < 0) std::abort();
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto* const fuzzed =
      std::ranges::find(acre::fuzz::matrix_readers, ACRE_FUZZED, &acre::fuzz::matrix_reader::name);
  static const acre::job job;
  static const int file = make_file();
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) {
    std::abort();
  }
  try {
    fuzzed->read(acre::world(), path);
  } catch (const acre::error&) {
    return 0;
  }
  return 0;
}
