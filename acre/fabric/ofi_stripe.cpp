// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/ofi_stripe.hpp>

#include <acre/base/error.hpp>
#include <acre/fabric/ofi_self_test.hpp>

namespace acre::fabric {

void ofi_stripe::register_region(region_key key, void* base, std::size_t bytes,
                                 const direct_line& line) {
  regions_.add(fabric, key, base, bytes, line.keys[key]);
}

std::vector<std::byte> ofi_stripe::descriptor() const {
  return pack({.address = fabric.address(), .regions = regions_.described(*fabric.info)});
}

void ofi_stripe::connect(std::span<const std::vector<std::byte>> descriptors) {
  std::vector<std::vector<std::byte>> addresses;
  addresses.reserve(descriptors.size());
  for (std::size_t rank = 0; rank < descriptors.size(); ++rank) {
    const ofi_descriptor other = unpack_ofi(descriptors[rank]);
    fabric.insert(other.address, rank);
    remote.add(static_cast<rank_t>(rank), descriptors.size(), other);
    addresses.push_back(other.address);
  }
  if (uses_sockets(*fabric.info)) connections.expect(fabric.address(), addresses);
}

std::vector<std::unique_ptr<ofi_stripe>> open_stripes(const ofi_choice& main,
                                                      const conduit_options& options,
                                                      void* context) {
  std::vector<std::unique_ptr<ofi_stripe>> stripes;
  const std::vector<std::string> names = asked_domains(&main);
  if (names.size() > most_domains) {
    throw error("ofi", "ACRE_OFI_DOMAINS has " + std::to_string(names.size()) + " domains",
                "select at most " + std::to_string(most_domains));
  }
  for (std::size_t i = 1; i < names.size(); ++i) {
    // The addresses of the options are those of the main domain.
    conduit_options own = {.job = options.job + "." + std::to_string(i),
                           .self = options.self,
                           .size = options.size,
                           .single_host = options.single_host};
    ofi_request request = main.request;
    request.domain = names[i];
    const auto choice = choose_true_ofi(request, own);
    if (!choice) {
      throw error("ofi",
                  "the provider " + request.provider + " has no domain " + names[i] +
                      " (ACRE_OFI_DOMAINS) with the abilities of " + names.front(),
                  "remove it from ACRE_OFI_DOMAINS");
    }
    if (addressing_of(*choice->info) != addressing_of(*main.info)) {
      throw error("ofi",
                  "the domains " + names.front() + " and " + names[i] +
                      " (ACRE_OFI_DOMAINS) address remote memory differently",
                  "select domains of one kind of network card");
    }
    stripes.push_back(std::make_unique<ofi_stripe>(*choice, context));
  }
  return stripes;
}

}  // namespace acre::fabric
