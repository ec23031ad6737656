// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/ofi_library.hpp>

#include <acre/base/error.hpp>
#include <acre/base/loaded_library.hpp>
#include <acre/base/network_interfaces.hpp>
#include <acre/base/replaced_import.hpp>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>

namespace acre::fabric {
namespace {

constexpr library_description libfabric{
    .call = "ofi",
    .file = "libfabric.so.1",
    .mode = RTLD_NOW | RTLD_LOCAL,
    .cannot_load = "libfabric cannot be loaded",
    .advice = "install it (Debian: libfabric1), or run all ranks on one node",
    .advice_too_old = "install libfabric 1.17 or newer (Debian: libfabric1)"};

bool has_rdma_card() {
  std::error_code none;
  return !std::filesystem::is_empty("/sys/class/infiniband", none) && !none;
}

std::FILE* open_all_but_kernel_symbols(const char* path, const char* mode) {
  if (std::string_view(path) != "/proc/kallsyms") return std::fopen(path, mode);
  errno = EACCES;
  return nullptr;
}

/// Providers read these variables at the first fi_getinfo; the user's values take precedence.
void prepare_environment(const ofi_library& library) {
  // Polling interval of ofi_rxm in µs. The default, 10 ms, delays the first operation to each peer.
  ::setenv("FI_OFI_RXM_CM_PROGRESS_INTERVAL", "1000", 0);
  // ofi_rxm touches six pools of 1024 buffers: 80 MB per rank with the default 16 KiB, 48 MB with 8
  // KiB, 16 MB with 2 KiB, 11 MB with 1 KiB.
  const char* const below_1_20 = has_rdma_card() ? "2048" : "1024";
  const char* const bytes = library.has_eager_limit() ? below_1_20 : "8192";
  ::setenv("FI_OFI_RXM_BUFFER_SIZE", bytes, 0);
  ::setenv("FI_OFI_RXM_EAGER_LIMIT", "32768", 0);
}

ofi_library load() {
  // Prevents libinfinipath (Debian) from catching signals.
  ::setenv("IPATH_NO_BACKTRACE", "1", 0);
  const signal_handlers_kept kept;
  const loaded_library library(libfabric);
  const ofi_library result{.getinfo = library["fi_getinfo"],
                           .freeinfo = library["fi_freeinfo"],
                           .dupinfo = library["fi_dupinfo"],
                           .fabric = library["fi_fabric"],
                           .version = library["fi_version"],
                           .strerror = library["fi_strerror"]};
  prepare_environment(result);
  return result;
}

}  // namespace

const ofi_library& load_ofi_library() {
  static const ofi_library library = load();
  return library;
}

int find_providers(fi_info& hints, fi_info*& found) {
  const signal_handlers_kept kept;
  const auto find = [&] {
    return load_ofi_library().getinfo(FI_VERSION(FI_MAJOR_VERSION, FI_MINOR_VERSION), nullptr,
                                      nullptr, 0, &hints, &found);
  };
  if (has_rdma_card()) return find();
  // The first call reads all names of the kernel, in 0.2 s, whether RDMA cards can reach GPUs.
  const base::replaced_import unread(reinterpret_cast<void*>(load_ofi_library().getinfo), "fopen",
                                     reinterpret_cast<void*>(&open_all_but_kernel_symbols));
  return find();
}

signal_handlers_kept::signal_handlers_kept() noexcept {
  for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], nullptr, &kept_[i]);
}

signal_handlers_kept::~signal_handlers_kept() {
  for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &kept_[i], nullptr);
}

bool ofi_library::has_eager_limit() const noexcept {
  return FI_VERSION_LT(version(), FI_VERSION(1, 20));
}

std::string ofi_library::explain(long result) const {
  return strerror(static_cast<int>(result < 0 ? -result : result));
}

std::string ofi_library_identity() {
  Dl_info where{};
  struct stat file{};
  if (::dladdr(reinterpret_cast<void*>(load_ofi_library().getinfo), &where) == 0 ||
      ::stat(where.dli_fname, &file) != 0) {
    return {};
  }
  return std::to_string(file.st_size) + "-" + std::to_string(file.st_mtim.tv_sec);
}

void require_ofi(long result, std::string_view what, std::string_view advice) {
  if (result >= 0) return;
  throw error("ofi", std::string(what) + ": " + load_ofi_library().explain(result), advice);
}

std::string advice_for_lost_peer(long result) {
  const std::string down = names_of_interfaces_down();
  const bool is_no_way = result == -ENETUNREACH || result == -ENETDOWN || result == -EHOSTUNREACH;
  if (down.empty() || (!is_no_way && !down.starts_with("lo"))) {
    return "the rank has probably ended, or the access was outside its registered memory";
  }
  return "the following network interfaces of this host are down: " + down +
         "; bring up those that the job needs (ip link set NAME up)";
}

void report_unreachable(long result, rank_t target) {
  throw error("ofi",
              "rank " + std::to_string(target) +
                  " cannot be reached: " + load_ofi_library().explain(result),
              advice_for_lost_peer(result));
}

}  // namespace acre::fabric
