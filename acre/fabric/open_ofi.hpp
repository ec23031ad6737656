// Opens the libfabric conduit without a word of libfabric: programs that choose
// their conduit at run time include this and not ofi.hpp.
#pragma once

#include <acre/fabric/conduit.hpp>

#include <memory>
#include <string>

namespace acre::fabric {

/// What the libfabric conduit has to know before it opens.
///
/// The environment says the rest:
/// | variable               | meaning                                                       |
/// |------------------------|---------------------------------------------------------------|
/// | ACRE_OFI_PROVIDER      | the libfabric provider to use, e.g. "tcp;ofi_rxm"             |
/// | ACRE_OFI_INTERFACE     | the network interface to use, e.g. "eth0"                     |
/// | ACRE_OFI_MESSAGE_SIZE  | bytes of the largest active message, header included          |
/// | ACRE_OFI_TX_SIZE       | how many transmissions the provider shall be able to queue    |
/// | ACRE_OFI_RX_SIZE       | how many receptions it shall be able to queue                 |
/// | ACRE_OFI_BUFFERS       | send buffers, at most 64                                      |
/// | ACRE_OFI_MR            | "basic": address remote memory as verbs-like hardware does    |
/// | ACRE_OFI_PUT           | "write", "message", "bounce": how small puts are issued       |
/// | ACRE_OFI_RECEIVE       | "multi": many messages a buffer (FI_MULTI_RECV), not one       |
/// | ACRE_OFI_SELF_TEST     | "always": believe no earlier verdict                          |
struct ofi_options {
  std::string job;              ///< begins the names of whatever may be left in /dev/shm
  rank_t self = 0;              ///< this rank
  rank_t size = 1;              ///< ranks of the job
  bool single_host = false;     ///< all ranks are on one machine: loopback will do
  std::string provider = {};    ///< empty: ACRE_OFI_PROVIDER, else the best that is there
  direct_line* line = nullptr;  ///< which it fills; null: one of its own
};

/// Loads libfabric, chooses a provider, tests it, and opens an endpoint.
///
/// The first opening in a process costs about 60 ms in Debian's libfabric 1.17,
/// whose verbs provider searches /proc/kallsyms.
///
/// @throws acre::error when libfabric or the provider is not there, or when the
///         provider does not do what it claims
[[nodiscard]] std::unique_ptr<conduit> open_ofi(const ofi_options& options);

}  // namespace acre::fabric
