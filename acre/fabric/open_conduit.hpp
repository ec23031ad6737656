// Opens a conduit by its name, without a word of the library under it.
#pragma once

#include <acre/base/ip_address.hpp>
#include <acre/base/keyed_hash.hpp>
#include <acre/fabric/conduit.hpp>
#include <acre/fabric/library_session.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace acre::fabric {

/// What a conduit has to know before it opens. What concerns one library only is said by the
/// environment; for libfabric:
/// | variable               | meaning                                                       |
/// |------------------------|---------------------------------------------------------------|
/// | ACRE_OFI_PROVIDER      | the libfabric provider to use, e.g. "tcp;ofi_rxm"             |
/// | ACRE_OFI_INTERFACE     | the network interface to use, e.g. "eth0"                     |
/// | ACRE_OFI_MESSAGE_SIZE  | bytes of the largest active message, header included          |
/// | ACRE_OFI_TRANSFER_SIZE | bytes of the largest put or get                               |
/// | ACRE_OFI_TX_SIZE       | how many transmissions the provider shall be able to queue    |
/// | ACRE_OFI_RX_SIZE       | how many receptions it shall be able to queue                 |
/// | ACRE_OFI_BUFFERS       | send buffers, at most 64                                      |
/// | ACRE_OFI_MR            | "basic": address remote memory as verbs-like hardware does    |
/// | ACRE_OFI_PUT           | "bare", "write", "message", "bounce": how small puts go       |
/// | ACRE_OFI_RECEIVE       | "multi": many messages a buffer (FI_MULTI_RECV), not one      |
/// | ACRE_OFI_SELF_TEST     | "always": believe no earlier verdict                          |
struct conduit_options {
  std::string job = {};      ///< begins the names of whatever may be left in /dev/shm
  rank_t self = 0;           ///< this rank
  rank_t size = 1;           ///< ranks of the job
  bool single_host = false;  ///< all ranks can meet on the loopback interface
  /// Where ranks of several hosts are reached, by rank, as it was tried out; of this rank too.
  /// Empty: that is not known, or the network is none of the Internet protocol.
  std::vector<ip_address> addresses = {};
  /// Others reach this host by several of its addresses, and that one is none of them.
  bool listen_everywhere = false;
  secret_key secret = {};       ///< of the job's ranks, the same on all
  direct_line* line = nullptr;  ///< which it fills; null: one of its own
  /// What the job was started with, if that was a library: perhaps the conduit's too.
  std::shared_ptr<library_session> session = {};
};

/// The conduits of this build of Acre; "loopback", which joins no processes, is for tests.
[[nodiscard]] std::vector<std::string_view> conduit_names();

/// Opens the conduit of this name; of an empty one the best that there is.
///
/// For libfabric that loads the library, chooses a provider, tests it, and opens an endpoint. The
/// first opening in a process costs about 60 ms in Debian's libfabric 1.17, whose verbs provider
/// searches /proc/kallsyms.
///
/// @throws acre::error when there is none of that name, or when the library or the network is not
///         there or does not do what it claims
[[nodiscard]] std::unique_ptr<conduit> open_conduit(std::string_view name,
                                                    const conduit_options& options);

}  // namespace acre::fabric
