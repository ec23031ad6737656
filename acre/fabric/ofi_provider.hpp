// SPDX-License-Identifier: BSD-3-Clause
// Which libfabric provider, over which network interface.
#pragma once

#include <acre/fabric/conduit_options.hpp>
#include <acre/fabric/ofi_library.hpp>

#include <string>
#include <string_view>

namespace acre::fabric {

/// How remote memory is addressed.
enum class ofi_addressing {
  offsets,    ///< keys of our choice, offsets: nothing to remember of a peer
  addresses,  ///< the provider's keys, virtual addresses: a table of them
};

/// How a put that must leave its source free at once is issued. The self-test
/// takes the first that proves to be true.
enum class small_put {
  /// fi_write, with FI_INJECT | FI_DELIVERY_COMPLETE as the endpoint's default; without a
  /// descriptor of the source, or with zeros for one
  bare,
  write,    ///< the same, but never with zeros
  message,  ///< fi_writemsg with these flags
  bounce,   ///< copied into a buffer of ours, then fi_writemsg with FI_DELIVERY_COMPLETE
};

/// What is asked of a provider.
struct ofi_request {
  std::string provider;  ///< as libfabric spells it
  ofi_addressing addressing = ofi_addressing::offsets;
  small_put puts = small_put::bare;
};

/// A provider, found.
struct ofi_choice {
  ofi_request request;
  info_pointer info;  ///< one entry: the chosen interface
};

/// The providers to try, best first: the one that is named, the one that ACRE_OFI_PROVIDER names,
/// or those worth trying.
/// @throws acre::error when the user names one that is known not to work
[[nodiscard]] std::vector<std::string> ofi_candidates(const std::string& asked);

/// Whether the provider may pin what is registered. Not where a CPU copies, through the
/// addresses of the process: tcp, udp, sockets, shm. What is not known may.
[[nodiscard]] bool may_pin_memory(std::string_view provider);

/// Whether it carries the Internet protocol itself, by the kernel's sockets: it can be reached at
/// any address of its host. (Others, such as verbs, name their ports by such addresses, each its
/// own.)
[[nodiscard]] bool uses_sockets(const fi_info& info);

/// What the provider grants of the request, over the interface that suits the
/// job; empty when it grants nothing.
[[nodiscard]] info_pointer find_ofi(const ofi_request& request, const conduit_options& options);

/// Where others reach this host by several of its addresses: the endpoint will listen at all of
/// them, by both versions of the Internet protocol where both are needed. Not for the self-test,
/// whose endpoints reach each other by their own address.
void listen_where_reached(fi_info& info, const conduit_options& options);

/// Why nothing was found, with what is there.
[[noreturn]] void report_missing_ofi(const std::vector<std::string>& candidates);

}  // namespace acre::fabric
