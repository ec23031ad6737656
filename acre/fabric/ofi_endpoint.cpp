// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/ofi_endpoint.hpp>

#include <acre/base/error.hpp>
#include <acre/base/low_numbers_taken.hpp>

#include <rdma/fi_cm.h>

#include <string>
#include <string_view>

namespace acre::fabric {
namespace {

/// The wait object of `sockets` never becomes ready.
bool wait_object_works(const fi_info& info) {
  return std::string_view(info.fabric_attr->prov_name) != "sockets";
}

}  // namespace

std::uint64_t usable_key(const fi_info& info, std::uint64_t key) noexcept {
  const std::size_t bytes = info.domain_attr->mr_key_size;
  const std::uint64_t mask = bytes >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * bytes) - 1;
  constexpr std::uint64_t of_providers = std::uint64_t{1} << 31;  // FI_PROV_SPECIFIC of libfabric 1
  return key & mask & ~of_providers;
}

ofi_endpoint::ofi_endpoint(const fi_info& chosen, void* context)
    : info(load_ofi_library().dupinfo(&chosen)) {
  const signal_handlers_kept kept;
  const low_numbers_taken low;
  fid_fabric* opened_fabric = nullptr;
  require_ofi(load_ofi_library().fabric(info->fabric_attr, &opened_fabric, nullptr), "fi_fabric");
  fabric.reset(opened_fabric);

  fid_domain* opened_domain = nullptr;
  require_ofi(fi_domain(fabric.get(), info.get(), &opened_domain, nullptr), "fi_domain");
  domain.reset(opened_domain);

  fi_av_attr av_attributes{};
  av_attributes.type = FI_AV_TABLE;
  fid_av* opened_addresses = nullptr;
  require_ofi(fi_av_open(domain.get(), &av_attributes, &opened_addresses, nullptr), "fi_av_open");
  addresses.reset(opened_addresses);

  open_queue();

  fi_cntr_attr counter_attributes{};
  counter_attributes.events = FI_CNTR_EVENTS_COMP;
  counter_attributes.wait_obj = FI_WAIT_NONE;
  for (auto* const each : {&put_counter, &get_counter}) {
    fid_cntr* opened_counter = nullptr;
    require_ofi(fi_cntr_open(domain.get(), &counter_attributes, &opened_counter, nullptr),
                "fi_cntr_open");
    each->reset(opened_counter);
  }

  fid_ep* opened_endpoint = nullptr;
  require_ofi(fi_endpoint(domain.get(), info.get(), &opened_endpoint, context), "fi_endpoint");
  endpoint.reset(opened_endpoint);
  require_ofi(fi_ep_bind(endpoint.get(), &addresses->fid, 0), "fi_ep_bind (addresses)");
  require_ofi(
      fi_ep_bind(endpoint.get(), &queue->fid, FI_TRANSMIT | FI_RECV | FI_SELECTIVE_COMPLETION),
      "fi_ep_bind (queue)");
  require_ofi(fi_ep_bind(endpoint.get(), &put_counter->fid, FI_WRITE), "fi_ep_bind (puts)");
  require_ofi(fi_ep_bind(endpoint.get(), &get_counter->fid, FI_READ), "fi_ep_bind (gets)");
  require_ofi(fi_enable(endpoint.get()), "fi_enable");
}

void ofi_endpoint::open_queue() {
  fi_cq_attr attributes{};
  attributes.format = FI_CQ_FORMAT_DATA;
  attributes.size = 1024;
  fid_cq* opened = nullptr;
  if (wait_object_works(*info)) {
    attributes.wait_obj = FI_WAIT_FD;
    if (fi_cq_open(domain.get(), &attributes, &opened, nullptr) == 0) {
      queue.reset(opened);
      if (fi_control(&queue->fid, FI_GETWAIT, &wait_descriptor) != 0) wait_descriptor = -1;
      return;
    }
  }
  attributes.wait_obj = FI_WAIT_NONE;
  require_ofi(fi_cq_open(domain.get(), &attributes, &opened, nullptr), "fi_cq_open");
  queue.reset(opened);
}

fid_mr* ofi_endpoint::expose(void* base, std::size_t bytes, std::uint64_t key) {
  fid_mr* opened = nullptr;
  require_ofi(fi_mr_reg(domain.get(), base, bytes, FI_REMOTE_READ | FI_REMOTE_WRITE, 0, key, 0,
                        &opened, nullptr),
              "fi_mr_reg of " + std::to_string(bytes) + " bytes");
  regions.emplace_back(opened);
  if ((info->domain_attr->mr_mode & FI_MR_ENDPOINT) != 0) {
    require_ofi(fi_mr_bind(opened, &endpoint->fid, 0), "fi_mr_bind");
    require_ofi(fi_mr_enable(opened), "fi_mr_enable");
  }
  return opened;
}

void ofi_endpoint::abandon() noexcept {
  for (auto& each : regions) static_cast<void>(each.release());
  static_cast<void>(endpoint.release());
  static_cast<void>(put_counter.release());
  static_cast<void>(get_counter.release());
  static_cast<void>(queue.release());
  static_cast<void>(addresses.release());
  static_cast<void>(domain.release());
  static_cast<void>(fabric.release());
}

std::vector<std::byte> ofi_endpoint::address() const {
  std::size_t bytes = 0;
  static_cast<void>(fi_getname(&endpoint->fid, nullptr, &bytes));
  std::vector<std::byte> name(bytes);
  require_ofi(fi_getname(&endpoint->fid, name.data(), &bytes), "fi_getname");
  name.resize(bytes);
  return name;
}

void ofi_endpoint::insert(std::span<const std::byte> address, fi_addr_t expected) {
  fi_addr_t number = FI_ADDR_NOTAVAIL;
  const int inserted = fi_av_insert(addresses.get(), address.data(), 1, &number, 0, nullptr);
  require_ofi(inserted, "fi_av_insert of rank " + std::to_string(expected));
  if (inserted != 1 || number != expected) {
    throw error("ofi",
                "the provider assigned rank " + std::to_string(expected) +
                    " the wrong address number " + std::to_string(number),
                "set ACRE_OFI_PROVIDER to another provider");
  }
}

}  // namespace acre::fabric
