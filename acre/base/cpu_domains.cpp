// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/cpu_domains.hpp>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sched.h>
#include <string>
#include <string_view>
#include <system_error>

namespace acre::base {
namespace {

void make_distinct(std::vector<std::size_t>& numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::ranges::unique(numbers).begin(), numbers.end());
}

/// Calls f(folder) for each CPU.
template <class F>
void each_folder(const cpu_mask& cpus, const std::filesystem::path& system, const F& f) {
  for (std::size_t cpu = 0; cpu < cpus.size() * 64; ++cpu) {
    if ((cpus[cpu / 64] >> cpu % 64 & 1) == 0) continue;
    f(system / "cpu" / ("cpu" + std::to_string(cpu)));
  }
}

}  // namespace

cpu_mask usable_cpus() {
  // The kernel rejects masks shorter than the machine's.
  for (std::size_t words = 16; words <= 4096; words *= 2) {
    cpu_mask mask(words);
    if (::sched_getaffinity(0, words * sizeof(mask[0]),
                            reinterpret_cast<cpu_set_t*>(mask.data())) == 0) {
      while (!mask.empty() && mask.back() == 0) mask.pop_back();
      return mask;
    }
  }
  return {1};
}

std::vector<std::size_t> sockets_of(const cpu_mask& cpus, const std::filesystem::path& system) {
  std::vector<std::size_t> sockets;
  each_folder(cpus, system, [&](const std::filesystem::path& cpu) {
    std::ifstream file(cpu / "topology" / "physical_package_id");
    // Some virtual machines report -1.
    if (long number = 0; file >> number && number >= 0) {
      sockets.push_back(static_cast<std::size_t>(number));
    }
  });
  make_distinct(sockets);
  return sockets;
}

std::vector<std::size_t> numa_domains_of(const cpu_mask& cpus,
                                         const std::filesystem::path& system) {
  constexpr std::string_view prefix = "node";
  std::vector<std::size_t> domains;
  each_folder(cpus, system, [&](const std::filesystem::path& cpu) {
    std::error_code ignored;
    for (const auto& each : std::filesystem::directory_iterator(cpu, ignored)) {
      const std::string name = each.path().filename();
      if (!name.starts_with(prefix)) continue;
      std::size_t number = 0;
      const char* const end = name.data() + name.size();
      const auto read = std::from_chars(name.data() + prefix.size(), end, number);
      if (read.ec == std::errc() && read.ptr == end) domains.push_back(number);
    }
  });
  make_distinct(domains);
  return domains;
}

}  // namespace acre::base
