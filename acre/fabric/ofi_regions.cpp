// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/ofi_regions.hpp>

namespace acre::fabric {

ofi_addressing addressing_of(const fi_info& info) noexcept {
  return (info.domain_attr->mr_mode & (FI_MR_VIRT_ADDR | FI_MR_PROV_KEY)) != 0
             ? ofi_addressing::addresses
             : ofi_addressing::offsets;
}

void local_regions::add(ofi_endpoint& owner, region_key key, void* base, std::size_t bytes,
                        std::uint64_t network_key) {
  regions_.push_back(
      {.key = key, .base = base, .registration = owner.expose(base, bytes, network_key)});
}

std::vector<std::pair<region_key, ofi_region>> local_regions::described(const fi_info& info) const {
  std::vector<std::pair<region_key, ofi_region>> all;
  if (addressing_of(info) == ofi_addressing::offsets) return all;
  const bool virtual_addresses = (info.domain_attr->mr_mode & FI_MR_VIRT_ADDR) != 0;
  for (const region& each : regions_) {
    const auto base = virtual_addresses ? reinterpret_cast<std::uint64_t>(each.base) : 0;
    all.emplace_back(each.key, ofi_region{.base = base, .key = fi_mr_key(each.registration)});
  }
  return all;
}

void remote_regions::add(rank_t rank, std::size_t ranks, const ofi_descriptor& other) {
  for (const auto& [key, region] : other.regions) {
    if (by_key_.size() <= key) by_key_.resize(key + 1);
    by_key_[key].resize(ranks);
    by_key_[key][rank] = region;
  }
}

remote_place remote_regions::place(rank_t target, region_key key, std::uint64_t offset,
                                   const direct_line& line) const {
  if (by_key_.empty()) return {offset, line.keys[key]};
  const ofi_region& region = by_key_[key][target];
  return {region.base + offset, region.key};
}

}  // namespace acre::fabric
