// A libFuzzer program for the reader of checkpoints, in a job of one rank.
#include "checkpoint_file_test.hpp"
#include <acre/base/error.hpp>
#include <acre/launch/job.hpp>

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
  static const acre::job job;
  static const int file = make_file();
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  const std::string whole = acre::fuzz::sealed({reinterpret_cast<const char*>(data), size});
  if (ftruncate(file, 0) != 0 ||
      pwrite(file, whole.data(), whole.size(), 0) != static_cast<ssize_t>(whole.size())) {
    std::abort();
  }
  try {
    acre::fuzz::read_checkpoint(path);
  } catch (const acre::error&) {
    return 0;
  }
  return 0;
}
