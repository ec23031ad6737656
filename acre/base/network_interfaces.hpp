// SPDX-License-Identifier: BSD-3-Clause
// The network interfaces of this process's network name space.
#pragma once

#include <acre/base/ip_address.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace acre {

/// An address of one of them.
struct interface_address {
  std::string interface;
  ip_address address;
  unsigned megabits = 0;    ///< a second, as its driver says; 0: it does not
  bool has_carrier = true;  ///< nothing says that its link is down
  bool may_be_used = true;  ///< not tentative, and nobody else's
  friend bool operator==(const interface_address&, const interface_address&) = default;
};

/// The addresses of those that are up.
[[nodiscard]] std::vector<interface_address> addresses_of_interfaces();

/// Names of the interfaces that are down, loopback first: "lo, eth1"; empty if all are up.
[[nodiscard]] std::string names_of_interfaces_down();

/// Whether one of them has this address, also one that is down.
[[nodiscard]] bool is_own_address(const ip_address& address);

/// Whether it is one of those that join containers and virtual machines, by its name: it leads to
/// no other host.
[[nodiscard]] bool is_virtual_interface(std::string_view name) noexcept;

/// The number that its hardware has, or what stands for it, of the interface that is here for the
/// longest time, apart from loopback; empty where there is none.
[[nodiscard]] std::string first_hardware_address();

}  // namespace acre
