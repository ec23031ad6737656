// SPDX-License-Identifier: BSD-3-Clause
#include <acre/launch/detail/own_addresses.hpp>

#include <acre/base/error.hpp>
#include <acre/base/fingerprint.hpp>
#include <acre/base/parse_number.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace acre::launch {
namespace {

std::pair<int, std::int64_t> unsuitability(const interface_address& of) {
  const int kind = (is_link_local(of.address) ? 8 : 0) + (of.has_carrier ? 0 : 4) +
                   (is_virtual_interface(of.interface) ? 2 : 0) + (of.address.version == 6 ? 1 : 0);
  return {kind, -std::int64_t{of.megabits}};
}

bool fits(const interface_address& each, const std::string& word) {
  if (word == "ipv4") return each.address.version == 4;
  if (word == "ipv6") return each.address.version == 6;
  const std::size_t slash = word.find('/');
  const auto network = parse_ip_address(word.substr(0, slash));
  if (!network) return word == each.interface;
  unsigned bits = network->version == 4 ? 32 : 128;
  if (slash != std::string::npos) {
    const auto given = base::parse_number<unsigned>(std::string_view(word).substr(slash + 1));
    if (!given || *given > bits) {
      throw error("job", "ACRE_INTERFACE: \"" + word + "\" is not a network",
                  "give it in the form 10.1.0.0/16");
    }
    bits = *given;
  }
  return same_network(*network, each.address, bits);
}

bool fits_one_of(const interface_address& each, std::string_view words) {
  while (!words.empty()) {
    const std::string word(words.substr(0, words.find(',')));
    if (!word.empty() && fits(each, word)) return true;
    words.remove_prefix(std::min(words.size(), word.size() + 1));
  }
  return false;
}

std::string list_of(const std::vector<interface_address>& all) {
  std::string text;
  for (const interface_address& each : all) {
    text += (text.empty() ? "" : ", ") + each.interface + " " + to_string(each.address);
  }
  if (text.empty()) text = "loopback only";
  const std::string down = names_of_interfaces_down();
  return text + (down.empty() ? "" : "; interfaces that are down: " + down);
}

[[noreturn]] void report_no_fit(const std::vector<interface_address>& all,
                                std::string_view wanted) {
  throw error("job", "no address of this host matches ACRE_INTERFACE=" + std::string(wanted),
              "choose one of: " + list_of(all));
}

}  // namespace

std::vector<interface_address> addresses_to_try(std::vector<interface_address> all,
                                                std::string_view wanted) {
  std::erase_if(all, [](const interface_address& each) {
    return is_loopback(each.address) || !each.may_be_used ||
           (each.address.version == 6 && is_link_local(each.address));
  });
  if (!wanted.empty()) {
    std::vector<interface_address> fitting = all;
    std::erase_if(fitting, [&](const auto& each) { return !fits_one_of(each, wanted); });
    if (fitting.empty()) report_no_fit(all, wanted);
    all = std::move(fitting);
  }
  std::vector<interface_address> best_first;
  for (const interface_address& each : all) {
    best_first.insert(std::ranges::upper_bound(best_first, unsuitability(each), {}, unsuitability),
                      each);
  }
  if (best_first.size() > most_tried) best_first.resize(most_tried);
  return best_first;
}

void require_some_interface(const std::vector<interface_address>& all, std::string_view wanted) {
  const auto fits = [&](const interface_address& each) { return fits_one_of(each, wanted); };
  if (std::ranges::none_of(all, fits)) report_no_fit(all, wanted);
}

std::uint64_t network_fingerprint() {
  return fingerprint(boot_id() + name_space("net") + first_hardware_address());
}

}  // namespace acre::launch
