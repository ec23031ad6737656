// SPDX-License-Identifier: BSD-3-Clause
// An IPv4 or IPv6 address without a port.
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
  std::array<std::uint8_t, 16> bytes{};
  std::uint8_t version = 4;

  friend bool operator==(const ip_address&, const ip_address&) = default;
};

/// Parses "10.0.0.1" or "fd00::1"; null if invalid.
[[nodiscard]] std::optional<ip_address> parse_ip_address(const std::string& text);
[[nodiscard]] std::string to_string(const ip_address& address);

/// Address in `from`; null if not IP. IPv4-mapped IPv6 becomes IPv4.
[[nodiscard]] std::optional<ip_address> address_of(const sockaddr* from);

[[nodiscard]] std::uint16_t port_of(const sockaddr* from) noexcept;

[[nodiscard]] ip_address as_version_6(const ip_address& address) noexcept;

struct socket_address {
  sockaddr_storage storage{};
  socklen_t bytes = 0;

  socket_address(const ip_address& address, std::uint16_t port);
  [[nodiscard]] const sockaddr* get() const noexcept {
    return reinterpret_cast<const sockaddr*>(&storage);
  }
};

/// Compares version and first `bits` bits.
[[nodiscard]] bool same_network(const ip_address& one, const ip_address& other, unsigned bits);

/// True if other hosts cannot reach it; is_link_local(): only hosts on its link can.
[[nodiscard]] bool is_loopback(const ip_address& address) noexcept;
[[nodiscard]] bool is_link_local(const ip_address& address) noexcept;

}  // namespace acre
