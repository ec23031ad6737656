// SPDX-License-Identifier: BSD-3-Clause
// Reader of a site file, called with texts.
#pragma once

#include <acre/machines/networks/source_text.hpp>
#include <acre/machines/networks/wrong_text.hpp>

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <utility>

namespace acre::machines {

template <class Read>
class tested_reader {
 public:
  constexpr tested_reader(Read read, const char* file) : read_(read), file_(file) {}

  [[nodiscard]] auto operator()(std::string text) const {
    return read_(source_text(file_, std::move(text)));
  }
  [[nodiscard]] std::string wrong(std::string text) const {
    return wrong_with(read_, std::move(text));
  }
  /// @param texts  each with a part of its error
  void expect_wrong(std::initializer_list<std::pair<std::string, std::string>> texts) const {
    for (const auto& [text, part] : texts) {
      const std::string problem = wrong(text);
      EXPECT_NE(problem.find(part), std::string::npos) << text << "\n" << problem;
    }
  }

 private:
  Read read_;
  const char* file_;
};

}  // namespace acre::machines
