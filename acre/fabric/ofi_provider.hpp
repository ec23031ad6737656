// SPDX-License-Identifier: BSD-3-Clause
// Selects the libfabric provider and the network interface.
#pragma once

#include <acre/fabric/conduit_options.hpp>
#include <acre/fabric/ofi_library.hpp>

#include <string>
#include <string_view>

namespace acre::fabric {

enum class ofi_addressing {
  offsets,    ///< keys and offsets chosen by Acre; no peer table
  addresses,  ///< keys chosen by the provider, virtual addresses; peer table
};

/// Ways of puts that free the source on return, in the order tried.
enum class small_put {
  /// fi_write called directly, with the endpoint's default flags FI_INJECT | FI_DELIVERY_COMPLETE;
  /// the descriptor of the source is null or points to zeros
  bare,
  write,
  message,
  bounce,  ///< copied, then fi_writemsg with FI_DELIVERY_COMPLETE
};

struct ofi_request {
  std::string provider;
  ofi_addressing addressing = ofi_addressing::offsets;
  small_put puts = small_put::bare;
  /// Name of the domain, as eth0; empty: ACRE_OFI_INTERFACE, else the best.
  std::string domain = {};
};

struct ofi_choice {
  ofi_request request;
  info_pointer info;  ///< only the chosen interface
};

/// Providers to try, best first: `asked`, else ACRE_OFI_PROVIDER, else defaults.
/// @throws acre::error for one known to be unusable
[[nodiscard]] std::vector<std::string> ofi_candidates(const std::string& asked);

[[nodiscard]] bool may_pin_memory(std::string_view provider);

/// True for IP sockets of the kernel, reachable at any address of the host. (Verbs uses IP only to
/// name ports.)
[[nodiscard]] bool uses_sockets(const fi_info& info);

/// The domains of ACRE_OFI_DOMAINS, first the main one; empty if unset. `auto`: null if `main` is,
/// else its domain and all that are alike.
[[nodiscard]] std::vector<std::string> asked_domains(const ofi_choice* main);

/// Best match of the request; null if unsupported.
[[nodiscard]] info_pointer find_ofi(const ofi_request& request, const conduit_options& options);

/// If other hosts reach this one at several addresses, makes the endpoint listen at all, IPv6
/// included if needed. Not for the self-test.
void listen_where_reached(fi_info& info, const conduit_options& options);

[[noreturn]] void report_missing_ofi(const std::vector<std::string>& candidates);

}  // namespace acre::fabric
