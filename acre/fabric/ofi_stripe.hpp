// SPDX-License-Identifier: BSD-3-Clause
// An endpoint on a further domain (ACRE_OFI_DOMAINS), for parts of large puts and gets. Messages
// and small puts use the main one.
#pragma once

#include <acre/fabric/direct_line.hpp>
#include <acre/fabric/ofi_connections.hpp>
#include <acre/fabric/ofi_endpoint.hpp>
#include <acre/fabric/ofi_provider.hpp>
#include <acre/fabric/ofi_regions.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace acre::fabric {

/// Upper bound of ACRE_OFI_DOMAINS.
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
  local_regions regions_;
};

/// Endpoints on the domains after the first of ACRE_OFI_DOMAINS; usually none.
/// @throws acre::error if a domain is unknown or fails its self-test
[[nodiscard]] std::vector<std::unique_ptr<ofi_stripe>> open_stripes(const ofi_choice& main,
                                                                    const conduit_options& options,
                                                                    void* context);

}  // namespace acre::fabric
