// SPDX-License-Identifier: BSD-3-Clause
#include <acre/launch/job_name.hpp>

#include <array>
#include <chrono>
#include <cstdio>
#include <sys/stat.h>
#include <unistd.h>

namespace acre::launch {

std::string make_job_name() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "acre-%d-%llx-%016llx", static_cast<int>(::getpid()),
                static_cast<unsigned long long>(process_namespace()),
                static_cast<unsigned long long>(now.count()));
  return text.data();
}

std::uint64_t process_namespace() {
  struct stat about{};
  return ::stat("/proc/self/ns/pid", &about) == 0 ? about.st_ino : 0;
}

std::string file_name_from(std::string_view name) {
  constexpr std::string_view harmless =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
  std::string result(name);
  for (char& each : result) {
    if (harmless.find(each) == std::string_view::npos) each = '-';
  }
  return result;
}

}  // namespace acre::launch
