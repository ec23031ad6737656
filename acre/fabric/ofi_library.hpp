// SPDX-License-Identifier: BSD-3-Clause
// libfabric functions, loaded on demand; its other functions are inline.
#pragma once

#include <acre/fabric/forward.hpp>

#include <rdma/fabric.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>

#include <array>
#include <csignal>
#include <memory>
#include <string>
#include <string_view>

namespace acre::fabric {

struct ofi_library {
  decltype(&::fi_getinfo) getinfo = nullptr;
  decltype(&::fi_freeinfo) freeinfo = nullptr;
  decltype(&::fi_dupinfo) dupinfo = nullptr;
  decltype(&::fi_fabric) fabric = nullptr;
  decltype(&::fi_version) version = nullptr;
  decltype(&::fi_strerror) strerror = nullptr;

  /// Over tcp, eager messages of ofi_rxm may exceed its buffers (FI_OFI_RXM_EAGER_LIMIT).
  [[nodiscard]] bool has_eager_limit() const noexcept;

  [[nodiscard]] std::string explain(long result) const;
};

[[nodiscard]] const ofi_library& load_ofi_library();

/// fi_getinfo; keeps signal handlers. @return its error code
[[nodiscard]] int find_providers(fi_info& hints, fi_info*& found);

/// Identifies the library's build by size and date.
[[nodiscard]] std::string ofi_library_identity();

void require_ofi(long result, std::string_view what, std::string_view advice = {});

/// Advice for a failed peer: names interfaces that are down; else suggests that the rank ended.
[[nodiscard]] std::string advice_for_lost_peer(long result);

[[noreturn]] void report_unreachable(long result, rank_t target);

/// Restores signal handlers at scope end: libraries under libfabric (psm, shm) install their own.
class signal_handlers_kept {
 public:
  signal_handlers_kept() noexcept;
  signal_handlers_kept(const signal_handlers_kept&) = delete;
  signal_handlers_kept& operator=(const signal_handlers_kept&) = delete;
  ~signal_handlers_kept();

 private:
  static constexpr std::array signals = {SIGSEGV, SIGBUS,  SIGILL,  SIGABRT, SIGFPE,
                                         SIGINT,  SIGTERM, SIGQUIT, SIGHUP};
  std::array<struct sigaction, signals.size()> kept_;
};

struct info_deleter {
  void operator()(fi_info* info) const noexcept { load_ofi_library().freeinfo(info); }
};
using info_pointer = std::unique_ptr<fi_info, info_deleter>;

template <class Fid>
struct fid_closer {
  void operator()(Fid* object) const noexcept { fi_close(&object->fid); }
};
template <class Fid>
using fid_pointer = std::unique_ptr<Fid, fid_closer<Fid>>;

}  // namespace acre::fabric
