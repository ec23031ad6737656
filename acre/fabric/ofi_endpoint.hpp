// SPDX-License-Identifier: BSD-3-Clause
// One libfabric endpoint with all that belongs to it: fabric, domain, address
// vector, completion queue, counter, registered regions. The conduit has one,
// the self-test two.
#pragma once

#include <acre/fabric/ofi_library.hpp>
#include <acre/fabric/ofi_provider.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace acre::fabric {

/// The key that is as much of this one as the provider takes.
[[nodiscard]] std::uint64_t usable_key(const fi_info& info, std::uint64_t key) noexcept;

/// Members are closed from the last to the first.
struct ofi_endpoint {
  /// @param context what the endpoint's fid.context points to
  ofi_endpoint(const fi_info& chosen, void* context);

  /// Registers memory for remote reading and writing; under `key` where the
  /// provider lets us choose.
  fid_mr* expose(void* base, std::size_t bytes, std::uint64_t key);

  /// Closes nothing: files of the program have the numbers of libfabric's descriptors.
  void abandon() noexcept;

  /// This endpoint's address, as other endpoints want it.
  [[nodiscard]] std::vector<std::byte> address() const;

  /// Adds an address; it must become number `expected`.
  void insert(std::span<const std::byte> address, fi_addr_t expected);

  info_pointer info;
  fid_pointer<fid_fabric> fabric;
  fid_pointer<fid_domain> domain;
  fid_pointer<fid_av> addresses;
  fid_pointer<fid_cq> queue;
  fid_pointer<fid_cntr> counter;
  fid_pointer<fid_ep> endpoint;
  std::vector<fid_pointer<fid_mr>> regions;
  int wait_descriptor = -1;  ///< of the queue; -1 when the provider has none

 private:
  void open_queue();
};

}  // namespace acre::fabric
