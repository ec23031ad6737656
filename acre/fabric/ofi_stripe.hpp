// SPDX-License-Identifier: BSD-3-Clause
// An endpoint on a further domain (ACRE_OFI_DOMAINS), for parts of large puts and gets. Messages
// and small puts use the main one.
#pragma once

#include <acre/fabric/direct_line.hpp>
#include <acre/fabric/ofi_connections.hpp>
#include <acre/fabric/ofi_descriptor.hpp>
#include <acre/fabric/ofi_endpoint.hpp>
#include <acre/fabric/ofi_provider.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace acre::fabric {

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

/// Whether ranks choose keys and address regions by offsets.
[[nodiscard]] ofi_addressing addressing_of(const fi_info& info) noexcept;

/// Of ACRE_OFI_DOMAINS.
inline constexpr std::size_t most_domains = 8;

class ofi_stripe {
 public:
  /// Pieces of transfers, in bytes, unless ACRE_OFI_TRANSFER_SIZE is set.
  static constexpr std::size_t default_piece = std::size_t{1} << 18;

  ofi_stripe(const ofi_choice& choice, void* context) : fabric(*choice.info, context) {}

  void register_region(region_key key, void* base, std::size_t bytes, const direct_line& line);
  [[nodiscard]] std::vector<std::byte> descriptor() const;
  /// descriptors[r] is the packed one of rank r.
  void connect(std::span<const std::vector<std::byte>> descriptors);

  [[nodiscard]] std::string name() const { return fabric.info->domain_attr->name; }

  ofi_endpoint fabric;
  remote_regions remote;
  ofi_connections connections;

 private:
  struct local_region {
    region_key key;
    void* base;
    fid_mr* registration;
  };
  std::vector<local_region> regions_;
};

/// Endpoints on the domains after the first of ACRE_OFI_DOMAINS; usually none.
/// @throws acre::error if a domain is unknown or fails its self-test
[[nodiscard]] std::vector<std::unique_ptr<ofi_stripe>> open_stripes(const ofi_choice& main,
                                                                    const conduit_options& options,
                                                                    void* context);

}  // namespace acre::fabric
