// SPDX-License-Identifier: BSD-3-Clause
// One libfabric endpoint with all that belongs to it.
#pragma once

#include <acre/fabric/ofi_library.hpp>
#include <acre/fabric/ofi_provider.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace acre::fabric {

/// Truncates a key to the provider's size.
[[nodiscard]] std::uint64_t usable_key(const fi_info& info, std::uint64_t key) noexcept;

/// Closes in reverse order.
struct ofi_endpoint {
  /// @param context  becomes fid.context
  ofi_endpoint(const fi_info& chosen, void* context);

  /// Registers memory for remote access, under `key` if permitted.
  fid_mr* expose(void* base, std::size_t bytes, std::uint64_t key);

  /// Leaves descriptors open: the program has reused their numbers.
  void abandon() noexcept;

  [[nodiscard]] std::vector<std::byte> address() const;

  /// Inserts an address, which must get index `expected`.
  void insert(std::span<const std::byte> address, fi_addr_t expected);

  info_pointer info;
  fid_pointer<fid_fabric> fabric;
  fid_pointer<fid_domain> domain;
  fid_pointer<fid_av> addresses;
  fid_pointer<fid_cq> queue;
  fid_pointer<fid_cntr> counter;
  fid_pointer<fid_ep> endpoint;
  std::vector<fid_pointer<fid_mr>> regions;
  int wait_descriptor = -1;  ///< -1 if unsupported

 private:
  void open_queue();
};

}  // namespace acre::fabric
