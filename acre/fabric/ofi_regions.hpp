// SPDX-License-Identifier: BSD-3-Clause
// Registered memory of an endpoint, and of its peers.
#pragma once

#include <acre/fabric/direct_line.hpp>
#include <acre/fabric/ofi_descriptor.hpp>
#include <acre/fabric/ofi_endpoint.hpp>
#include <acre/fabric/ofi_provider.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace acre::fabric {

/// Whether ranks choose keys and address regions by offsets.
[[nodiscard]] ofi_addressing addressing_of(const fi_info& info) noexcept;

/// Regions of this rank.
class local_regions {
 public:
  void add(ofi_endpoint& owner, region_key key, void* base, std::size_t bytes,
           std::uint64_t network_key);
  /// As descriptors contain them: none if offsets and own keys address them.
  [[nodiscard]] std::vector<std::pair<region_key, ofi_region>> described(const fi_info& info) const;

 private:
  struct region {
    region_key key;
    void* base;
    fid_mr* registration;
  };
  std::vector<region> regions_;
};

/// Address and key of remote memory, as the provider needs them.
struct remote_place {
  std::uint64_t address;
  std::uint64_t key;
};

/// Regions of all ranks, unless offsets and own keys address them.
class remote_regions {
 public:
  void add(rank_t rank, std::size_t ranks, const ofi_descriptor& other);
  [[nodiscard]] remote_place place(rank_t target, region_key key, std::uint64_t offset,
                                   const direct_line& line) const;

 private:
  std::vector<std::vector<ofi_region>> by_key_;
};

}  // namespace acre::fabric
