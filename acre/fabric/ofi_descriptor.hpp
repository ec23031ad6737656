// SPDX-License-Identifier: BSD-3-Clause
// What ranks tell each other of their endpoints, by whoever started them.
#pragma once

#include <acre/fabric/forward.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace acre::fabric {

/// Where a region of a rank lies for the provider.
struct ofi_region {
  std::uint64_t base = 0;
  std::uint64_t key = 0;
};

struct ofi_descriptor {
  std::vector<std::byte> address;
  /// For providers that want addresses and keys of their own; else none.
  std::vector<std::pair<region_key, ofi_region>> regions;
};

[[nodiscard]] std::vector<std::byte> pack(const ofi_descriptor& mine);
/// @throws acre::error when it is cut short
[[nodiscard]] ofi_descriptor unpack_ofi(std::span<const std::byte> packed);

}  // namespace acre::fabric
