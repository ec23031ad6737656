// SPDX-License-Identifier: BSD-3-Clause
// Network interfaces in this process's network name space.
#pragma once

#include <acre/base/ip_address.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace acre {

struct interface_address {
  std::string interface;
  ip_address address;
  unsigned megabits = 0;
  bool has_carrier = true;
  bool may_be_used = true;  ///< neither tentative nor a duplicate
  friend bool operator==(const interface_address&, const interface_address&) = default;
};

/// Addresses of the interfaces that are up.
[[nodiscard]] std::vector<interface_address> addresses_of_interfaces();

/// Interfaces that are down, loopback first: "lo, eth1".
[[nodiscard]] std::string names_of_interfaces_down();

/// Includes interfaces that are down.
[[nodiscard]] bool is_own_address(const ip_address& address);

/// True if the name is that of an interface of containers or virtual machines (docker0).
[[nodiscard]] bool is_virtual_interface(std::string_view name) noexcept;

/// Hardware address, at most 8 bytes in hexadecimal, of the lowest-numbered interface except
/// loopback; may be empty.
[[nodiscard]] std::string first_hardware_address();

}  // namespace acre
