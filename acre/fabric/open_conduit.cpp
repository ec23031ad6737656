// SPDX-License-Identifier: BSD-3-Clause
#include <acre/fabric/open_conduit.hpp>

#include <acre/base/error.hpp>
#include <acre/fabric/loopback.hpp>
#if ACRE_HAVE_OFI
#include <acre/fabric/ofi.hpp>
#endif

#include <algorithm>
#include <iterator>
#include <string>

namespace acre::fabric {
namespace {

template <class Conduit>
std::unique_ptr<conduit> open(const conduit_options& options) {
  return std::make_unique<Conduit>(options);
}

struct entry {
  std::string_view name;
  std::unique_ptr<conduit> (*open)(const conduit_options& options);
  bool uses_addresses;
};

constexpr std::string_view for_tests = "loopback";

constexpr entry table[] = {
#if ACRE_HAVE_OFI
    {.name = "ofi", .open = open<ofi>, .uses_addresses = true},
#endif
    {.name = for_tests, .open = open<loopback>, .uses_addresses = false},
};

std::string list_of_names() {
  std::string all;
  for (const entry& each : table) all.append(all.empty() ? "" : ", ").append(each.name);
  return all;
}

const entry* find(std::string_view name) {
  const auto* const row = std::ranges::find_if(table, [&](const entry& each) {
    return name.empty() ? each.name != for_tests : name == each.name;
  });
  return row != std::end(table) ? row : nullptr;
}

}  // namespace

std::vector<std::string_view> conduit_names() {
  std::vector<std::string_view> names;
  for (const entry& each : table) names.push_back(each.name);
  return names;
}

bool uses_addresses(std::string_view name) {
  const entry* const row = find(name);
  return row != nullptr && row->uses_addresses;
}

std::unique_ptr<conduit> open_conduit(std::string_view name, const conduit_options& options) {
  if (const entry* const row = find(name)) return row->open(options);
  if (name.empty()) {
    throw error("conduit", "this build of Acre has no conduit",
                "install libfabric-dev and rebuild Acre");
  }
  throw error("conduit", "this build of Acre has no conduit " + std::string(name),
              "choose one of: " + list_of_names());
}

}  // namespace acre::fabric
