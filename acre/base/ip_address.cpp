// SPDX-License-Identifier: BSD-3-Clause
#include <acre/base/ip_address.hpp>

#include <algorithm>
#include <arpa/inet.h>
#include <cstring>
#include <netinet/in.h>
#include <span>

namespace acre {
namespace {

constexpr std::array<std::uint8_t, 12> ipv4_prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

}  // namespace

std::optional<ip_address> parse_ip_address(const std::string& text) {
  ip_address parsed;
  if (::inet_pton(AF_INET, text.c_str(), parsed.bytes.data()) == 1) return parsed;
  parsed.version = 6;
  if (::inet_pton(AF_INET6, text.c_str(), parsed.bytes.data()) == 1) return parsed;
  return {};
}

std::string to_string(const ip_address& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  ::inet_ntop(address.version == 4 ? AF_INET : AF_INET6, address.bytes.data(), text.data(),
              text.size());
  return text.data();
}

std::optional<ip_address> address_of(const sockaddr* from) {
  ip_address found;
  if (from == nullptr) return {};
  if (from->sa_family == AF_INET) {
    sockaddr_in address;
    std::memcpy(&address, from, sizeof address);
    std::memcpy(found.bytes.data(), &address.sin_addr, sizeof address.sin_addr);
    return found;
  }
  if (from->sa_family != AF_INET6) return {};
  sockaddr_in6 address;
  std::memcpy(&address, from, sizeof address);
  std::memcpy(found.bytes.data(), &address.sin6_addr, sizeof address.sin6_addr);
  found.version = 6;
  if (std::ranges::equal(ipv4_prefix, std::span(found.bytes).first(ipv4_prefix.size()))) {
    ip_address plain;
    std::copy_n(found.bytes.begin() + ipv4_prefix.size(), 4, plain.bytes.begin());
    return plain;
  }
  return found;
}

std::uint16_t port_of(const sockaddr* from) noexcept {
  sockaddr_in with_port;
  std::memcpy(&with_port, from, sizeof with_port);
  return ntohs(with_port.sin_port);
}

ip_address as_version_6(const ip_address& address) noexcept {
  if (address.version == 6) return address;
  ip_address written{.version = 6};
  std::ranges::copy(ipv4_prefix, written.bytes.begin());
  std::copy_n(address.bytes.begin(), 4, written.bytes.begin() + ipv4_prefix.size());
  return written;
}

socket_address::socket_address(const ip_address& address, std::uint16_t port) {
  const auto write = [&](auto made, auto its_address) {
    std::memcpy(&(made.*its_address), address.bytes.data(), sizeof(made.*its_address));
    std::memcpy(&storage, &made, sizeof made);
    bytes = sizeof made;
  };
  if (address.version == 4) {
    write(
        sockaddr_in{.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {}, .sin_zero = {}},
        &sockaddr_in::sin_addr);
  } else {
    write(sockaddr_in6{.sin6_family = AF_INET6,
                       .sin6_port = htons(port),
                       .sin6_flowinfo = 0,
                       .sin6_addr = {},
                       .sin6_scope_id = 0},
          &sockaddr_in6::sin6_addr);
  }
}

bool same_network(const ip_address& one, const ip_address& other, unsigned bits) {
  if (one.version != other.version) return false;
  for (unsigned bit = 0; bit < bits; ++bit) {
    const unsigned differ = one.bytes[bit / 8] ^ other.bytes[bit / 8];
    if ((differ >> (7 - bit % 8) & 1U) != 0) return false;
  }
  return true;
}

bool is_loopback(const ip_address& address) noexcept {
  if (address.version == 4) return address.bytes[0] == 127;
  return std::all_of(address.bytes.begin(), address.bytes.end() - 1,
                     [](std::uint8_t each) { return each == 0; }) &&
         address.bytes[15] == 1;
}

bool is_link_local(const ip_address& address) noexcept {
  if (address.version == 4) return address.bytes[0] == 169 && address.bytes[1] == 254;
  return address.bytes[0] == 0xfe && (address.bytes[1] & 0xc0) == 0x80;
}

}  // namespace acre
