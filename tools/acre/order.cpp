// SPDX-License-Identifier: BSD-3-Clause
#include "order.hpp"

#include <acre/base/byte_order_mark.hpp>
#include <acre/base/parse_number.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

namespace acre::tool {
namespace {

constexpr const char* what_it_is =
    "write the slot (old rank) of new rank 0 in line 1, that of new rank 1 in line 2, …";

struct placed {
  std::int64_t slot;
  std::string where;
};

std::string_view trimmed(std::string_view line) {
  line = line.substr(0, line.find('#'));
  constexpr const char* blank = " \t\r";
  const std::size_t first = line.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(blank) - first + 1);
}

std::vector<placed> read_lines(const std::string& file, const std::string& text) {
  std::vector<placed> slots;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const std::string_view word = trimmed(line);
    if (word.empty()) continue;
    std::string where = file + ":" + std::to_string(number);
    const auto slot = base::parse_number<std::int64_t>(word);
    if (!slot) {
      throw bad_order{where + ": \"" + std::string(word) + "\" is not a number", what_it_is};
    }
    slots.push_back({*slot, std::move(where)});
  }
  return slots;
}

std::vector<placed> read_json(const std::string& file, const std::string& text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded()) {
    throw bad_order{file + ": the JSON is invalid", "write an array of slots: [2, 0, 3, 1]"};
  }
  const auto array = json.is_object() ? json.value("slot_of_rank", nlohmann::json()) : json;
  if (!array.is_array() || array.empty()) {
    throw bad_order{file + ": the array of slots is missing",
                    "write an array, [2, 0, 3, 1], or an object with it as \"slot_of_rank\""};
  }
  std::vector<placed> slots;
  for (const auto& each : array) {
    std::string where = file + ": entry " + std::to_string(slots.size());
    if (!each.is_number_integer()) {
      throw bad_order{where + ": " + each.dump() + " is not a whole number",
                      "write an array of slots: [2, 0, 3, 1]"};
    }
    if (each.is_number_unsigned() && !std::in_range<std::int64_t>(each.get<std::uint64_t>())) {
      throw bad_order{where + ": " + each.dump() + " is too large for a slot",
                      "write an array of slots: [2, 0, 3, 1]"};
    }
    slots.push_back({each.get<std::int64_t>(), std::move(where)});
  }
  return slots;
}

std::vector<slot_t> checked(const std::string& file, const std::vector<placed>& slots,
                            std::size_t ranks) {
  if (slots.size() != ranks) {
    const std::string count = std::to_string(slots.size());
    const std::string wanted = std::to_string(ranks);
    throw bad_order{
        file + ": the order has " + count + " slots, but the job has " + wanted + " ranks",
        "make an order for " + wanted + " ranks, or start " + count};
  }
  const std::string all = "use each of 0 to " + std::to_string(ranks - 1) + " once";
  std::vector<const placed*> users(ranks);
  std::vector<slot_t> order;
  for (const placed& each : slots) {
    const std::string slot = "slot " + std::to_string(each.slot);
    if (each.slot < 0 || static_cast<std::size_t>(each.slot) >= ranks) {
      throw bad_order{
          each.where + ": " + slot + " is out of range for a job of " + std::to_string(ranks) +
              " ranks",
          all + "; to leave slots free, use a launcher's file: acre map --format rankfile"};
    }
    const placed*& user = users[static_cast<std::size_t>(each.slot)];
    if (user != nullptr) {
      throw bad_order{each.where + ": " + slot + " is a duplicate of the one at " + user->where,
                      all};
    }
    user = &each;
    order.push_back(static_cast<slot_t>(each.slot));
  }
  return order;
}

}  // namespace

std::vector<slot_t> read_order(const std::string& file, std::size_t ranks) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw bad_order{
        "cannot read " + file + ": " + std::strerror(errno),
        "check that the file exists: acre map reads it here, acre reorder on the node of rank 0"};
  }
  const std::string text = without_byte_order_mark(
      {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()});
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool is_json = first != std::string::npos && (text[first] == '[' || text[first] == '{');
  const std::vector<placed> slots = is_json ? read_json(file, text) : read_lines(file, text);
  if (slots.empty()) throw bad_order{file + ": the file contains no slot", what_it_is};
  return checked(file, slots, ranks == 0 ? slots.size() : ranks);
}

}  // namespace acre::tool
