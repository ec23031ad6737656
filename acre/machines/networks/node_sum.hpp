// SPDX-License-Identifier: BSD-3-Clause
// Adds up a job's slots over lines that may repeat a node.
#pragma once

#include <acre/machines/networks/job_node.hpp>
#include <acre/machines/networks/source_text.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace acre::machines {

inline constexpr std::uint32_t most_slots = 1 << 20;
inline constexpr std::size_t most_names = std::size_t{1} << 24;

[[nodiscard]] inline std::optional<std::uint32_t> as_slots(std::string_view digits) {
  const auto number = as_number(digits);
  if (!number || *number == 0 || *number > most_slots) return std::nullopt;
  return number;
}

class node_sum {
 public:
  explicit node_sum(const source_text& from) : from_(&from) {}

  /// @param said  the line has a number; its node must not be repeated
  void add(std::size_t line, const std::string& name, std::uint32_t slots, bool said) {
    if (++names_ > most_names) from_->fail(line, "the file has more than 2^24 names", if_too_large);
    const auto [known, added] = places_.emplace(name, nodes_.size());
    if (added) {
      if (nodes_.size() == most_nodes)
        from_->fail(line, "the file has more than 2^20 nodes", if_too_large);
      nodes_.push_back({name, slots});
      said_.push_back(said);
      return;
    }
    job_node& node = nodes_[known->second];
    if (said || said_[known->second]) {
      from_->fail(line, "duplicate node " + in_quotes(name),
                  "list it once, with the sum of its slots");
    }
    if (slots > most_slots - node.slots)
      from_->fail(line, "a node has more than 2^20 slots", if_too_large);
    node.slots += slots;
  }

  std::vector<job_node> take() {
    if (nodes_.empty()) from_->fail("the file contains no node", "check that the file is complete");
    return std::move(nodes_);
  }

 private:
  const source_text* from_;
  std::vector<job_node> nodes_;
  std::vector<bool> said_;
  std::size_t names_ = 0;
  std::unordered_map<std::string, std::size_t> places_;
};

}  // namespace acre::machines
