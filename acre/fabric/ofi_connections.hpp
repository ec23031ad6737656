// SPDX-License-Identifier: BSD-3-Clause
// The connections that libfabric makes when ranks first speak to each other: it does so without
// close-on-exec, long after the endpoint was opened, and says nothing of it.
//
// They are known by their ends. What others have made to this rank has the port at which only its
// endpoint listens; what this rank has made leads to where another one listens.
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
  /// @param own  the endpoint's address, as fi_getname gives it
  /// @param ranks  addresses of ranks; those of other networks than the Internet's say nothing
  void expect(std::span<const std::byte> own, const std::vector<std::vector<std::byte>>& ranks);

  /// Programs that this process starts from now on get none of those that there are.
  void close_on_exec() const;

 private:
  struct place {
    ip_address address;  ///< as one of version 6
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
  std::vector<place> ranks_;  ///< sorted
};

}  // namespace acre::fabric
