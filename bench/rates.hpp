// SPDX-License-Identifier: BSD-3-Clause
// Benchmark rates by name: medians over rounds, in millions per second.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace acre::bench {

inline void keep(std::uint64_t value) { asm volatile("" : : "r"(value)); }

class stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

class rates {
 public:
  void add(std::string_view name, std::uint64_t operations, double seconds) {
    auto known = std::ranges::find(series_, name, &series::name);
    if (known == series_.end()) known = series_.insert(known, {std::string(name), {}});
    known->millions.push_back(1e-6 * static_cast<double>(operations) / seconds);
  }

  /// @param about  further JSON fields: "ranks": 2
  void print(const std::string& about) {
    std::printf("{%s, \"unit\": \"M/s\"", about.c_str());
    for (auto& [name, millions] : series_) {
      const auto median = millions.begin() + static_cast<std::ptrdiff_t>(millions.size() / 2);
      std::ranges::nth_element(millions, median);
      std::printf(", \"%s\": %.4f", name.c_str(), *median);
    }
    std::printf("}\n");
  }

 private:
  struct series {
    std::string name;
    std::vector<double> millions;
  };
  std::vector<series> series_;
};

}  // namespace acre::bench
