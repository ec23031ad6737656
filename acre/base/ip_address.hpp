// SPDX-License-Identifier: BSD-3-Clause
// An address of the Internet protocol, of version 4 or 6, without a port.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <sys/socket.h>

namespace acre {

struct ip_address {
  std::array<std::uint8_t, 16> bytes{};  ///< the first four, of version 4
  std::uint8_t version = 4;

  friend bool operator==(const ip_address&, const ip_address&) = default;
};

/// "10.0.0.1", "fd00::1"; or nothing.
[[nodiscard]] std::optional<ip_address> parse_ip_address(const std::string& text);
[[nodiscard]] std::string to_string(const ip_address& address);

/// The address in a socket's; nothing where that is of another family. An address of version 4 that
/// is written as one of version 6 is one of version 4.
[[nodiscard]] std::optional<ip_address> address_of(const sockaddr* from);

/// The port in a socket's address, of either version.
[[nodiscard]] std::uint16_t port_of(const sockaddr* from) noexcept;

/// The same address, as sockets of version 6 write it.
[[nodiscard]] ip_address as_version_6(const ip_address& address) noexcept;

/// A socket's address.
struct socket_address {
  sockaddr_storage storage{};
  socklen_t bytes = 0;

  socket_address(const ip_address& address, std::uint16_t port);
  [[nodiscard]] const sockaddr* get() const noexcept {
    return reinterpret_cast<const sockaddr*>(&storage);
  }
};

/// What its first bits say; and whether two are alike in the first `bits`.
[[nodiscard]] bool same_network(const ip_address& one, const ip_address& other, unsigned bits);

/// Not for other hosts: of this host, or of one link only.
[[nodiscard]] bool is_loopback(const ip_address& address) noexcept;
[[nodiscard]] bool is_link_local(const ip_address& address) noexcept;

}  // namespace acre
