#include <acre/runtime/detail/own_addresses.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/error.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <climits>
#include <fstream>
#include <ifaddrs.h>
#include <map>
#include <memory>
#include <net/if.h>
#include <sstream>
#include <unistd.h>

namespace acre::runtime::detail {
namespace {

/// Bridges of containers and virtual machines lead to no other host.
bool is_virtual(std::string_view interface) {
  constexpr std::array prefixes = {"docker", "br-", "virbr", "veth", "podman", "cni", "lxc"};
  return std::ranges::any_of(prefixes,
                             [&](const char* prefix) { return interface.starts_with(prefix); });
}

/// Of IPv6: the kernel tries each for a moment, and another host may have it already. getifaddrs()
/// does not tell.
std::map<std::string, bool> usable_by_address() {
  constexpr unsigned tentative_or_failed = 0x40 | 0x08;
  std::map<std::string, bool> usable;
  std::ifstream lines("/proc/net/if_inet6");
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string digits, index, prefix, scope, flags;
    words >> digits >> index >> prefix >> scope >> flags;
    usable[digits] = (std::strtoul(flags.c_str(), nullptr, 16) & tentative_or_failed) == 0;
  }
  return usable;
}

std::string digits_of(const ip_address& address) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : address.bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

int unsuitability(const own_address& of) {
  return (is_link_local(of.address) ? 8 : 0) + (of.has_carrier ? 0 : 4) +
         (is_virtual(of.interface) ? 2 : 0) + (of.address.version == 6 ? 1 : 0);
}

/// One of the words of ACRE_INTERFACE.
bool fits(const own_address& each, const std::string& word) {
  if (word == "ipv4") return each.address.version == 4;
  if (word == "ipv6") return each.address.version == 6;
  const std::size_t slash = word.find('/');
  const auto network = parse_ip_address(word.substr(0, slash));
  if (!network) return word == each.interface;
  unsigned bits = network->version == 4 ? 32 : 128;
  if (slash != std::string::npos) {
    const std::string number = word.substr(slash + 1);
    unsigned given = 0;
    const auto [end, failure] =
        std::from_chars(number.data(), number.data() + number.size(), given);
    if (failure != std::errc{} || end != number.data() + number.size() || given > bits) {
      throw error("job", "ACRE_INTERFACE: \"" + word + "\" is no network",
                  "write it like 10.1.0.0/16");
    }
    bits = given;
  }
  return same_network(*network, each.address, bits);
}

bool fits_one_of(const own_address& each, std::string_view words) {
  while (!words.empty()) {
    const std::string word(words.substr(0, words.find(',')));
    if (!word.empty() && fits(each, word)) return true;
    words.remove_prefix(std::min(words.size(), word.size() + 1));
  }
  return false;
}

std::string list_of(const std::vector<own_address>& all) {
  std::string text;
  for (const own_address& each : all) {
    text += (text.empty() ? "" : ", ") + each.interface + " " + to_string(each.address);
  }
  return text.empty() ? "none but loopback" : text;
}

}  // namespace

std::vector<own_address> addresses_of_interfaces() {
  ifaddrs* first = nullptr;
  if (::getifaddrs(&first) != 0) return {};
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> all(first, &::freeifaddrs);
  const auto usable = usable_by_address();
  std::vector<own_address> found;
  for (const ifaddrs* each = first; each != nullptr; each = each->ifa_next) {
    const auto address = address_of(each->ifa_addr);
    if (!address || (each->ifa_flags & IFF_UP) == 0) continue;
    const auto known = usable.find(digits_of(*address));
    found.push_back(
        {.interface = each->ifa_name,
         .address = *address,
         .has_carrier = (each->ifa_flags & IFF_RUNNING) != 0,
         .may_be_used = address->version == 4 || known == usable.end() || known->second});
  }
  return found;
}

std::vector<own_address> addresses_to_try(std::vector<own_address> all, std::string_view wanted) {
  std::erase_if(all, [](const own_address& each) {
    return is_loopback(each.address) || !each.may_be_used ||
           (each.address.version == 6 && is_link_local(each.address));
  });
  const std::string there = list_of(all);
  if (!wanted.empty()) {
    std::erase_if(all, [&](const own_address& each) { return !fits_one_of(each, wanted); });
    if (all.empty()) {
      throw error("job", "no address of this host fits ACRE_INTERFACE=" + std::string(wanted),
                  "there are: " + there);
    }
  }
  std::vector<own_address> best_first;  // among equals in the order of the kernel
  for (const own_address& each : all) {
    best_first.insert(std::ranges::upper_bound(best_first, unsuitability(each), {}, unsuitability),
                      each);
  }
  if (best_first.size() > most_tried) best_first.resize(most_tried);
  return best_first;
}

std::uint64_t network_fingerprint() {
  std::string name;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), name);
  std::array<char, PATH_MAX> target{};
  const ssize_t length = ::readlink("/proc/self/ns/net", target.data(), target.size());
  if (length > 0) name.append(target.data(), static_cast<std::size_t>(length));
  std::uint64_t hash = name.size();
  for (const char letter : name) hash = mix_bits(hash * 31 + static_cast<unsigned char>(letter));
  return hash;
}

}  // namespace acre::runtime::detail
