// SPDX-License-Identifier: BSD-3-Clause
// Connections that libfabric opens lazily, without close-on-exec
// (docs/developers/modules/fabric.md).
#pragma once

#include <acre/base/ip_address.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace acre::fabric {

class ofi_connections {
 public:
  void expect(std::span<const std::byte> own, const std::vector<std::vector<std::byte>>& ranks);

  void close_on_exec() const;

 private:
  struct place {
    ip_address address;
    std::uint16_t port;
    friend auto operator<=>(const place& one, const place& other) noexcept {
      const auto order = one.address.bytes <=> other.address.bytes;
      return order != 0 ? order : std::strong_order(one.port, other.port);
    }
    friend bool operator==(const place&, const place&) = default;
  };
  [[nodiscard]] static std::optional<place> place_of(std::span<const std::byte> address);
  [[nodiscard]] bool is_one(int descriptor) const;

  std::optional<std::uint16_t> own_port_;
  std::vector<place> ranks_;
};

}  // namespace acre::fabric
