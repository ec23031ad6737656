// SPDX-License-Identifier: BSD-3-Clause
// Ways to issue one-sided transfers. Direct-line functions have the parameters of fi_write.
#pragma once

#include <acre/fabric/direct_line.hpp>

#include <rdma/fabric.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_rma.h>

#include <cstddef>
#include <cstdint>

namespace acre::fabric {

using one_sided_operation = ssize_t(fid_ep*, const fi_msg_rma*, std::uint64_t flags);

inline ssize_t issue(one_sided_operation& operation, fid_ep* endpoint, void* local,
                     std::size_t bytes, fi_addr_t target, std::uint64_t address, std::uint64_t key,
                     void* context, std::uint64_t flags) {
  const iovec piece{local, bytes};
  const fi_rma_iov remote{address, bytes, key};
  const fi_msg_rma message{.msg_iov = &piece,
                           .desc = nullptr,
                           .iov_count = 1,
                           .addr = target,
                           .rma_iov = &remote,
                           .rma_iov_count = 1,
                           .context = context,
                           .data = 0};
  return operation(endpoint, &message, flags);
}

/// @param flags  FI_INJECT: source free on return; FI_COMPLETION: queue entry;
/// FI_DELIVERY_COMPLETE: complete when the data is at the target, else when the source is free
inline ssize_t issue_write(fid_ep* endpoint, const void* source, std::size_t bytes,
                           fi_addr_t target, std::uint64_t address, std::uint64_t key,
                           void* context, std::uint64_t flags) {
  return issue(fi_writemsg, endpoint, const_cast<void*>(source), bytes, target, address, key,
               context, flags);
}

/// Complete when the data is at the target.
inline ssize_t issue_put(fid_ep* endpoint, const void* source, std::size_t bytes, fi_addr_t target,
                         std::uint64_t address, std::uint64_t key, void* context,
                         std::uint64_t flags) {
  return issue_write(endpoint, source, bytes, target, address, key, context,
                     flags | FI_DELIVERY_COMPLETE);
}

inline ssize_t issue_get(fid_ep* endpoint, void* destination, std::size_t bytes, fi_addr_t target,
                         std::uint64_t address, std::uint64_t key, void* context,
                         std::uint64_t flags) {
  return issue(fi_readmsg, endpoint, destination, bytes, target, address, key, context, flags);
}

/// small_put::bare: fi_write itself; the spare becomes its descriptor.
inline direct_line::put_function bare_put(const fid_ep& endpoint) noexcept {
  return reinterpret_cast<direct_line::put_function>(endpoint.rma->write);
}

inline ssize_t put_undescribed(void* end, const void* source, std::size_t bytes, void*,
                               std::uint64_t target, std::uint64_t address, std::uint64_t key,
                               void* context) {
  return fi_write(static_cast<fid_ep*>(end), source, bytes, nullptr, target, address, key, context);
}

inline ssize_t put_by_message(void* end, const void* source, std::size_t bytes, void*,
                              std::uint64_t target, std::uint64_t address, std::uint64_t key,
                              void* context) {
  return issue_put(static_cast<fid_ep*>(end), source, bytes, target, address, key, context,
                   FI_INJECT);
}

}  // namespace acre::fabric
