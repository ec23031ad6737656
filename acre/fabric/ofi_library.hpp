// SPDX-License-Identifier: BSD-3-Clause
// libfabric, loaded when it is first needed, so that a job that stays in shared
// memory never pays for it. Only these entry points are symbols of the library;
// everything else in its interface is inline and goes through tables.
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

/// The entry points of libfabric.so.1.
struct ofi_library {
  decltype(&::fi_getinfo) getinfo = nullptr;
  decltype(&::fi_freeinfo) freeinfo = nullptr;
  decltype(&::fi_dupinfo) dupinfo = nullptr;
  decltype(&::fi_fabric) fabric = nullptr;
  decltype(&::fi_version) version = nullptr;
  decltype(&::fi_strerror) strerror = nullptr;

  /// "Connection refused", for a negative or positive libfabric error number.
  [[nodiscard]] std::string explain(long result) const;
};

/// The library, loaded by the first call.
/// @throws acre::error when it is not installed
[[nodiscard]] const ofi_library& load_ofi_library();

/// Where the loaded library lies, its size and its date: what tells one build
/// of it from another when a verdict about it is kept.
[[nodiscard]] std::string ofi_library_identity();

/// Throws acre::error for `result` < 0.
void require_ofi(long result, std::string_view what, std::string_view advice = {});

/// Why a rank may not be reached, for a result of libfabric: an interface that is down, or the
/// rank's end.
[[nodiscard]] std::string advice_for_lost_peer(long result);

/// Throws acre::error for what a rank cannot be sent.
[[noreturn]] void report_unreachable(long result, rank_t target);

/// Gives the process its signal handlers back at the end of a scope: libraries
/// that libfabric brings with it (psm, shm) install their own, and a fabric has
/// no business with SIGTERM.
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

/// An owned chain of fi_info.
struct info_deleter {
  void operator()(fi_info* info) const noexcept { load_ofi_library().freeinfo(info); }
};
using info_pointer = std::unique_ptr<fi_info, info_deleter>;

/// An owned libfabric object: fid_fabric, fid_domain, fid_ep, ...
template <class Fid>
struct fid_closer {
  void operator()(Fid* object) const noexcept { fi_close(&object->fid); }
};
template <class Fid>
using fid_pointer = std::unique_ptr<Fid, fid_closer<Fid>>;

}  // namespace acre::fabric
