// SPDX-License-Identifier: BSD-3-Clause
#include <acre/launch/detail/settings.hpp>

#include <acre/base/environment.hpp>
#include <acre/base/error.hpp>
#include <acre/fabric/open_conduit.hpp>
#include <acre/launch/detail/own_addresses.hpp>
#include <acre/runtime/world.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace acre::launch {
namespace {

using namespace std::string_view_literals;

struct size_setting {
  const char* name;
  std::size_t least = 0;
  std::size_t most = SIZE_MAX;
};

struct number_setting {
  const char* name;
  std::uint64_t least = 0;
  std::uint64_t most = UINT64_MAX;
};

struct time_setting {
  const char* name;
  std::chrono::seconds least{0};
};

struct choice_setting {
  const char* name;
  std::initializer_list<std::string_view> choices;
};
constexpr std::initializer_list<std::string_view> on_or_off = {"on"sv, "off"sv};
constexpr std::initializer_list<std::string_view> pages = {"on"sv, "off"sv, "reserved"sv};
constexpr std::initializer_list<std::string_view> program_choices = {"same"sv, "several"sv};
constexpr std::initializer_list<std::string_view> counters = {"summary"sv, "*.json"sv};
constexpr std::initializer_list<std::string_view> agas_counters = {"summary"sv, "*.csv"sv,
                                                                   "*.json"sv};
constexpr std::initializer_list<std::string_view> object_reports = {"off"sv, "on"sv, "*.txt"sv};
constexpr std::initializer_list<std::string_view> read_ways = {"automatic"sv, "get"sv, "message"sv};
constexpr std::initializer_list<std::string_view> addressing = {"basic"sv, "scalable"sv};
constexpr std::initializer_list<std::string_view> puts = {"bare"sv, "write"sv, "message"sv,
                                                          "bounce"sv};
constexpr std::initializer_list<std::string_view> receptions = {"multi"sv, "single"sv};
constexpr std::initializer_list<std::string_view> seals = {"on"sv, "siphash"sv, "off"sv};
constexpr std::initializer_list<std::string_view> self_tests = {"always"sv, "once"sv};

using any_setting = std::variant<size_setting, number_setting, time_setting, choice_setting>;

constexpr any_setting settings[] = {
    // A segment has two heaps; offsets have 44 bits.
    size_setting{"ACRE_SEGMENT_SIZE", std::size_t{1} << 20, std::size_t{1} << (offset_bits - 1)},
    choice_setting{"ACRE_HUGE_PAGES", pages},
    number_setting{"ACRE_RANKS_PER_NODE", 0, max_ranks},
    choice_setting{"ACRE_PROGRAMS", program_choices},
    time_setting{"ACRE_STALL_SECONDS"},
    time_setting{"ACRE_LINK_SECONDS", std::chrono::seconds(1)},
    choice_setting{"ACRE_COUNTERS", counters},
    choice_setting{"ACRE_AGAS_COUNTERS", agas_counters},
    choice_setting{"ACRE_AGAS_TIMES", on_or_off},
    choice_setting{"ACRE_OBJECT_REPORT", object_reports},
    number_setting{"ACRE_OBJECT_CACHE"},
    number_setting{"ACRE_CREDIT_THRESHOLD", 1},
    size_setting{"ACRE_OBJECT_BATCH"},
    choice_setting{"ACRE_READ_WAY", read_ways},

    size_setting{"ACRE_OFI_MESSAGE_SIZE"},
    size_setting{"ACRE_OFI_TRANSFER_SIZE"},
    number_setting{"ACRE_OFI_BUFFERS"},
    number_setting{"ACRE_OFI_TX_SIZE", 0, UINT32_MAX},
    number_setting{"ACRE_OFI_RX_SIZE", 0, UINT32_MAX},
    choice_setting{"ACRE_OFI_MR", addressing},
    choice_setting{"ACRE_OFI_PUT", puts},
    choice_setting{"ACRE_OFI_RECEIVE", receptions},
    choice_setting{"ACRE_OFI_SEALS", seals},
    choice_setting{"ACRE_OFI_SELF_TEST", self_tests},
};

void check(const size_setting& each) {
  const auto value = environment_size(each.name);
  if (!value || (*value >= each.least && *value <= each.most)) return;
  throw error(
      "job", std::string(each.name) + " of " + format_size(*value) + " is out of range",
      "set it to a value between " + format_size(each.least) + " and " + format_size(each.most));
}

void check(const number_setting& each) {
  const auto value = environment_number(each.name);
  if (!value || (*value >= each.least && *value <= each.most)) return;
  throw error("job", std::string(each.name) + " of " + std::to_string(*value) + " is out of range",
              "set it to a value between " + std::to_string(each.least) + " and " +
                  std::to_string(each.most));
}

void check(const time_setting& each) {
  const auto value = environment_seconds(each.name);
  if (!value || *value >= each.least) return;
  throw error("job", std::string(each.name) + " of " + format_seconds(*value) + " is too short",
              "set it to " + format_seconds(each.least) + " or more");
}

void check(const choice_setting& each) {
  static_cast<void>(environment_choice(each.name, std::span(each.choices)));
}

}  // namespace

void check_settings() {
  std::vector<std::string_view> conduits = fabric::conduit_names();
  conduits.emplace_back("smp");
  static_cast<void>(environment_choice("ACRE_CONDUIT", conduits));
  for (const any_setting& each : settings) {
    std::visit([](const auto& known) { check(known); }, each);
  }
  if (const auto wanted = environment("ACRE_INTERFACE")) {
    require_some_interface(addresses_of_interfaces(), *wanted);
  }
}

}  // namespace acre::launch
