// SPDX-License-Identifier: BSD-3-Clause
#include <acre/launch/detail/memory_limits.hpp>

#include <acre/base/control_groups.hpp>
#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/base/resource_limits.hpp>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace acre::launch {
namespace {

namespace fs = std::filesystem;

std::string advice(const char* raise, std::uint64_t left, std::uint64_t wanted,
                   const segment_room& room) {
  constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
  const std::uint64_t beside_heaps = wanted - room.heaps * room.heap_bytes;
  const std::uint64_t most = left / 4 * 3;
  const std::uint64_t fitting =
      most > beside_heaps ? (most - beside_heaps) / room.heaps / mebibyte : 0;
  std::string text = std::string("raise it: ") + raise;
  if (fitting >= 2) {
    text += "; or set ACRE_SEGMENT_SIZE to " + std::to_string(fitting / 2 * 2) + "M";
  }
  return text;
}

bool has_free_descriptors(std::size_t wanted) {
  std::vector<int> taken;
  const int some = ::open("/", O_PATH | O_CLOEXEC);
  if (some >= 0) taken.push_back(some);
  while (!taken.empty() && taken.size() < wanted) {
    const int next = ::fcntl(taken.front(), F_DUPFD_CLOEXEC, 0);
    if (next < 0) break;
    taken.push_back(next);
  }
  for (const int each : taken) ::close(each);
  return taken.size() >= wanted || errno != EMFILE;
}

void require_descriptors(std::size_t wanted) {
  if (has_free_descriptors(wanted)) return;
  if (raise_limit(RLIMIT_NOFILE, std::min(hard_limit(RLIMIT_NOFILE), std::uint64_t{1} << 20)) &&
      has_free_descriptors(wanted)) {
    return;
  }
  throw error("job",
              "the limit of " + std::to_string(soft_limit(RLIMIT_NOFILE)) +
                  " open files (ulimit -n) leaves fewer than the " + std::to_string(wanted) +
                  " that Acre requires",
              "raise it: ulimit -n 1024");
}

void give_threads_a_stack(std::size_t least) {
  pthread_attr_t usual;
  if (::pthread_getattr_default_np(&usual) != 0) return;
  std::size_t bytes = 0;
  const bool is_short = ::pthread_attr_getstacksize(&usual, &bytes) == 0 && bytes < least &&
                        ::pthread_attr_setstacksize(&usual, least) == 0;
  if (is_short) ::pthread_setattr_default_np(&usual);
  ::pthread_attr_destroy(&usual);
}

}  // namespace

std::uint64_t control_group_bytes(const fs::path& root) {
  std::uint64_t least = no_limit;
  for (const control_group& each : memory_control_groups(root)) {
    least = std::min(least, memory_limit_of(each));
  }
  return least;
}

std::uint64_t addresses_in_use(const fs::path& root) {
  std::uint64_t pages = 0;
  std::ifstream(root / "proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::uint64_t reservable_bytes() {
  const std::uint64_t addresses = hard_limit(RLIMIT_AS);
  const std::uint64_t used = addresses == no_limit ? 0 : std::min(addresses, addresses_in_use());
  return std::min(hard_limit(RLIMIT_FSIZE), addresses == no_limit ? no_limit : addresses - used);
}

void require_room(const segment_room& wanted) {
  if (const std::uint64_t most = hard_limit(RLIMIT_FSIZE); most < wanted.file_bytes) {
    throw error("job",
                "the segments of this node are a memory file of " + format_size(wanted.file_bytes) +
                    ", but the file size limit is " + format_size(most) + " (ulimit -f)",
                advice("ulimit -f unlimited", most, wanted.file_bytes, wanted));
  }
  if (raise_limit_by(RLIMIT_AS, wanted.address_bytes)) return;
  const std::uint64_t most = hard_limit(RLIMIT_AS);
  const std::uint64_t used = std::min(most, addresses_in_use());
  if (most - used < wanted.address_bytes) {
    throw error("job",
                "the segments of this node require " + format_size(wanted.address_bytes) +
                    " of address space, but the limit is " + format_size(most) +
                    " (ulimit -v), with " + format_size(used) + " in use",
                advice("ulimit -v unlimited", most - used, wanted.address_bytes, wanted));
  }
  raise_limit(RLIMIT_AS, most);
}

file_limit_lifted::file_limit_lifted() : before_(soft_limit(RLIMIT_FSIZE)) {
  constexpr std::uint64_t least = std::uint64_t{16} << 20;
  const std::uint64_t most = hard_limit(RLIMIT_FSIZE);
  if (most < least) {
    throw error("job",
                "the file size limit is " + format_size(most) +
                    " (ulimit -f), but ranks share memory files",
                "raise it: ulimit -f unlimited, or at least " + format_size(least));
  }
  raise_limit(RLIMIT_FSIZE, most);
}

file_limit_lifted::~file_limit_lifted() {
  rlimit both{};
  if (::getrlimit(RLIMIT_FSIZE, &both) != 0) return;
  both.rlim_cur = before_;
  ::setrlimit(RLIMIT_FSIZE, &both);
}

void require_usual_limits() {
  constexpr std::size_t descriptors = 4;
  require_descriptors(descriptors);
  constexpr std::size_t least_stack = std::size_t{256} << 10;
  if (raise_limit(RLIMIT_STACK, least_stack)) return give_threads_a_stack(least_stack);
  throw error(
      "job",
      "the stack limit of " + format_size(soft_limit(RLIMIT_STACK)) + " (ulimit -s) is too small",
      "raise it: ulimit -s 8192, or at least " + std::to_string(least_stack >> 10));
}

void require_limits_of_network(std::uint64_t ranks) {
  // TCP providers use up to two descriptors per peer, and some dozens more.
  constexpr std::uint64_t own = 40;
  constexpr std::uint64_t a_peer = 2;
  const std::uint64_t all = std::min(own + a_peer * ranks, hard_limit(RLIMIT_NOFILE));
  raise_limit(RLIMIT_NOFILE, all);
  constexpr std::size_t least = 24;
  require_descriptors(least);
}

}  // namespace acre::launch
