// SPDX-License-Identifier: BSD-3-Clause
// A libfabric endpoint with its queues and registrations.
#pragma once

#include <acre/fabric/ofi_library.hpp>
#include <acre/fabric/ofi_provider.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace acre::fabric {

/// Truncates a key to the provider's size, without bits reserved for providers.
[[nodiscard]] std::uint64_t usable_key(const fi_info& info, std::uint64_t key) noexcept;

/// Members are closed in reverse order.
struct ofi_endpoint {
  ofi_endpoint(const fi_info& chosen, void* context);

  /// Uses `key` if the provider permits.
  fid_mr* expose(void* base, std::size_t bytes, std::uint64_t key);

  /// Leaves descriptors open: the program has reused their numbers.
  void abandon() noexcept;

  [[nodiscard]] std::vector<std::byte> address() const;

  /// Inserts an address; its index must be `expected`.
  void insert(std::span<const std::byte> address, fi_addr_t expected);

  info_pointer info;
  fid_pointer<fid_fabric> fabric;
  fid_pointer<fid_domain> domain;
  fid_pointer<fid_av> addresses;
  fid_pointer<fid_cq> queue;
  fid_pointer<fid_cntr> put_counter;
  fid_pointer<fid_cntr> get_counter;
  fid_pointer<fid_ep> endpoint;
  std::vector<fid_pointer<fid_mr>> regions;
  int wait_descriptor = -1;

 private:
  void open_queue();
};

}  // namespace acre::fabric
