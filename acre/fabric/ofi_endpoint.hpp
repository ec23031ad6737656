// One libfabric endpoint with all that belongs to it: fabric, domain, address
// vector, completion queue, counter, registered regions. The conduit has one,
// the self-test two.
#pragma once

#include <acre/fabric/ofi_library.hpp>
#include <acre/fabric/ofi_provider.hpp>

#include <cstddef>
#include <cstdint>
#include <poll.h>
#include <span>
#include <vector>

namespace acre::fabric {

/// Members are closed from the last to the first.
struct ofi_endpoint {
  /// @param context what the endpoint's fid.context points to
  ofi_endpoint(const fi_info& chosen, void* context);

  /// Registers memory for remote reading and writing; under `key` where the
  /// provider lets us choose.
  fid_mr* expose(void* base, std::size_t bytes, std::uint64_t key);

  /// This endpoint's address, as other endpoints want it.
  [[nodiscard]] std::vector<std::byte> address() const;

  /// Adds an address; it must become number `expected`.
  void insert(std::span<const std::byte> address, fi_addr_t expected);

  /// Whether the provider has something to sleep on until the queue has an entry.
  [[nodiscard]] bool has_wait_object() const noexcept { return wait_object != FI_WAIT_NONE; }

  /// Writes what poll() is to look at into `sources`, which stays true until the next entry is read
  /// or peer connected.
  /// @return how many it wrote; 0 when there are more than fit
  std::size_t wait_descriptors(std::span<pollfd> sources) const;

  info_pointer info;
  fid_pointer<fid_fabric> fabric;
  fid_pointer<fid_domain> domain;
  fid_pointer<fid_av> addresses;
  fid_pointer<fid_cq> queue;
  fid_pointer<fid_cntr> counter;
  fid_pointer<fid_ep> endpoint;
  std::vector<fid_pointer<fid_mr>> regions;
  fi_wait_obj wait_object = FI_WAIT_NONE;  ///< of the queue

 private:
  void open_queue();
};

}  // namespace acre::fabric
