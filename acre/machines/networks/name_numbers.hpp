// SPDX-License-Identifier: BSD-3-Clause
// Numbers unique names in the order of insertion.
#pragma once

#include <acre/machines/networks/source_text.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace acre::machines {

class name_numbers {
 public:
  /// @param kind noun for errors: "node"
  name_numbers(const source_text& from, std::string kind) : from_(&from), kind_(std::move(kind)) {}

  /// @throws acre::error for a duplicate, or more than 2^20 names
  std::uint32_t add(const std::string& name, std::size_t line) {
    if (names_.size() == most_nodes) {
      from_->fail(line, "the file has more than 2^20 " + kind_ + "s",
                  "check that it is the right file");
    }
    const auto number = static_cast<std::uint32_t>(names_.size());
    const auto [known, added] = numbers_.emplace(name, number);
    if (!added) {
      from_->fail(line,
                  "duplicate " + kind_ + " " + in_quotes(name) + ", first defined in line " +
                      std::to_string(lines_[known->second]),
                  "remove one of the definitions");
    }
    names_.push_back(name);
    lines_.push_back(line);
    return number;
  }

  [[nodiscard]] std::optional<std::uint32_t> find(const std::string& name) const {
    const auto known = numbers_.find(name);
    if (known == numbers_.end()) return std::nullopt;
    return known->second;
  }

  [[nodiscard]] std::uint32_t size() const noexcept {
    return static_cast<std::uint32_t>(names_.size());
  }
  [[nodiscard]] const std::string& name(std::uint32_t number) const { return names_[number]; }
  [[nodiscard]] std::size_t line(std::uint32_t number) const { return lines_[number]; }
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }

 private:
  const source_text* from_;
  std::string kind_;
  std::vector<std::string> names_;
  std::vector<std::size_t> lines_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

}  // namespace acre::machines
