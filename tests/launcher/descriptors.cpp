// SPDX-License-Identifier: BSD-3-Clause
// Checks the job's file descriptors: Acre's are not 0, 1 or 2, nor inherited.
//
//     acre-launcher-descriptors children  lists those of processes by fork() and system()
//     acre-launcher-descriptors print     each rank prints a line
//     acre-launcher-descriptors flood     prints megabytes; is memory intact? (memory-RANK)
//     acre-launcher-descriptors close [LIMIT]        reopens 3 to LIMIT as files amid the job
//     acre-launcher-descriptors close-after [LIMIT]  after the job
#include <acre/acre.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

constexpr int many = 1024;

std::string target_of(int descriptor) {
  char target[4096];
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t length = ::readlink(link.c_str(), target, sizeof target);
  return length < 0 ? "" : std::string(target, static_cast<std::size_t>(length));
}

/// False if Acre opened it as 0 to 2, or to be inherited.
bool look_at(int descriptor, const std::string& before) {
  const int flags = ::fcntl(descriptor, F_GETFD);
  if (flags < 0) return true;
  const std::string what = target_of(descriptor);
  const bool is_ours = what != before && what != "/";
  if (descriptor > STDERR_FILENO && (!is_ours || (flags & FD_CLOEXEC) != 0)) return true;
  if (descriptor <= STDERR_FILENO && !is_ours) return true;
  std::fprintf(stderr, "descriptor %d is %s\n", descriptor, what.c_str());
  return false;
}

bool look_at_all(const std::vector<std::string>& before) {
  bool is_well = true;
  int each = 0;
  for (const std::string& was : before) is_well = look_at(each++, was) && is_well;
  return is_well;
}

void close_and_reopen(int limit) {
  for (int each = STDERR_FILENO + 1; each < limit; ++each) ::close(each);
  for (int each = STDERR_FILENO + 1; each < std::min(limit, 300); ++each) {
    const std::string name = "file-" + std::to_string(each);
    static_cast<void>(::open(name.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600));
  }
}

constexpr const char* list = "ls -l /proc/self/fd | sed -n 's/.* \\([0-9]*\\) -> / \\1 -> /p'";

/// system() runs no fork handlers, so it waits until Acre notices the child.
bool list_descriptors_of_children() {
  const pid_t child = ::fork();
  if (child == 0) {
    ::execl("/bin/sh", "sh", "-c", list, nullptr);
    ::_exit(127);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  return status == 0 && std::system(list) == 0;
}

constexpr std::string_view line = "what is printed must not come to lie in the memory of a rank\n";
constexpr std::uint64_t kept = 0x6b65707420617321;

bool flood() {
  const std::size_t count = std::size_t{1} << 18;
  const auto mine = acre::allocate_symmetric<std::uint64_t>(count);
  const std::span<std::uint64_t> memory(mine.local(), count);
  std::ranges::fill(memory, kept);
  acre::barrier();
  for (std::size_t printed = 0; printed < 3'000'000; printed += line.size()) {
    std::fwrite(line.data(), 1, line.size(), stdout);
  }
  std::fflush(stdout);
  acre::barrier();
  const bool is_intact = std::ranges::all_of(memory, [](auto each) { return each == kept; });
  std::ofstream("memory-" + std::to_string(acre::rank())) << (is_intact ? "intact" : "damaged");
  return is_intact;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  const int limit = argc > 2 ? std::atoi(argv[2]) : 256;
  std::vector<std::string> before;
  for (int each = 0; each < many; ++each) before.push_back(target_of(each));
  bool is_well = true;
  {
    const acre::job job;
    // Network connections are handled later, or before fork().
    if (acre::conduit_name() != "smp") before.resize(STDERR_FILENO + 1);
    is_well = look_at_all(before);
    if (mode == "print") std::printf("rank %u\n", acre::rank());
    if (mode == "flood") is_well = flood() && is_well;
    if (mode == "close") close_and_reopen(limit);
    const auto mine = acre::allocate_symmetric<unsigned>();
    acre::barrier();
    acre::put(acre::at_rank(mine, (acre::rank() + 1) % acre::size()), 1 + acre::rank());
    acre::barrier();
    const unsigned expected = 1 + (acre::rank() + acre::size() - 1) % acre::size();
    is_well = acre::get(mine) == expected && is_well;
    if (mode == "children") {
      if (acre::rank() == 0) is_well = list_descriptors_of_children() && is_well;
      acre::barrier();
    }
  }
  if (mode == "close-after") close_and_reopen(limit);
  return is_well ? 0 : 1;
}
