#include <acre/fabric/smp_memory.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/base/host_name.hpp>

#include <cerrno>
#include <climits>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace acre::fabric {
namespace {

[[noreturn]] void fail(const std::string& problem, const char* advice) {
  throw error("shared memory of the node", problem + ": " + std::strerror(errno), advice);
}

std::string first_line(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::string link_target(const char* path) {
  char target[PATH_MAX];
  const ssize_t length = ::readlink(path, target, sizeof target);
  return length > 0 ? std::string(target, static_cast<std::size_t>(length)) : std::string{};
}

/// Maps the file at an address that is a multiple of a huge page, so that huge
/// pages of the file are huge pages of the process, on all ranks.
void* map_aligned(int file, std::size_t bytes) {
  constexpr std::size_t huge_page = std::size_t{2} << 20;
  void* reserved = ::mmap(nullptr, bytes + huge_page, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved != MAP_FAILED) {
    const auto first = reinterpret_cast<std::uintptr_t>(reserved);
    const std::uintptr_t start = round_up(first, std::uintptr_t{huge_page});
    void* mapped = ::mmap(reinterpret_cast<void*>(start), bytes, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_NORESERVE | MAP_FIXED, file, 0);
    if (mapped != MAP_FAILED) {
      if (start != first) ::munmap(reserved, start - first);
      const std::uintptr_t end = round_up(start + bytes, std::uintptr_t{4096});
      if (end < first + bytes + huge_page) {
        ::munmap(reinterpret_cast<void*>(end), first + bytes + huge_page - end);
      }
      return mapped;
    }
  }
  fail("cannot map " + format_size(bytes), "set a smaller ACRE_SEGMENT_SIZE");
}

}  // namespace

smp_memory::smp_memory() : descriptor_(::memfd_create("acre", MFD_CLOEXEC)) {
  if (descriptor_ < 0) fail("cannot create an anonymous file", "Linux 3.17 or newer is needed");
}

smp_memory::~smp_memory() {
  if (data_ != nullptr) ::munmap(data_, bytes_);
  if (descriptor_ >= 0) ::close(descriptor_);
}

smp_memory::ticket smp_memory::publish() const noexcept { return {::getpid(), descriptor_}; }

void smp_memory::attach(const ticket& shared, std::size_t bytes) {
  const bool own = shared.process == ::getpid();
  int file = descriptor_;
  if (!own) {
    const std::string path =
        "/proc/" + std::to_string(shared.process) + "/fd/" + std::to_string(shared.descriptor);
    file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0) {
      fail("cannot open " + path,
           "the ranks of a node must run as one user and see each other in /proc; "
           "ACRE_RANKS_PER_NODE=1 does without shared memory");
    }
  }
  // Every rank sets the same length, so that nobody has to wait for another.
  if (::ftruncate(file, static_cast<off_t>(bytes)) != 0) {
    fail("cannot reserve " + format_size(bytes), "set a smaller ACRE_SEGMENT_SIZE");
  }
  data_ = static_cast<std::byte*>(map_aligned(file, bytes));
  bytes_ = bytes;
  if (!own) ::close(file);
}

std::uint64_t host_fingerprint() {
  const std::string name = host_name() + first_line("/proc/sys/kernel/random/boot_id") +
                           link_target("/proc/self/ns/pid") + link_target("/proc/self/ns/user");
  std::uint64_t hash = name.size();
  for (const char letter : name) {
    hash = mix_bits(hash * 31 + static_cast<unsigned char>(letter));
  }
  return hash;
}

}  // namespace acre::fabric
