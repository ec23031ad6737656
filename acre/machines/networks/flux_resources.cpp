// SPDX-License-Identifier: BSD-3-Clause
#include <acre/machines/networks/flux_resources.hpp>

#include <acre/machines/networks/hostlist.hpp>
#include <acre/machines/networks/node_sum.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <memory>

namespace acre::machines {
namespace {

const json_value& value_of(const source_text& file, const json_value& in, std::string_view key,
                           json_value::kind kind) {
  const json_value* value = in.find(key);
  if (value == nullptr || value->is != kind) {
    file.fail(in.line, "the key " + in_quotes(key) + " is missing or has the wrong type",
              "write the file again with: flux resource R");
  }
  return *value;
}

std::vector<std::string> numbers_of(const source_text& file, const json_value& set) {
  const std::string list = set.text.starts_with('[') ? set.text : "[" + set.text + "]";
  return file.at_line(set.line, [&] { return expand_hostlist(list, most_nodes); });
}

std::uint32_t cores_of(const source_text& file, const json_value& resources) {
  const json_value* children = resources.find("children");
  const json_value* cores = children == nullptr ? nullptr : children->find("core");
  if (cores == nullptr || cores->text.empty()) return 1;
  return static_cast<std::uint32_t>(numbers_of(file, *cores).size());
}

std::optional<std::string> output_of(const char* command) {
  constexpr std::size_t most = std::size_t{1} << 26;
  FILE* const pipe = popen(command, "r");
  if (pipe == nullptr) return std::nullopt;
  std::string text;
  std::array<char, 1 << 14> block{};
  while (text.size() <= most) {
    const std::size_t bytes = std::fread(block.data(), 1, block.size(), pipe);
    if (bytes == 0) break;
    text.append(block.data(), bytes);
  }
  if (pclose(pipe) != 0) return std::nullopt;
  return text;
}

}  // namespace

std::vector<job_node> nodes_of_flux(const source_text& file, const json_value& root) {
  using enum json_value::kind;
  const json_value& execution = value_of(file, root, "execution", object);
  std::map<std::uint32_t, std::uint32_t> cores_of_rank;
  for (const json_value& each : value_of(file, execution, "R_lite", list).values) {
    const std::uint32_t cores = cores_of(file, each);
    for (const std::string& rank : numbers_of(file, value_of(file, each, "rank", text))) {
      const auto number = as_number(rank);
      if (!number || !cores_of_rank.emplace(*number, cores).second)
        file.fail(each.line, "duplicate rank " + rank, "remove one of the entries");
    }
    if (cores_of_rank.size() > most_nodes) {
      file.fail(each.line, "the file has more than 2^20 ranks", if_too_large);
    }
  }
  const json_value& nodelist = value_of(file, execution, "nodelist", list);
  std::vector<std::string> names;
  for (const json_value& each : nodelist.values) {
    for (std::string& name :
         file.at_line(each.line, [&] { return expand_hostlist(each.text, most_nodes); })) {
      names.push_back(std::move(name));
    }
    if (names.size() > most_nodes)
      file.fail(each.line, "the file has more than 2^20 nodes", if_too_large);
  }
  if (names.size() != cores_of_rank.size()) {
    file.fail(nodelist.line,
              "nodelist contains " + std::to_string(names.size()) + " nodes, but R_lite has " +
                  std::to_string(cores_of_rank.size()) + " ranks",
              "write the file again with: flux resource R");
  }
  node_sum sum(file);
  std::size_t next = 0;
  for (const auto& [rank, cores] : cores_of_rank) {
    sum.add(nodelist.line, names[next++], cores, false);
  }
  return sum.take();
}

std::vector<job_node> ask_flux(const char* command) {
  std::optional<std::string> text = output_of(command);
  if (!text) {
    throw error(
        "machines::nodes_of_this_job",
        std::string("Flux does not report the job's resources: ") + command,
        "run the command by hand, or write its output to a file elsewhere and name that file");
  }
  const source_text file(command, *std::move(text));
  return nodes_of_flux(file, parse_json(file));
}

}  // namespace acre::machines
