// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/ofi_connections.hpp>

#include <acre/base/library_descriptors.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace acre::fabric {

std::optional<ofi_connections::place> ofi_connections::place_of(
    std::span<const std::byte> address) {
  sockaddr_storage storage{};
  if (address.size() < sizeof(sockaddr_in)) return std::nullopt;
  std::memcpy(&storage, address.data(), std::min(address.size(), sizeof storage));
  const auto* const socket = reinterpret_cast<const sockaddr*>(&storage);
  const auto found = address_of(socket);
  if (!found) return std::nullopt;
  return place{as_version_6(*found), port_of(socket)};
}

void ofi_connections::expect(std::span<const std::byte> own,
                             const std::vector<std::vector<std::byte>>& ranks) {
  const auto here = place_of(own);
  if (!here) return;
  own_port_ = here->port;
  for (const auto& each : ranks) {
    if (const auto there = place_of(each)) ranks_.push_back(*there);
  }
  std::ranges::sort(ranks_);
}

bool ofi_connections::is_one(int descriptor) const {
  using name_function = int(int, sockaddr*, socklen_t*);
  const auto end_of = [descriptor](name_function* name) -> std::optional<place> {
    std::array<std::byte, sizeof(sockaddr_storage)> bytes{};
    socklen_t size = bytes.size();
    if (name(descriptor, reinterpret_cast<sockaddr*>(bytes.data()), &size) != 0) return {};
    return place_of(std::span(bytes).first(std::min<std::size_t>(size, bytes.size())));
  };
  int kind = 0;
  socklen_t size = sizeof kind;
  if (::getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &kind, &size) != 0 || kind != SOCK_STREAM)
    return false;
  const auto here = end_of(::getsockname);
  if (here && here->port == own_port_) return true;
  const auto there = end_of(::getpeername);
  return there && std::ranges::binary_search(ranks_, *there);
}

void ofi_connections::close_on_exec() const {
  if (!own_port_) return;
  for (const int each : open_descriptors()) {
    const int flags = ::fcntl(each, F_GETFD);
    if (flags < 0 || (flags & FD_CLOEXEC) != 0 || !is_one(each)) continue;
    ::fcntl(each, F_SETFD, flags | FD_CLOEXEC);
  }
}

}  // namespace acre::fabric
