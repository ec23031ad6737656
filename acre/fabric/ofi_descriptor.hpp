// SPDX-License-Identifier: BSD-3-Clause
// Serialised description of an endpoint, exchanged at startup.
#pragma once

#include <acre/fabric/forward.hpp>
#include <acre/fabric/seals.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace acre::fabric {

struct ofi_region {
  std::uint64_t base = 0;
  std::uint64_t key = 0;
};

struct ofi_descriptor {
  std::vector<std::byte> address;
  seal_kind seals = seal_kind::siphash;
  /// Empty unless the provider chooses addresses or keys.
  std::vector<std::pair<region_key, ofi_region>> regions;
  /// Packed ones of endpoints for stripes.
  std::vector<std::vector<std::byte>> others = {};
};

[[nodiscard]] std::vector<std::byte> pack(const ofi_descriptor& mine);
[[nodiscard]] ofi_descriptor unpack_ofi(std::span<const std::byte> packed);

}  // namespace acre::fabric
