// SPDX-License-Identifier: BSD-3-Clause
// The addresses by which other hosts may reach this one, best first.
#pragma once

#include <acre/base/network_interfaces.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace acre::launch {

/// Those that other hosts may try, best first, at most `most_tried`: not loopback; IPv4 before
/// IPv6; real interfaces before bridges of containers and virtual machines, and before those
/// without carrier; link-local ones only where there is nothing else, and never of IPv6. Of a kind
/// those of the fastest interface first.
/// @param wanted  ACRE_INTERFACE: names of interfaces (`eth0`), networks (`10.1.0.0/16`),
///                addresses, `ipv4` or `ipv6`, with commas between them: only what one of them
///                fits; empty: all
/// @throws acre::error naming what there is, and which interfaces are down, when nothing fits or
///     there is no address
[[nodiscard]] std::vector<interface_address> addresses_to_try(std::vector<interface_address> all,
                                                              std::string_view wanted);

/// Checks ACRE_INTERFACE in a job that may not need it: loopback counts as well.
/// @throws acre::error as above
void require_some_interface(const std::vector<interface_address>& all, std::string_view wanted);

inline constexpr std::size_t most_tried = 8;

/// Names the network that this process sees: the host's boot, the network name space, and its first
/// interface, as copies of a virtual machine have the others alike. Ranks that have the same can
/// meet on the loopback interface.
[[nodiscard]] std::uint64_t network_fingerprint();

}  // namespace acre::launch
