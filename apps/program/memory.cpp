// SPDX-License-Identifier: BSD-3-Clause
#include <apps/program/memory.hpp>

#include <acre/base/error.hpp>
#include <acre/global/team/team.hpp>
#include <acre/launch/job.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <sys/sysinfo.h>

namespace acre::program {
namespace {

double bytes_of_node() {
  struct sysinfo found{};
  if (::sysinfo(&found) != 0) return INFINITY;
  return (static_cast<double>(found.totalram) + static_cast<double>(found.totalswap)) *
         found.mem_unit;
}

std::string bytes_in_words(double bytes) {
  constexpr std::array units{"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  std::size_t unit = 0;
  for (; bytes >= 999.5 && unit + 1 < units.size(); ++unit) bytes /= 1000;
  return fmt::format("{:.3g} {}", bytes, units[unit]);
}

}  // namespace

void require_memory(std::string_view program, double bytes, std::string_view smaller) {
  const double here = bytes * node().size() / size();
  const double there_are = bytes_of_node();
  if (here <= there_are) return;
  throw error(program,
              fmt::format("out of memory: a node has {}, but its ranks need at least {}",
                          bytes_in_words(there_are), bytes_in_words(here)),
              smaller);
}

}  // namespace acre::program
