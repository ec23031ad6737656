// SPDX-License-Identifier: BSD-3-Clause
#include "hosts.hpp"

#include <acre/base/error.hpp>
#include <acre/base/host_name.hpp>
#include <acre/base/network_interfaces.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

namespace acre::tool {
namespace {

constexpr const char* many_hosts =
    "acre run starts ranks on this machine only; to use several, start the program with mpirun, "
    "mpiexec or srun";

std::string_view without_domain(std::string_view name) { return name.substr(0, name.find('.')); }

/// IPv6 addresses have several colons.
std::string without_slots(std::string_view name) {
  const std::size_t colon = name.find(':');
  if (colon != std::string_view::npos && colon == name.rfind(':')) name = name.substr(0, colon);
  return std::string(name);
}

}  // namespace

std::vector<std::string> hosts_of_list(const std::string& list) {
  std::vector<std::string> hosts;
  std::string_view rest = list;
  while (!rest.empty()) {
    const std::string_view name = rest.substr(0, rest.find(','));
    if (!name.empty()) hosts.push_back(without_slots(name));
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
  }
  return hosts;
}

std::vector<std::string> hosts_of_file(const std::string& file) {
  std::ifstream lines(file);
  if (!lines) throw error("run", "cannot read " + file + ": " + std::strerror(errno));
  std::vector<std::string> hosts;
  for (std::string line; std::getline(lines, line);) {
    constexpr const char* blank = " \t\r";
    const std::size_t begin = line.find_first_not_of(blank);
    if (begin == std::string::npos || line[begin] == '#') continue;
    const std::size_t end = line.find_first_of(" \t\r#", begin);
    hosts.push_back(without_slots(std::string_view(line).substr(begin, end - begin)));
  }
  return hosts;
}

bool is_this_machine(const std::string& name) {
  if (name == "localhost" || name.starts_with("127.")) return true;
  if (name == host_name()) return true;
  // Either may lack the domain.
  const bool one_is_short =
      name.find('.') == std::string::npos || host_name().find('.') == std::string::npos;
  if (one_is_short && without_domain(name) == without_domain(host_name())) return true;
  const auto address = parse_ip_address(name);
  return address && is_own_address(*address);
}

void check_all_here(const std::vector<std::string>& hosts) {
  if (hosts.empty()) throw error("run", "the list of hosts is empty", many_hosts);
  for (const std::string& each : hosts) {
    if (is_this_machine(each)) continue;
    throw error("run", each + " is not this machine, which is " + host_name(), many_hosts);
  }
}

}  // namespace acre::tool
