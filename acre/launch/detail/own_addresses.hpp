// SPDX-License-Identifier: BSD-3-Clause
// Addresses at which other hosts may reach this one.
#pragma once

#include <acre/base/network_interfaces.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace acre::launch {

/// Up to `most_tried` addresses for other hosts, best first, without loopback and IPv6 link-local.
/// Worst is IPv4 link-local, then no carrier, virtual interfaces (bridges), IPv6; ties by speed.
/// @param wanted ACRE_INTERFACE: comma-separated interfaces (`eth0`), networks (`10.1.0.0/16`),
/// addresses, `ipv4` or `ipv6`; empty: all
/// @throws acre::error listing addresses and down interfaces if no address fits
[[nodiscard]] std::vector<interface_address> addresses_to_try(std::vector<interface_address> all,
                                                              std::string_view wanted);

/// As addresses_to_try(), but only checks `wanted` (ACRE_INTERFACE), in jobs that may not need it.
void require_some_interface(const std::vector<interface_address>& all, std::string_view wanted);

inline constexpr std::size_t most_tried = 8;

/// Hash of boot, network namespace and first hardware address. Ranks with equal hashes share a
/// loopback interface.
[[nodiscard]] std::uint64_t network_fingerprint();

}  // namespace acre::launch
