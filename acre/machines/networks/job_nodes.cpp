// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/job_nodes.hpp>

#include <acre/machines/networks/flux_resources.hpp>
#include <acre/machines/networks/hostlist.hpp>
#include <acre/machines/networks/json_text.hpp>
#include <acre/machines/networks/node_sum.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

namespace acre::machines {
namespace {

constexpr std::size_t most_slots_of_job = std::size_t{1} << 24;

std::vector<job_node> nodes_of_json(const source_text& file) {
  const json_value root = parse_json(file);
  if (root.find("execution") != nullptr) return nodes_of_flux(file, root);
  const json_value* shares = root.find("allocation");
  if (shares == nullptr || shares->is != json_value::kind::list) {
    file.fail(root.line, "the key 'allocation' is missing or not a list",
              "write \"allocation\": [{\"nodes\": \"n[01-04]\", \"slots\": 24}]");
  }
  node_sum sum(file);
  for (const json_value& each : shares->values) {
    expect_keys(file, each, {"nodes", "slots"});
    const json_value* nodes = each.find("nodes");
    const json_value* slots = each.find("slots");
    if (nodes == nullptr || slots == nullptr) {
      file.fail(each.line, "nodes or slots are missing",
                "write {\"nodes\": \"n[01-04]\", \"slots\": 24}");
    }
    const std::uint32_t count = count_in(file, *slots);
    for (const std::string& name : names_in(file, *nodes)) sum.add(each.line, name, count, true);
  }
  return sum.take();
}

/// Slots by the words after a node's name; ignores launchers' other options.
std::optional<std::uint32_t> slots_in(const source_text& file, const text_line& line,
                                      std::span<const std::string_view> words) {
  constexpr std::array<std::string_view, 6> others{"max_slots", "max-slots", "ifname",
                                                   "binding",   "map",       "user"};
  std::optional<std::uint32_t> said;
  for (const std::string_view word : words) {
    const std::string_view key = word.substr(0, word.find('='));
    if (std::ranges::find(others, key) != others.end()) continue;
    if (key == "slots" && key.size() < word.size()) said = as_slots(word.substr(key.size() + 1));
    if (key != "slots" || !said) {
      file.fail(line.number, in_quotes(word) + " is not a number of slots",
                "write: NAME slots=24, NAME:24 or NAME");
    }
  }
  return said;
}

std::optional<std::uint32_t> take_slots(const source_text& from, std::size_t line,
                                        std::string_view& name) {
  const std::size_t colon = name.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto slots = as_slots(name.substr(colon + 1));
  if (!slots) {
    from.fail(line, in_quotes(name) + " has no number of slots after the colon",
              "write NAME:24, with a number from 1 to 2^20");
  }
  name = name.substr(0, colon);
  return slots;
}

std::string_view short_name(std::string_view name) { return name.substr(0, name.find('.')); }

class node_finder {
 public:
  explicit node_finder(const described_network& machine) : machine_(machine) {
    for (topology::node_t node = 0; node < machine.node_names.size(); ++node) {
      const std::string& name = machine.node_names[node];
      if (name.empty()) continue;
      whole_.emplace(name, node);
      short_[short_name(name)].push_back(node);
      numbers_are_names_ = numbers_are_names_ || as_number(name).has_value();
    }
  }

  [[nodiscard]] topology::node_t find(const std::string& name) const {
    if (const auto known = whole_.find(name); known != whole_.end()) return known->second;
    // Two full names must be equal; if one lacks the domain, the short names must be.
    if (const auto known = short_.find(short_name(name)); known != short_.end()) {
      const auto fits = [&](topology::node_t node) {
        const std::string& other = machine_.node_names[node];
        return name.find('.') == std::string::npos || other.find('.') == std::string::npos;
      };
      if (known->second.size() > 1) {
        fail("several nodes of the network have the name " + in_quotes(short_name(name)),
             "write their names in full");
      }
      if (fits(known->second.front())) return known->second.front();
    }
    const auto number = as_number(name);
    if (number && !numbers_are_names_ && *number < machine_.network->nodes()) return *number;
    fail("node " + in_quotes(name) + " is not one of the " +
             std::to_string(machine_.network->nodes()) + " nodes of the network",
         machine_.node_names.empty() ? "its nodes are numbered only: write 0, 1, …"
                                     : "check that the network file describes this machine");
  }

 private:
  [[noreturn]] static void fail(const std::string& problem, const std::string& advice) {
    throw error("machines::allocation_on", problem, advice);
  }

  const described_network& machine_;
  std::unordered_map<std::string_view, topology::node_t> whole_;
  std::unordered_map<std::string_view, std::vector<topology::node_t>> short_;
  bool numbers_are_names_ = false;
};

}  // namespace

std::vector<job_node> nodes_of_hostfile(const source_text& file, std::uint32_t slots) {
  if (without_blanks_around(file.text()).starts_with('{')) return nodes_of_json(file);
  struct entry {
    std::size_t line;
    std::string name;
    std::optional<std::uint32_t> said;
  };
  std::vector<entry> entries;
  for (const text_line& line : file.lines()) {
    const std::vector<std::string_view> words = words_of(line.text);
    std::string_view name = words.front();
    auto said = take_slots(file, line.number, name);
    const auto also_said = slots_in(file, line, std::span(words).subspan(1));
    if (said && also_said) {
      file.fail(line.number, "the line gives the number of slots twice", "keep one of them");
    }
    if (!said) said = also_said;
    for (const std::string& each :
         file.at_line(line.number, [&] { return expand_hostlist(name, most_nodes); })) {
      entries.push_back({.line = line.number, .name = each, .said = said});
    }
  }
  std::set<std::string_view> seen;
  const bool counted = std::ranges::any_of(
      entries, [&](const entry& each) { return !each.said && !seen.insert(each.name).second; });
  node_sum sum(file);
  for (const entry& each : entries) {
    sum.add(each.line, each.name, each.said.value_or(counted ? 1 : slots), each.said.has_value());
  }
  return sum.take();
}

std::vector<job_node> nodes_of_list(std::string_view list, std::uint32_t slots) {
  const source_text from("the list of nodes", std::string(list));
  node_sum sum(from);
  bool inside = false;
  for (std::size_t begin = 0, at = 0; at <= list.size(); ++at) {
    const char c = at < list.size() ? list[at] : ',';
    if (c == '[' || c == ']') inside = c == '[';
    if (c != ',' || (inside && at < list.size())) continue;
    std::string_view word = without_blanks_around(list.substr(begin, at - begin));
    begin = at + 1;
    const auto said = take_slots(from, 1, word);
    const bool numbers = !word.empty() && word.find_first_not_of("0123456789-") == word.npos;
    const std::string expression = numbers ? "[" + std::string(word) + "]" : std::string(word);
    for (const std::string& name :
         from.at_line(1, [&] { return expand_hostlist(expression, most_nodes); })) {
      sum.add(1, name, said.value_or(slots), true);
    }
  }
  return sum.take();
}

std::vector<job_node> read_job_nodes(const std::string& list_or_path, std::uint32_t slots) {
  std::error_code none;
  if (std::filesystem::exists(list_or_path, none)) {
    return nodes_of_hostfile(source_text::load(list_or_path), slots);
  }
  if (list_or_path.find('/') != std::string::npos) {
    throw error("machines::read_job_nodes", "file " + in_quotes(list_or_path) + " not found",
                "name a hostfile, or list nodes as n[01-16] or 0-63");
  }
  return nodes_of_list(list_or_path, slots);
}

topology::allocation allocation_on(const described_network& machine,
                                   const std::vector<job_node>& nodes) {
  const node_finder finder(machine);
  std::vector<topology::allocation::share> shares;
  std::size_t slots = 0;
  std::unordered_map<topology::node_t, const std::string*> taken;
  for (const job_node& each : nodes) {
    const topology::node_t node = finder.find(each.name);
    if (const auto [known, added] = taken.emplace(node, &each.name); !added) {
      throw error("machines::allocation_on",
                  in_quotes(*known->second) + " and " + in_quotes(each.name) + " are the same node",
                  "list it once, with all of its slots");
    }
    slots += each.slots;
    if (slots > most_slots_of_job) {
      throw error("machines::allocation_on", "the job has more than 2^24 slots",
                  "list fewer nodes or slots; each slot takes one rank");
    }
    shares.push_back({.node = node, .slots = each.slots});
  }
  return {*machine.network, std::move(shares)};
}

}  // namespace acre::machines
