// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/ofi_provider.hpp>

#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/base/network_interfaces.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <set>

namespace acre::fabric {
namespace {

constexpr std::array fast_providers = {"cxi", "efa", "verbs;ofi_rxm", "psm3", "psm2"};

constexpr std::size_t enough_inject = 1024;

std::string complete_name(std::string name) {
  if (name == "tcp" || name == "verbs") return name + ";ofi_rxm";
  if (name == "udp") return name + ";ofi_rxd";
  return name;
}

void refuse_known_defects(const std::string& provider) {
  if (provider == "net" || provider.starts_with("net;")) {
    throw error("ofi",
                "the provider " + provider +
                    " is unsupported: it completes puts before the data is at the target, and "
                    "reports atomics that it does not implement",
                "use ACRE_OFI_PROVIDER=\"tcp;ofi_rxm\"");
  }
}

/// ofi_rxd hangs if its queues fill with multi-packet operations; shm needs 16 entries.
std::size_t shortest_queue(std::string_view provider) {
  if (provider.ends_with(";ofi_rxd")) return 1024;
  if (provider == "shm") return 16;
  return 1;
}

std::size_t queue_length(const char* variable, std::string_view provider) {
  const auto asked = environment_number(variable);
  return asked ? std::max<std::size_t>(*asked, shortest_queue(provider)) : 0;
}

info_pointer make_hints(const ofi_request& request) {
  info_pointer hints(load_ofi_library().dupinfo(nullptr));
  hints->caps =
      FI_MSG | FI_RMA | FI_READ | FI_WRITE | FI_SEND | FI_RECV | FI_REMOTE_READ | FI_REMOTE_WRITE;
  hints->mode = FI_CONTEXT | FI_CONTEXT2;
  hints->ep_attr->type = FI_EP_RDM;
  hints->domain_attr->mr_mode =
      request.addressing == ofi_addressing::offsets
          ? FI_MR_ENDPOINT
          : FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT;
  hints->domain_attr->threading = FI_THREAD_SAFE;
  hints->domain_attr->av_type = FI_AV_TABLE;
  hints->domain_attr->resource_mgmt = FI_RM_ENABLED;
  // The runtime's helper thread is faster than that of `sockets`.
  hints->domain_attr->data_progress = FI_PROGRESS_MANUAL;
  hints->tx_attr->msg_order = FI_ORDER_SAS;
  hints->rx_attr->msg_order = FI_ORDER_SAS;
  if (request.puts == small_put::bare || request.puts == small_put::write) {
    hints->tx_attr->op_flags = FI_INJECT | FI_DELIVERY_COMPLETE;
  }
  hints->tx_attr->size = queue_length("ACRE_OFI_TX_SIZE", request.provider);
  hints->rx_attr->size = queue_length("ACRE_OFI_RX_SIZE", request.provider);
  hints->fabric_attr->prov_name = ::strdup(request.provider.c_str());
  return hints;
}

bool is_provider(const fi_info& entry, std::string_view name) {
  return name.empty() || entry.fabric_attr->prov_name == name;
}

info_pointer get_info(fi_info& hints) {
  fi_info* found = nullptr;
  const int result = find_providers(hints, found);
  if (result == -FI_ENODATA) return {};
  require_ofi(result, "fi_getinfo");
  return info_pointer(found);
}

std::string_view interface_of(const fi_info& info) {
  return info.domain_attr->name == nullptr ? "" : info.domain_attr->name;
}

bool is_ip(const fi_info& info) {
  return info.addr_format == FI_SOCKADDR_IN || info.addr_format == FI_SOCKADDR_IN6;
}

std::optional<ip_address> own_address(const conduit_options& options) {
  if (options.addresses.empty()) return {};
  return options.addresses[options.self];
}

int unsuitability(const fi_info& info, const conduit_options& options) {
  if (!is_ip(info)) return 0;
  if (const auto own = own_address(options); own && uses_sockets(info)) {
    const auto address = address_of(static_cast<const sockaddr*>(info.src_addr));
    return address == own ? 0 : 1;
  }
  const bool loopback = interface_of(info) == "lo" || interface_of(info).starts_with("lo:");
  int penalty = info.addr_format == FI_SOCKADDR_IN6 ? 1 : 0;
  if (loopback != options.single_host) penalty += 4;
  if (is_virtual_interface(interface_of(info))) penalty += 2;
  return penalty;
}

/// Selects the best interface; ties in libfabric's order, fastest first.
info_pointer choose_interface(const info_pointer& all, const ofi_request& request,
                              const conduit_options& options) {
  const auto wanted =
      request.domain.empty() ? environment("ACRE_OFI_INTERFACE") : std::optional(request.domain);
  const fi_info* best = nullptr;
  std::set<std::string_view> seen;
  for (const fi_info* entry = all.get(); entry != nullptr; entry = entry->next) {
    if (!is_provider(*entry, request.provider)) continue;
    seen.insert(interface_of(*entry));
    if (wanted && *wanted != interface_of(*entry)) continue;
    if (best == nullptr || unsuitability(*entry, options) < unsuitability(*best, options)) {
      best = entry;
    }
  }
  if (seen.empty()) return {};
  if (best == nullptr) {
    std::string names;
    for (const std::string_view name : seen) {
      names.append(names.empty() ? "" : ", ").append(name);
    }
    const char* const setting =
        request.domain.empty() ? " (ACRE_OFI_INTERFACE)" : " (ACRE_OFI_DOMAINS)";
    throw error("ofi", "the interface " + *wanted + setting + " was not found",
                "choose one of: " + names);
  }
  return info_pointer(load_ofi_library().dupinfo(best));
}

/// libfabric offers addresses of interfaces that are down.
void require_interface_up(const fi_info& info) {
  if (!uses_sockets(info) || info.src_addr == nullptr) return;
  const auto own = address_of(static_cast<const sockaddr*>(info.src_addr));
  const auto has_it = [&](const interface_address& each) { return each.address == own; };
  if (!own || std::ranges::any_of(addresses_of_interfaces(), has_it)) return;
  const std::string down = names_of_interfaces_down();
  const std::string name =
      is_loopback(*own) ? down.substr(0, down.find(',')) : std::string(interface_of(info));
  throw error(
      "ofi", "the network interface " + name + " (" + to_string(*own) + ") of this job is down",
      "bring it up: ip link set " + name + " up" +
          (is_loopback(*own) ? "; ranks of one node need no network if ACRE_RANKS_PER_NODE is unset"
                             : ""));
}

}  // namespace

std::vector<std::string> ofi_candidates(const std::string& asked) {
  std::string named = asked;
  if (named.empty()) named = environment("ACRE_OFI_PROVIDER").value_or("");
  if (!named.empty()) {
    named = complete_name(named);
    refuse_known_defects(named);
    return {named};
  }
  std::vector<std::string> candidates(fast_providers.begin(), fast_providers.end());
  candidates.emplace_back("tcp;ofi_rxm");
  return candidates;
}

bool may_pin_memory(std::string_view provider) {
  constexpr std::array<std::string_view, 4> software = {"tcp", "udp", "sockets", "shm"};
  const std::string_view core = provider.substr(0, provider.find(';'));
  return std::ranges::find(software, core) == software.end();
}

bool uses_sockets(const fi_info& info) {
  const std::string_view provider = info.fabric_attr->prov_name;
  return is_ip(info) && (provider.starts_with("tcp") || provider.starts_with("udp") ||
                         provider.starts_with("sockets"));
}

void listen_where_reached(fi_info& info, const conduit_options& options) {
  if (!options.listen_everywhere || !uses_sockets(info)) return;
  const bool version_4 = std::ranges::all_of(
      options.addresses, [](const ip_address& each) { return each.version == 4; });
  const socket_address everywhere(parse_ip_address(version_4 ? "0.0.0.0" : "::").value(), 0);
  std::free(info.src_addr);
  info.src_addr = std::malloc(everywhere.bytes);
  std::memcpy(info.src_addr, everywhere.get(), everywhere.bytes);
  info.src_addrlen = everywhere.bytes;
  info.addr_format = version_4 ? FI_SOCKADDR_IN : FI_SOCKADDR_IN6;
}

std::vector<std::string> asked_domains(const ofi_choice* main) {
  const std::string asked = environment("ACRE_OFI_DOMAINS").value_or("");
  std::vector<std::string> names;
  if (asked != "auto") {
    for (std::size_t begin = 0; begin < asked.size();) {
      const std::size_t end = std::min(asked.find(',', begin), asked.size());
      if (end != begin) names.push_back(asked.substr(begin, end - begin));
      begin = end + 1;
    }
    return names;
  }
  if (main == nullptr) return {};
  names.emplace_back(interface_of(*main->info));
  const info_pointer all = get_info(*make_hints(main->request));
  // The main domain as it was found: its endpoint may listen at other addresses.
  const fi_info* found = all.get();
  while (found != nullptr &&
         !(is_provider(*found, main->request.provider) && interface_of(*found) == names.front())) {
    found = found->next;
  }
  // A wire of the same kind, with an address of the same version.
  const auto is_alike = [&](const fi_info& entry) {
    return is_provider(entry, main->request.provider) && entry.addr_format == found->addr_format &&
           unsuitability(entry, {}) == unsuitability(*found, {});
  };
  for (const fi_info* entry = found; entry != nullptr; entry = entry->next) {
    const std::string name(interface_of(*entry));
    if (is_alike(*entry) && std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

info_pointer find_ofi(const ofi_request& request, const conduit_options& options) {
  const info_pointer hints = make_hints(request);
  info_pointer chosen;
  for (const std::size_t inject : {std::size_t{0}, enough_inject}) {
    if (chosen && chosen->tx_attr->inject_size >= enough_inject) break;
    hints->tx_attr->inject_size = inject;
    const info_pointer found = get_info(*hints);
    if (!found) continue;
    if (info_pointer better = choose_interface(found, request, options)) {
      chosen = std::move(better);
    }
  }
  if (!chosen) return {};
  require_interface_up(*chosen);
  if (chosen->addr_format == FI_ADDR_STR && !options.job.empty()) {
    const std::string name = "fi_shm://" + options.job + "." + std::to_string(options.self);
    std::free(chosen->src_addr);
    chosen->src_addr = ::strdup(name.c_str());
    chosen->src_addrlen = name.size() + 1;
  }
  return chosen;
}

void report_missing_ofi(const std::vector<std::string>& candidates) {
  const info_pointer hints = make_hints({.provider = {}, .puts = small_put::message});
  std::free(hints->fabric_attr->prov_name);
  hints->fabric_attr->prov_name = nullptr;
  const info_pointer all = get_info(*hints);
  std::set<std::string> names;
  for (const fi_info* entry = all.get(); entry != nullptr; entry = entry->next) {
    names.insert(entry->fabric_attr->prov_name);
  }
  std::string available;
  for (const std::string& name : names) {
    if (name.starts_with("net")) continue;
    available.append(available.empty() ? "" : ", ").append(name);
  }
  throw error("ofi",
              candidates.size() == 1 ? "libfabric has no usable provider " + candidates.front()
                                     : "libfabric has no provider that Acre selects by default",
              available.empty() ? "install a libfabric with a provider that Acre supports (tcp)"
                                : "set ACRE_OFI_PROVIDER to one of: " + available);
}

}  // namespace acre::fabric
