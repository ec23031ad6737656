// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/network_interfaces.hpp>

#include <acre/base/descriptor.hpp>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <ifaddrs.h>
#include <linux/ethtool.h>
#include <linux/if_packet.h>
#include <linux/sockios.h>
#include <map>
#include <memory>
#include <net/if.h>
#include <span>
#include <sstream>
#include <sys/ioctl.h>
#include <sys/socket.h>

namespace acre {
namespace {

using list_of_interfaces = std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)>;

list_of_interfaces all_interfaces() {
  ifaddrs* first = nullptr;
  if (::getifaddrs(&first) != 0) first = nullptr;
  return {first, &::freeifaddrs};
}

/// False for IPv6 duplicates, detected or pending, which getifaddrs() includes.
std::map<std::string, bool> usable_by_address() {
  constexpr unsigned tentative_or_failed = 0x40 | 0x08;
  std::map<std::string, bool> usable;
  std::ifstream lines("/proc/net/if_inet6");
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string digits, index, prefix, scope, flags;
    words >> digits >> index >> prefix >> scope >> flags;
    usable[digits] = (std::strtoul(flags.c_str(), nullptr, 16) & tentative_or_failed) == 0;
  }
  return usable;
}

std::string digits_of(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

/// By ioctl: /sys may show another network name space.
class speeds {
 public:
  unsigned operator()(const char* interface) const {
    ifreq request{};
    ethtool_cmd settings{};
    settings.cmd = ETHTOOL_GSET;
    std::strncpy(request.ifr_name, interface, sizeof request.ifr_name - 1);
    request.ifr_data = reinterpret_cast<char*>(&settings);
    if (!socket_.open() || ::ioctl(socket_.get(), SIOCETHTOOL, &request) != 0) return 0;
    const std::uint32_t speed = ethtool_cmd_speed(&settings);
    return speed > INT_MAX || speed == UINT16_MAX ? 0 : speed;
  }

 private:
  descriptor socket_{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
};

}  // namespace

std::vector<interface_address> addresses_of_interfaces() {
  const list_of_interfaces all = all_interfaces();
  const auto usable = usable_by_address();
  const speeds speed_of;
  std::vector<interface_address> found;
  for (const ifaddrs* each = all.get(); each != nullptr; each = each->ifa_next) {
    const auto address = address_of(each->ifa_addr);
    if (!address || (each->ifa_flags & IFF_UP) == 0) continue;
    const auto known = usable.find(digits_of(address->bytes));
    found.push_back(
        {.interface = each->ifa_name,
         .address = *address,
         .megabits = speed_of(each->ifa_name),
         .has_carrier = (each->ifa_flags & IFF_RUNNING) != 0,
         .may_be_used = address->version == 4 || known == usable.end() || known->second});
  }
  return found;
}

std::string names_of_interfaces_down() {
  const list_of_interfaces all = all_interfaces();
  std::string names;
  for (const ifaddrs* each = all.get(); each != nullptr; each = each->ifa_next) {
    if (each->ifa_addr == nullptr || each->ifa_addr->sa_family != AF_PACKET) continue;
    if ((each->ifa_flags & IFF_UP) != 0) continue;
    const std::string comma = names.empty() ? "" : ", ";
    if ((each->ifa_flags & IFF_LOOPBACK) != 0) {
      names.insert(0, each->ifa_name + comma);
    } else {
      names += comma + each->ifa_name;
    }
  }
  return names;
}

bool is_own_address(const ip_address& address) {
  const list_of_interfaces all = all_interfaces();
  for (const ifaddrs* each = all.get(); each != nullptr; each = each->ifa_next) {
    if (address_of(each->ifa_addr) == address) return true;
  }
  return false;
}

bool is_virtual_interface(std::string_view name) noexcept {
  constexpr std::array prefixes = {"docker", "br-", "virbr", "veth", "podman", "cni", "lxc"};
  return std::ranges::any_of(prefixes,
                             [&](const char* prefix) { return name.starts_with(prefix); });
}

std::string first_hardware_address() {
  const list_of_interfaces all = all_interfaces();
  sockaddr_ll first{};
  for (const ifaddrs* each = all.get(); each != nullptr; each = each->ifa_next) {
    if (each->ifa_addr == nullptr || each->ifa_addr->sa_family != AF_PACKET) continue;
    if ((each->ifa_flags & IFF_LOOPBACK) != 0) continue;
    sockaddr_ll that;
    std::memcpy(&that, each->ifa_addr, sizeof that);
    if (first.sll_ifindex == 0 || that.sll_ifindex < first.sll_ifindex) first = that;
  }
  return digits_of(std::span(first.sll_addr).first(std::min<std::size_t>(first.sll_halen, 8)));
}

}  // namespace acre
