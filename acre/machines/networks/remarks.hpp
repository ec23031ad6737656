// SPDX-License-Identifier: BSD-3-Clause
// Collects a reader's warnings: each kind's first line and number.
#pragma once

#include <acre/machines/networks/source_text.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace acre::machines {

class remarks {
 public:
  explicit remarks(const source_text& from) : from_(&from) {}

  /// @param assumed the reader's assumption; warnings with equal assumptions are one kind
  void add(std::size_t line, std::string_view found, std::string_view assumed) {
    for (kind& each : kinds_) {
      if (each.assumed != assumed) continue;
      ++each.more;
      return;
    }
    kinds_.push_back(
        {.line = line, .found = std::string(found), .assumed = std::string(assumed), .more = 0});
  }

  [[nodiscard]] std::vector<std::string> texts() const {
    std::vector<std::string> made;
    for (const kind& each : kinds_) {
      std::string text = each.found + ": " + each.assumed;
      if (each.more == 1) text += "; the same in one more place";
      if (each.more > 1) text += "; the same in " + std::to_string(each.more) + " more places";
      made.push_back(from_->remark(each.line, text));
    }
    return made;
  }

 private:
  struct kind {
    std::size_t line;
    std::string found;
    std::string assumed;
    std::size_t more;
  };

  const source_text* from_;
  std::vector<kind> kinds_;
};

}  // namespace acre::machines
