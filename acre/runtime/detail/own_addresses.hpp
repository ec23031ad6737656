// The addresses by which other hosts may reach this one, best first.
#pragma once

#include <acre/base/ip_address.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace acre::runtime::detail {

/// An address of one of this host's interfaces.
struct own_address {
  std::string interface;
  ip_address address;
  bool has_carrier = true;  ///< nothing says that its link is down
  bool may_be_used = true;  ///< not tentative, and nobody else's
  friend bool operator==(const own_address&, const own_address&) = default;
};

/// What the kernel says of this network name space's interfaces that are up.
[[nodiscard]] std::vector<own_address> addresses_of_interfaces();

/// Those that other hosts may try, best first, at most `most_tried`: not loopback; IPv4 before
/// IPv6; real interfaces before bridges of containers and virtual machines, and before those
/// without carrier; link-local ones only where there is nothing else, and never of IPv6.
/// @param wanted  ACRE_INTERFACE: names of interfaces (`eth0`), networks (`10.1.0.0/16`),
/// addresses, `ipv4`
///                or `ipv6`, with commas between them: only what one of them fits; empty: all
/// @throws acre::error naming what there is, when nothing fits
[[nodiscard]] std::vector<own_address> addresses_to_try(std::vector<own_address> all,
                                                        std::string_view wanted);

inline constexpr std::size_t most_tried = 8;

/// Names the network that this process sees: the host's boot and the network name space. Ranks that
/// have the same can meet on the loopback interface.
[[nodiscard]] std::uint64_t network_fingerprint();

}  // namespace acre::runtime::detail
